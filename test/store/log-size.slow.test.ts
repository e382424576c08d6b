import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newLogState } from '../../src/store/durability.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { startCheckpoints } from '../../src/threads/checkpoints.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { fillLog, saltOf } from './log-file.ts'

/** Kontor truncates a larger file. */
const largeBytes = 64 * 2 ** 20

test('While much is written, the write-ahead log begins anew without being truncated; afterwards it is truncated', {
  timeout: 220_000,
}, async (t) => {
  const { path, client: newClient } = await start(t, { work: 'thread' })
  const client = await newClient()
  const sizeOf = () => statSync(`${path}-wal`).size
  const sizes: number[] = []
  const salts = new Set<string>()

  while (salts.size < 3 || sizeOf() <= largeBytes) {
    await fillLog(client)
    sizes.push(sizeOf())
    salts.add(saltOf(path))
  }

  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => a - b),
  )
  await until('the log is truncated', sizeOf, { is: (bytes) => bytes === 0, limitMs: 60_000 })
})

test('A full log that a reader keeps from beginning anew is not locked again until it has been written to', async (t) => {
  const path = join(temporaryDirectory(t), 'log.db')
  const [db, reader] = [0, 1].map(() =>
    openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true }),
  ) as [Connection, Connection]
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE entry (content)')
  const write = () => db.prepare('INSERT INTO entry VALUES (zeroblob(?))').run(largeBytes + 1)
  write()
  reader.exec('BEGIN; SELECT 1 FROM entry')
  const tried: string[] = []
  const pragma = db.pragma.bind(db)
  db.pragma = (source, options) => {
    if (source.includes('RESTART')) tried.push(source)
    return pragma(source, options)
  }

  t.mock.timers.enable({ apis: ['setInterval'] })
  const checkpoints = startCheckpoints(db, newLogState())
  t.after(() => {
    checkpoints.stop()
    for (const each of [reader, db]) each.close()
  })
  t.mock.timers.tick(4_500)

  assert.equal(tried.length, 1)
})
