import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newLogState } from '../../src/store/durability.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { startCheckpoints } from '../../src/threads/checkpoints.ts'
import { saltOf } from '../store/log-file.ts'
import { temporaryDirectory } from '../support/directory.ts'

/** Kontor lets a log with more content begin anew. */
const fullBytes = 64 * 2 ** 20

test('A full log begins anew although readers come and go, each of which needs the latest commits', (t) => {
  const { path, write, read, endReading, check, tried } = openFull(t)
  read()
  write(1)
  tried.before = endReading
  const salt = saltOf(path)

  check()
  write(1)

  assert.deepEqual(tried.modes, ['RESTART'])
  assert.notEqual(saltOf(path), salt)
})

test('Writers do not wait again and again for a full log whose latest commits a reader needs for long', (t) => {
  const { write, read, check, tried } = openFull(t)
  read()

  for (let second = 0; second < 4; second++) {
    write(1)
    check()
  }

  assert.deepEqual(tried.modes, ['RESTART'])
})

test('A full log that a reader keeps from beginning anew is not locked again until it has been written to', (t) => {
  const { read, check, tried } = openFull(t)
  read()

  for (let second = 0; second < 4; second++) check()

  assert.deepEqual(tried.modes, ['RESTART'])
})

/** A database with a full log, whose checkpoints a test asks for. `tried` has those for which writers wait, and what happens before each. */
function openFull(t: TestContext) {
  const path = join(temporaryDirectory(t), 'log.db')
  const [db, reader] = [0, 1].map(() =>
    openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true }),
  ) as [Connection, Connection]
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE entry (content)')
  const write = (bytes: number) => db.prepare('INSERT INTO entry VALUES (zeroblob(?))').run(bytes)
  write(fullBytes + 1)
  const tried = { modes: [] as string[], before: () => {} }
  const pragma = db.pragma.bind(db)
  db.pragma = (source, options) => {
    const [, mode] = /(RESTART|TRUNCATE)/.exec(source) ?? []
    if (mode !== undefined) {
      tried.modes.push(mode)
      tried.before()
    }
    return pragma(source, options)
  }
  t.mock.timers.enable({ apis: ['setInterval'] })
  const checkpoints = startCheckpoints(db, newLogState())
  t.after(async () => {
    await checkpoints.stop()
    for (const each of [reader, db]) each.close()
  })
  return {
    ...{ path, write, tried },
    read: () => reader.exec('BEGIN; SELECT 1 FROM entry'),
    endReading: () => reader.exec('COMMIT'),
    check: () => t.mock.timers.tick(1_000),
  }
}
