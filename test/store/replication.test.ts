import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { type Connection, openConnection } from '../../src/store/open.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { serve } from '../support/serve.ts'

const perFill = 150

/** Writes more than twice the size of log at which Kontor checkpoints. */
async function fill(client: Client): Promise<void> {
  const large = { metadata: { text: 'x'.repeat(60_000) } }
  await Promise.all(Array.from({ length: perFill }, () => make(client, 'organization', large)))
}

/** Returns the log's salt, which changes when the log restarts (https://sqlite.org/walformat.html). */
function saltOf(path: string): string {
  return readFileSync(`${path}-wal`).subarray(16, 24).toString('hex')
}

function countIn(db: Connection): unknown {
  return db.prepare('SELECT count(*) FROM organization').pluck().get()
}

/** Checkpoints the complete log. Tries again if Kontor is checkpointing at the same moment. */
function checkpointAll(db: Connection): void {
  for (;;) {
    const [{ busy, log, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)') as [Record<string, number>]
    if (busy === 0 && checkpointed === log) return
  }
}

test('While a replication holds a read transaction, no write waits and the log is not truncated', {
  timeout: 60_000,
}, async (t) => {
  const { path, client: newClient } = await serve(t, { work: 'thread' })
  const client = await newClient()
  const open = () => openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  const [first, replica] = [open(), open()]
  t.after(() => [first, replica].map((db) => db.close()))

  first.exec('BEGIN; SELECT 1 FROM sqlite_schema') // so that the first fill is still in the log when the replication begins
  await fill(client)
  replica.exec('BEGIN; SELECT 1 FROM sqlite_schema')
  const [salt, bytes] = [saltOf(path), statSync(path).size]
  first.exec('COMMIT')
  await fill(client)
  while (statSync(path).size === bytes) await new Promise(setImmediate) // until Kontor has checkpointed as much as the reader allows
  await fill(client)

  assert.deepEqual([saltOf(path), countIn(replica)], [salt, perFill])
  replica.exec('COMMIT; BEGIN IMMEDIATE; CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); COMMIT')
  checkpointAll(replica)
  await fill(client)
  assert.notEqual(saltOf(path), salt)
  assert.equal(countIn(replica), 4 * perFill)
})
