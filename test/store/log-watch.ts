import assert from 'node:assert/strict'
import { readChanges } from '../support/changes.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { ConnectionError } from '../support/exchange.ts'
import type { JsonRecord } from '../support/make.ts'

/** An acknowledged write, and what the log must have of it. */
export interface Acknowledged {
  requestId: string
  recordId: string
  /** The number of changes of the record by this request. */
  changes: number
  /** The type that is counted; default: every type. */
  type?: string | undefined
  /** The number of writes that were acknowledged before this one was sent. */
  begun: number
}

/** Reads the log while a server writes, and verifies after a crash that it has what was shown before. */
export class LogWatch {
  /** The position that was verified last. */
  #verified = 'start'
  #cursor = 'start'
  #seen: JsonRecord[] = []

  /** Follows the log until the server is gone. */
  async follow(client: Client): Promise<void> {
    for (;;) {
      const response = await attempt(client.get(`/api-v1-changes?limit=1000&after=${this.#cursor}`))
      if (!response) return
      assert.equal(response.status, 200, JSON.stringify(response.body))
      for (const change of response.body.data) this.#seen.push(change)
      this.#cursor = response.body.cursor
    }
  }

  /** Fails unless the log still has what was shown, and no gaps. Returns the changes since the last call, or with `all` every one. */
  async verify(client: Client, all: boolean): Promise<JsonRecord[]> {
    const log = await readChanges(client, all ? 'start' : this.#verified)
    for (const [at, { seq }] of log.entries()) assert.equal(seq, log[0].seq + at, 'the log has no gaps')
    if (all) assert.equal(log[0].seq, 1)
    const shown = this.#seen.length > 0 ? log.slice(this.#seen[0].seq - log[0].seq) : []
    assert.deepEqual(unerased(shown.slice(0, this.#seen.length), log), unerased(this.#seen, log), 'what was shown')
    const { body } = await client.get('/api-v1-changes?after=now')
    this.#seen = []
    this.#verified = this.#cursor = body.cursor
    return log
  }
}

/** The changes without the values of records that have been erased. */
function unerased(changes: readonly JsonRecord[], log: readonly JsonRecord[]): JsonRecord[] {
  const erased = new Set(log.filter(({ type }) => type.endsWith('.erased')).map(({ record_id }) => record_id))
  return changes.map((change) =>
    erased.has(change.record_id) ? { ...change, changed: [], previous: null, data: null } : change,
  )
}

/** Fails unless each write is in the log as often as expected, and after those that were acknowledged before it was sent. */
export function assertLogged(log: readonly JsonRecord[], writes: readonly Acknowledged[]): void {
  const byWrite = Map.groupBy(log, ({ request_id, record_id }) => `${request_id} ${record_id}`)
  const latest = [0]
  for (const { requestId, recordId, changes, type, begun } of writes) {
    const own = (byWrite.get(`${requestId} ${recordId}`) ?? []).filter((change) => !type || change.type === type)
    assert.equal(own.length, changes, `request ${requestId} has ${own.length} changes of ${recordId}`)
    for (const { seq } of own) assert.ok(seq > (latest[begun] ?? 0), `change ${seq} is before an acknowledged one`)
    latest.push(Math.max(latest.at(-1)!, ...own.map(({ seq }) => seq)))
  }
}

/** Undefined if the server is gone. */
export async function attempt(sending: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof ConnectionError) return undefined
    throw error
  }
}
