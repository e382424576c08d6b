import { Gateway, type GatewayOptions, Refused } from './gateway.ts'

/** What must hold for the first branch of a transaction to run. */
export type Compare = { key: string } & ({ created: '0' } | { value: string } | { lease: string })

export type Op =
  | { put: string; value: string | Buffer; lease?: string | undefined }
  /** The key, or those from it to before `end`, in their order, or in that of their creation. */
  | { get: string; end?: string; limit?: number; by?: 'creation' }
  | { delete: string; end?: string }

interface Txn {
  when?: Compare[]
  ops: Op[]
  otherwise?: Op[]
  local?: boolean
}

export interface KeyValue {
  key: string
  value: Buffer
  lease: string
}

interface Outcome {
  /** Whether the first branch ran. */
  succeeded: boolean
  /** The keys that each operation of the branch has got. */
  results: KeyValue[][]
  /** Of the store, after the transaction. */
  revision: string
}

/** A client of etcd: transactions, and leases. Every call may throw UnknownOutcome and Refused. */
export class Etcd {
  readonly #gateway: Gateway

  constructor(options: GatewayOptions) {
    this.#gateway = new Gateway(options)
  }

  /**
   * Runs `ops` if all of `when` hold, and `otherwise` if not, in one step that a majority has on disk. Reads are linearizable, or, with `local`,
   * what one member has, which may be old.
   */
  async txn({ when = [], ops, otherwise = [], local = false }: Txn): Promise<Outcome> {
    const [success, failure] = [ops, otherwise].map((branch) => branch.map((op) => opOf(op, local)))
    const body = { compare: when.map(compareOf), success, failure }
    const isRead = [...ops, ...otherwise].every((op) => 'get' in op)
    const answer = (await this.#gateway.call('/v3/kv/txn', body, isRead)) as unknown as TxnAnswer
    return {
      succeeded: answer.succeeded === true,
      results: (answer.responses ?? []).map(({ response_range }) => (response_range?.kvs ?? []).map(keyValueOf)),
      revision: answer.header.revision,
    }
  }

  /** Returns the id of a lease that ends after this time without `keepAlive`. */
  async grant(seconds: number): Promise<string> {
    const { ID } = await this.#gateway.call('/v3/lease/grant', { TTL: String(seconds) }, true)
    return String(ID)
  }

  /** Returns the seconds that are left from now on; 0 if the lease has ended. */
  async keepAlive(lease: string): Promise<number> {
    const { result } = await this.#gateway.call('/v3/lease/keepalive', { ID: lease }, true)
    return Number((result as { TTL?: string } | undefined)?.TTL ?? 0)
  }

  /** Ends a lease, with the keys that are bound to it. */
  async revoke(lease: string): Promise<void> {
    await this.#gateway.call('/v3/lease/revoke', { ID: lease }, true)
  }

  /** Frees the space of what was deleted or replaced before this revision. */
  async compact(revision: string): Promise<void> {
    await this.#gateway.call('/v3/kv/compaction', { revision, physical: false }, true).catch((error) => {
      if (!(error instanceof Refused && error.isCompacted)) throw error
    })
  }

  close(): void {
    this.#gateway.close()
  }
}

interface TxnAnswer {
  header: { revision: string }
  succeeded?: boolean
  responses?: { response_range?: { kvs?: { key: string; value?: string; lease?: string }[] } }[]
}

function compareOf(compare: Compare): object {
  const key = encode(compare.key)
  if ('created' in compare) return { key, target: 'CREATE', result: 'EQUAL', create_revision: compare.created }
  if ('lease' in compare) return { key, target: 'LEASE', result: 'EQUAL', lease: compare.lease }
  return { key, target: 'VALUE', result: 'EQUAL', value: encode(compare.value) }
}

function opOf(op: Op, serializable: boolean): object {
  if ('put' in op) {
    const lease = op.lease !== undefined && { lease: op.lease }
    return { request_put: { key: encode(op.put), value: encode(op.value), ...lease } }
  }
  const end = op.end !== undefined && { range_end: encode(op.end) }
  if ('delete' in op) return { request_delete_range: { key: encode(op.delete), ...end } }
  const limit = op.limit !== undefined && { limit: String(op.limit) }
  const order = op.by === 'creation' && { sort_order: 'ASCEND', sort_target: 'CREATE' }
  return { request_range: { key: encode(op.get), ...end, ...limit, ...order, ...(serializable && { serializable }) } }
}

function keyValueOf({ key, value = '', lease = '0' }: { key: string; value?: string; lease?: string }): KeyValue {
  return { key: Buffer.from(key, 'base64').toString(), value: Buffer.from(value, 'base64'), lease }
}

function encode(text: string | Buffer): string {
  return Buffer.from(text as string).toString('base64')
}
