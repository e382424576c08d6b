import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { latency } from '../support/fault-times.ts'

/** What happens to a call: it is done and answered, or one of these. */
export type Fault =
  | 'dropped before'
  | 'dropped after'
  | 'timed out before'
  | 'timed out after'
  | 'hangs'
  | 'full'
  | { delayedMs: number }

/** A fake of the calls of etcd's JSON gateway that Kontor makes. */
export interface FakeEtcd {
  /** `etcd://127.0.0.1:12345/kontor` */
  url: string
  /** Asked at each call, with its path, whether it writes, and its body. Default: no faults. */
  fault: (path: string, writes: boolean, body: { ID?: string; success?: Operation[] }) => Fault | undefined
  /** The keys, by their names. */
  keys: Map<string, Stored>
  /** The ids of the leases that have not ended, as far as a call has noticed. */
  leases(): string[]
  /** Ends all leases. */
  expire(): void
}

interface Stored {
  value: Buffer
  createRevision: number
  lease: string
}

interface Range {
  key: string
  range_end?: string
  limit?: string
  sort_target?: 'CREATE'
}

interface Operation {
  request_put?: { key: string; value: string; lease?: string }
  request_range?: Range
  request_delete_range?: Range
}

interface Txn {
  compare: { key: string; target: string; value?: string; create_revision?: string; lease?: string }[]
  success: Operation[]
  failure: Operation[]
}

export async function startFakeEtcd(t: Pick<TestContext, 'after'>): Promise<FakeEtcd> {
  const keys = new Map<string, Stored>()
  const leases = new Map<string, { seconds: number; endMs: number }>()
  let revision = 1
  const expire = (nowMs: number) => {
    for (const [id, { endMs }] of leases) if (endMs <= nowMs) leases.delete(id)
    for (const [key, { lease }] of keys) if (lease !== '0' && !leases.has(lease)) keys.delete(key)
  }
  const calls: Record<string, (body: never) => object> = {
    '/v3/kv/txn': txn,
    '/v3/kv/compaction': () => ({}),
    '/v3/lease/grant': ({ TTL }: { TTL: string }) => {
      const id = String(++revision + 1_000_000)
      leases.set(id, { seconds: Number(TTL), endMs: performance.now() + Number(TTL) * 1_000 })
      return { ID: id, TTL }
    },
    '/v3/lease/keepalive': ({ ID }: { ID: string }) => {
      const lease = leases.get(ID)
      if (!lease) return { result: { ID } }
      lease.endMs = performance.now() + lease.seconds * 1_000
      return { result: { ID, TTL: String(lease.seconds) } }
    },
    '/v3/lease/revoke': ({ ID }: { ID: string }) => {
      leases.delete(ID)
      return {}
    },
  }
  const server = createServer(async (req, res) => {
    const parts: Buffer[] = []
    for await (const part of req) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const body = JSON.parse(text)
    const run = () => {
      expire(performance.now())
      return calls[req.url!]!(body as never)
    }
    answer(res, fake.fault(req.url!, /"request_(put|delete)/.test(text), body), run)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const fake: FakeEtcd = {
    url: `etcd://127.0.0.1:${port}/kontor`,
    fault: () => undefined,
    keys,
    leases: () => [...leases.keys()],
    expire: () => expire(Number.POSITIVE_INFINITY),
  }
  return fake

  function txn({ compare, success, failure }: Txn): object {
    const succeeded = compare.every(({ key, target, value = '', create_revision, lease }) => {
      const stored = keys.get(decode(key))
      if (target === 'CREATE') return String(stored?.createRevision ?? 0) === create_revision
      if (target === 'LEASE') return (stored?.lease ?? '0') === lease
      return stored?.value.toString('base64') === value
    })
    if ([...success, ...failure].some(({ request_range }) => !request_range)) revision++
    const responses = (succeeded ? success : failure).map(operate)
    return { header: { revision: String(revision) }, succeeded, responses }
  }

  function operate({ request_put, request_range, request_delete_range }: Operation): object {
    if (request_put) {
      const { key, value, lease = '0' } = request_put
      if (lease !== '0' && !leases.has(lease)) throw new Error('etcdserver: requested lease not found')
      const createRevision = keys.get(decode(key))?.createRevision ?? revision
      keys.set(decode(key), { value: Buffer.from(value, 'base64'), createRevision, lease })
      return { response_put: {} }
    }
    if (request_delete_range) {
      for (const key of inRange(request_delete_range)) keys.delete(key)
      return { response_delete_range: {} }
    }
    const found = inRange(request_range!).slice(0, Number(request_range!.limit ?? 1e9))
    if (request_range!.sort_target === 'CREATE') found.sort((a, b) => createdAt(a) - createdAt(b))
    const kvs = found.map((key) => {
      const { value, lease } = keys.get(key)!
      return { key: Buffer.from(key).toString('base64'), value: value.toString('base64'), lease }
    })
    return { response_range: { kvs } }
  }

  function createdAt(key: string): number {
    return keys.get(key)!.createRevision
  }

  function inRange({ key, range_end }: Range): string[] {
    const first = decode(key)
    if (range_end === undefined) return keys.has(first) ? [first] : []
    return [...keys.keys()].filter((each) => each >= first && each < decode(range_end)).sort()
  }
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString()
}

const timedOut = { error: 'etcdserver: request timed out', code: 14 }
const noSpace = { error: 'etcdserver: mvcc: database space exceeded', code: 8 }

function answer(res: ServerResponse, fault: Fault | undefined, run: () => object): void {
  const send = (body: object) => void res.end(JSON.stringify(body))
  const done = () => {
    try {
      return run()
    } catch (error) {
      return { error: (error as Error).message, code: 5 }
    }
  }
  if (typeof fault === 'object') void latency(fault.delayedMs).then(() => send(done()))
  else if (fault === 'dropped before') res.destroy()
  else if (fault === 'timed out before') send(timedOut)
  else if (fault === 'full') send(noSpace)
  else if (fault !== 'hangs') {
    const body = done()
    if (fault === 'dropped after') res.destroy()
    else send(fault === 'timed out after' ? timedOut : body)
  }
}
