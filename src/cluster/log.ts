import { randomBytes } from 'node:crypto'
import { type Compare, Etcd, type KeyValue, type Op } from './etcd.ts'
import type { GatewayOptions } from './gateway.ts'

/** The end of the log. Whoever replaces it has replaced the leader before. */
export interface Head {
  /** The id of the log. */
  log: string
  /** Counts the leaders. */
  epoch: number
  /** The id of the node that leads in this epoch. */
  owner: string
  /** The number of the newest part of an entry. */
  position: number
  /** The bytes of all parts ever written. */
  bytes: number
}

/** The node that holds the lease. */
export interface Leader {
  node: string
  /** Where clients reach it. */
  url: string
}

/** What a node says of itself while its lease lasts. */
export interface NodeReport {
  node: string
  url: string
  position: number
  version: string
  /** Whether its disk has space for what a leader writes. Undefined while it joins. */
  room?: boolean
}

/** The log as of one moment. */
export interface LogState {
  head: Head | undefined
  leader: Leader | undefined
  /** The parts after the position asked for, in order, as many as are read at once. */
  parts: { position: number; bytes: Buffer }[]
  trimmed: Trimmed
}

/** What is no longer kept: the parts up to a position, and the bytes of all of them. */
export interface Trimmed {
  position: number
  bytes: number
}

const partsMax = 16
const digits = 16

/** The log in etcd: its keys, and the transactions that change them. Every call may throw UnknownOutcome and Refused. */
export class Log {
  readonly #etcd: Etcd
  readonly #prefix: string
  /** Whether this node may have the lead: it may have had it before a restart. */
  #mayLead = true

  constructor(options: GatewayOptions, prefix: string) {
    this.#etcd = new Etcd(options)
    this.#prefix = prefix
  }

  /** Reads the parts after `position`, with the state of the log. With `local`, it may be an earlier state: it costs much less. */
  async read(position: number, local = false): Promise<LogState> {
    const [first, end] = [this.#partKey(position + 1), this.#key('parts0')]
    const keys = [this.#key('head'), this.#key('leader'), this.#key('trimmed')]
    const ops: Op[] = [...keys.map((key) => ({ get: key })), { get: first, end, limit: partsMax }]
    const { results } = await this.#etcd.txn({ ops, local })
    const [head, leader, trimmed, parts] = results as [KeyValue[], KeyValue[], KeyValue[], KeyValue[]]
    return {
      head: parse<Head>(head),
      leader: parse<Leader>(leader),
      trimmed: parse<Trimmed>(trimmed) ?? { position: 0, bytes: 0 },
      parts: parts.map(({ key, value }) => ({ position: Number(key.slice(-digits)), bytes: value })),
    }
  }

  /** Takes the lead if nobody has it, or if this node had it before a restart. */
  async campaign(leader: Leader, lease: string): Promise<boolean> {
    this.#mayLead = true
    const [key, value] = [this.#key('leader'), JSON.stringify(leader)]
    const put: Op = { put: key, value, lease }
    const free = await this.#etcd.txn({ when: [{ key, created: '0' }], ops: [put] })
    if (free.succeeded) return true
    const own = await this.#etcd.txn({ when: [{ key, value }], ops: [put] })
    return own.succeeded
  }

  /** Leaves the lead to others. Asks etcd only if this node has tried to take it since: a majority would have to agree each time. */
  async resign(leader: Leader): Promise<void> {
    if (!this.#mayLead) return
    const key = this.#key('leader')
    await this.#etcd.txn({ when: [{ key, value: JSON.stringify(leader) }], ops: [{ delete: key }] })
    this.#mayLead = false
  }

  /** Begins the log with this head, if there is none. Returns whether there was none. */
  begin(head: Head): Promise<boolean> {
    const { position, bytes } = head
    const ops: Op[] = [{ put: this.#key('trimmed'), value: JSON.stringify({ position, bytes } satisfies Trimmed) }]
    return this.#putHead({ key: this.#key('head'), created: '0' }, head, ops)
  }

  /** Replaces the head, and appends a part, if the head is still `before`. Returns whether it was. `isMarked`: the log can be trimmed after this part. */
  advance(before: Head, after: Head, part?: Buffer, isMarked = false): Promise<boolean> {
    const parts: Op[] = part ? [{ put: this.#partKey(after.position), value: part }] : []
    const marks: Op[] = isMarked ? [{ put: this.#markKey(after.position), value: String(after.bytes) }] : []
    return this.#putHead({ key: this.#key('head'), value: JSON.stringify(before) }, after, [...parts, ...marks])
  }

  async #putHead(when: Compare, head: Head, further: readonly Op[]): Promise<boolean> {
    const { key } = when
    const value = JSON.stringify(head)
    const outcome = await this.#etcd.txn({
      when: [when],
      ops: [{ put: key, value }, ...further],
      otherwise: [{ get: key }],
    })
    // An earlier attempt, whose answer was lost, may have done it.
    return outcome.succeeded || outcome.results[0]![0]?.value.toString() === value
  }

  /** Removes the parts before those that are kept, if the head is still this one, and frees their space. Returns whether it was. */
  async trim(head: Head, trimmed: Trimmed): Promise<boolean> {
    const { succeeded, revision } = await this.#etcd.txn({
      when: [{ key: this.#key('head'), value: JSON.stringify(head) }],
      ops: [
        { put: this.#key('trimmed'), value: JSON.stringify(trimmed) },
        { delete: this.#partKey(0), end: this.#partKey(trimmed.position + 1) },
        { delete: this.#markKey(0), end: this.#markKey(trimmed.position + 1) },
      ],
    })
    if (succeeded) await this.#etcd.compact(revision)
    return succeeded
  }

  /** Where the log can be trimmed, in order. */
  async marks(): Promise<Trimmed[]> {
    const { results } = await this.#etcd.txn({ ops: [{ get: this.#key('marks/'), end: this.#key('marks0') }] })
    return results[0]!.map(({ key, value }) => ({ position: Number(key.slice(-digits)), bytes: Number(value) }))
  }

  /** Returns the secret that nodes show each other. Only the first call writes: a full etcd refuses whatever may write. */
  async secret(): Promise<string> {
    const key = this.#key('secret')
    const read = await this.#etcd.txn({ ops: [{ get: key }] })
    const [stored] = read.results[0]!
    if (stored) return stored.value.toString()
    const made = randomBytes(32).toString('hex')
    const { succeeded, results } = await this.#etcd.txn({
      when: [{ key, created: '0' }],
      ops: [{ put: key, value: made }],
      otherwise: [{ get: key }],
    })
    return succeeded ? made : results[0]![0]!.value.toString()
  }

  async report(report: NodeReport, lease: string): Promise<void> {
    const ops: Op[] = [{ put: this.#key(`nodes/${report.node}`), value: JSON.stringify(report), lease }]
    await this.#etcd.txn({ ops })
  }

  /** Makes the first report of a node, unless somebody has reported as this node since `former` was read. Returns whether it is made. */
  async enroll(report: NodeReport, former: NodeReport | undefined, lease: string): Promise<boolean> {
    const key = this.#key(`nodes/${report.node}`)
    const when: Compare = former ? { key, value: JSON.stringify(former) } : { key, created: '0' }
    const { succeeded } = await this.#etcd.txn({
      when: [when],
      ops: [{ put: key, value: JSON.stringify(report), lease }],
    })
    return succeeded
  }

  /** The nodes that run, in the order in which they enrolled. */
  async nodes(): Promise<NodeReport[]> {
    const ops: Op[] = [{ get: this.#key('nodes/'), end: this.#key('nodes0'), by: 'creation' }]
    const { results } = await this.#etcd.txn({ ops })
    return results[0]!.map(({ value }) => JSON.parse(value.toString()) as NodeReport)
  }

  /** Removes the whole log, with the leader, and frees its space: it may contain what was erased. Another log may be below its prefix. */
  async reset(): Promise<void> {
    const single = ['head', 'leader', 'trimmed', 'secret'].map((name) => ({ delete: this.#key(name) }))
    const several = ['parts', 'marks', 'nodes'].map((name) => ({
      delete: this.#key(`${name}/`),
      end: this.#key(`${name}0`),
    }))
    const { revision } = await this.#etcd.txn({ ops: [...single, ...several] })
    await this.#etcd.compact(revision)
  }

  grant(seconds: number): Promise<string> {
    return this.#etcd.grant(seconds)
  }

  keepAlive(lease: string): Promise<number> {
    return this.#etcd.keepAlive(lease)
  }

  revoke(lease: string): Promise<void> {
    return this.#etcd.revoke(lease)
  }

  close(): void {
    this.#etcd.close()
  }

  #key(name: string): string {
    return `${this.#prefix}/${name}`
  }

  #partKey(position: number): string {
    return this.#numbered('parts', position)
  }

  #markKey(position: number): string {
    return this.#numbered('marks', position)
  }

  #numbered(name: string, position: number): string {
    return this.#key(`${name}/${String(position).padStart(digits, '0')}`)
  }
}

function parse<T>([found]: KeyValue[]): T | undefined {
  return found && (JSON.parse(found.value.toString()) as T)
}
