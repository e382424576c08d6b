import assert from 'node:assert/strict'
import fs, { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LogAppender } from '../../src/store/log-appender.ts'
import { openConnection } from '../../src/store/open.ts'
import { temporaryDirectory } from '../support/directory.ts'

const pageSize = 4_096
const open = (path: string) => openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })

/** Keeps what is written to files, and notes how much of it has been synced. */
function watchDisk(t: TestContext) {
  const writes: { bytes: Buffer; position: number }[] = []
  let synced = 0
  const write = t.mock.method(fs, 'writeSync', (_: number, bytes: Buffer, from: number, length: number, at: number) => {
    writes.push({ bytes: Buffer.from(bytes.subarray(from, from + length)), position: at })
    return length
  })
  const sync = t.mock.method(fs, 'fdatasyncSync', () => {
    synced = writes.length
  })
  syncBuiltinESMExports()
  const end = () => {
    write.mock.restore()
    sync.mock.restore()
    syncBuiltinESMExports()
  }
  t.after(end)
  return { end, synced: () => writes.slice(0, synced), unsynced: () => writes.slice(synced) }
}

test('A power cut while a log begins anew does not bring back what the log before had', (t) => {
  const path = join(temporaryDirectory(t), 'log.db')
  const db = open(path)
  t.after(() => db.close())
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE entry (text)')
  const insert = db.prepare('INSERT INTO entry VALUES (?)')
  for (let row = 0; row < 40; row++) insert.run('x'.repeat(3_000))
  db.exec("UPDATE entry SET text = 'newest' || text")
  const log = readFileSync(`${path}-wal`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  writeFileSync(`${path}-wal`, log) // as after a commit that began the log anew and failed on a full disk
  const appender = new LogAppender(path, pageSize)
  t.after(() => appender.close())
  const newest = db.serialize()
  const numbers = Array.from({ length: newest.length / pageSize - 1 }, (_, index) => index + 2)
  const pages = new Map(numbers.map((n) => [n, newest.subarray((n - 1) * pageSize, n * pageSize)]))
  const copy = `${path}.cut`
  copyFileSync(path, copy)

  const disk = watchDisk(t)
  appender.append(pages, newest.length / pageSize)
  disk.end()
  for (const { bytes, position } of disk.synced()) bytes.copy(log, position)
  const frames = disk.unsynced().find(({ bytes }) => bytes.length > pageSize)!
  const half = frames.bytes.length / 2
  frames.bytes.copy(log, frames.position + half, half)
  writeFileSync(`${copy}-wal`, log)

  const recovered = open(copy)
  t.after(() => recovered.close())
  assert.equal(recovered.prepare("SELECT count(*) FROM entry WHERE text LIKE 'newest%'").pluck().get(), 40)
  assert.equal(recovered.pragma('integrity_check', { simple: true }), 'ok')
})
