import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { fillLog, perFill, saltOf } from './log-file.ts'

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
  const { path, client: newClient } = await start(t, { work: 'thread' })
  const client = await newClient()
  const open = () => openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  const [first, replica] = [open(), open()]
  t.after(() => [first, replica].map((db) => db.close()))

  first.exec('BEGIN; SELECT 1 FROM sqlite_schema') // so that the first fill is still in the log when the replication begins
  await fillLog(client)
  replica.exec('BEGIN; SELECT 1 FROM sqlite_schema')
  const [salt, bytes] = [saltOf(path), statSync(path).size]
  first.exec('COMMIT')
  await fillLog(client)
  await until('Kontor has checkpointed as much as the reader allows', () => statSync(path).size, {
    is: (size) => size !== bytes,
  })
  await fillLog(client)

  assert.deepEqual([saltOf(path), countIn(replica)], [salt, perFill])
  replica.exec('COMMIT; BEGIN IMMEDIATE; CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); COMMIT')
  checkpointAll(replica)
  await fillLog(client)
  assert.notEqual(saltOf(path), salt)
  assert.equal(countIn(replica), 4 * perFill)
})
