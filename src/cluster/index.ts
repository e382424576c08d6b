import { setTimeout as delay } from 'node:timers/promises'
import type { RateLimiter } from '../access/rate-limit.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import type { Layer } from '../http/exchange.ts'
import { secondMs } from '../lib/clock.ts'
import { endLog, errorFields, log as report } from '../lib/log.ts'
import { version } from '../packaging/embedded.ts'
import type { WalDurability } from '../store/durability.ts'
import type { Store } from '../store/store.ts'
import { orLeaveLead } from './hand-over.ts'
import { nodeLayer } from './http.ts'
import { type Joined, join } from './join.ts'
import { Member } from './member.ts'
import { givenSettings } from './options.ts'
import { reportUsage } from './report-usage.ts'
import type { LogSettings } from './state.ts'
import type { LogSizes } from './trimmer.ts'
import { WaitingReport } from './waiting-report.ts'

// What `serve --log` loads: a server of which several share a log (docs/cluster.md).

/** Brings the data directory into the log, which may take as long as etcd or a leader cannot be reached. Throws OperatorError. */
export async function joinLog(config: Config & { log: string }, schemaVersion: number): Promise<ServerNode> {
  const { log, advertise } = config
  if (advertise === undefined) throw new OperatorError('--log needs --advertise, the address of this server.')
  const settings: LogSettings = { ...givenSettings(config), log, advertise }
  const joined = await join({ directory: config.data, settings, schemaVersion, version })
  return new ServerNode(joined, await joined.log.secret())
}

/** The part of a server that belongs to the log. Its steps are called in their order. */
export class ServerNode {
  readonly #joined: Joined
  readonly #secret: string
  readonly #sizes: LogSizes | undefined
  #member: Member | undefined
  #store: Store | undefined
  #lead: () => Promise<void> = async () => {}

  /** `sizes`: of the log; default: those of every server. */
  constructor(joined: Joined, secret: string, sizes?: LogSizes) {
    this.#joined = joined
    this.#secret = secret
    this.#sizes = sizes
  }

  /** Ends the lock on the data directory. */
  get release(): () => void {
    return this.#joined.release
  }

  /** Starts the server of this node. Others lead if it cannot start, however often it is tried. */
  orLeaveLead(start: () => Promise<void>): Promise<void> {
    return orLeaveLead(this.#joined, start)
  }

  get member(): Member {
    return this.#member!
  }

  /** Opens the log of the database, which SQLite has opened. Returns what the store needs. */
  open(local: WalDurability) {
    const member = new Member({
      ...{ joined: this.#joined, version, local, sizes: this.#sizes, onFatal: endProcess },
      onLead: () => void this.#leadSoon(),
      store: () => this.#store,
    })
    this.#member = member
    return {
      durability: member.durability,
      requireWritable: () => member.requireWritable(),
      position: () => (member.isLeader ? undefined : member.shown.now),
    }
  }

  /** What the application needs. */
  appOptions(store: Store) {
    this.#store = store
    const { member } = this
    const known = { member, store, secret: this.#secret, node: this.#joined.place.node }
    return {
      nodeLayer: (parts: { limiter: RateLimiter }): Layer => nodeLayer({ ...known, ...parts }),
      writeUsage: (counts: Parameters<typeof reportUsage>[1], id: string) => reportUsage(known, counts, id),
    }
  }

  /** Begins to follow or to lead. `lead` starts what only a leader does, at once or later. If it throws later, it is called again. */
  async start(lead: () => Promise<void>): Promise<void> {
    this.#lead = lead
    if (this.member.isLeader) await lead()
    this.member.start()
  }

  /** Writes fail while etcd does not answer, and reads while the disk does not. */
  async #leadSoon(): Promise<void> {
    const waiting = new WaitingReport()
    for (;;) {
      try {
        return await this.#lead()
      } catch (error) {
        waiting.say('this leader could not begin all of its work yet', errorFields(error))
        await delay(secondMs)
      }
    }
  }
}

function endProcess(reason: string): never {
  report('this server ends', { reason }, 'error')
  endLog()
  process.exit(1)
}
