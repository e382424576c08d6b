import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { countFrames } from '../../src/store/durability.ts'
import { Gaps } from '../../src/store/gaps.ts'
import { LogAppender } from '../../src/store/log-appender.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type Random, randomOf } from '../support/random.ts'

/** What has been erased has this in it. */
const mark = 'SECRET'
const rowsSql = 'SELECT group_concat(key || text, char(10)) FROM (SELECT key, text FROM entry ORDER BY key)'

const open = (path: string) => openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })

/** A database of which a half has been erased, with former copies of that in the gaps of its pages. */
function erased(t: TestContext, random: Random, { rows = 2_000, setting = '' } = {}) {
  const path = join(temporaryDirectory(t), 'gaps.db')
  const [db, lock] = [open(path), open(path)]
  db.exec(`${setting}; PRAGMA journal_mode = WAL`)
  db.exec('CREATE TABLE entry (key INTEGER PRIMARY KEY, text TEXT) WITHOUT ROWID; CREATE INDEX by_text ON entry (text)')
  for (let part = 0; part < 8; part++) insert(db, random, rows / 8, part % 2 ? mark : 'kept')
  db.exec(`UPDATE entry SET text = '' WHERE text LIKE '%${mark}%'`)
  const gaps = new Gaps(path)
  const filesHave = () =>
    ['', '-wal'].some((ending) => existsSync(path + ending) && readFileSync(path + ending).includes(mark))
  t.after(() => {
    for (const each of [gaps, lock, db]) each.close()
  })
  return { path, db, gaps, lock, filesHave }
}

function insert(db: Connection, random: Random, rows: number, text: string): void {
  const statement = db.prepare('INSERT OR IGNORE INTO entry VALUES (?, ?)')
  db.transaction(() => {
    for (let row = 0; row < rows; row++)
      statement.run(random.below(2 ** 40), `${random.below(1e9)}${text}${'x'.repeat(random.below(300))}`)
  })()
}

/** Takes one step. Returns whether it was the last one. */
function step({ gaps, lock }: { gaps: Gaps; lock: Connection }): boolean {
  if (!gaps.look()) return false
  lock.exec('BEGIN IMMEDIATE')
  try {
    return gaps.clear()
  } finally {
    lock.exec('COMMIT')
  }
}

test('Former copies of what was erased stay in gaps of pages, and are gone when these have been overwritten', (t) => {
  const files = erased(t, randomOf(1), { rows: 10_000 })
  const { db, gaps, filesHave } = files
  db.pragma('wal_checkpoint(TRUNCATE)')
  assert.equal(filesHave(), true)
  const before = db.prepare(rowsSql).pluck().get()

  while (!step(files));
  gaps.end()
  db.pragma('wal_checkpoint(TRUNCATE)')

  assert.equal(filesHave(), false)
  assert.equal(db.prepare(rowsSql).pluck().get(), before)
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
})

test('Gaps are overwritten while others write, read and move the log, and each commit stays what it was, also after a crash', (t) => {
  const random = randomOf(2)
  for (let round = 0; round < 6; round++) {
    const files = erased(t, random, { setting: `PRAGMA page_size = ${random.pick([512, 4_096])}` })
    const { db, gaps, path, filesHave } = files
    const [writer, reader, observer] = [open(path), open(path), open(path)]
    if (random.below(2)) db.pragma('wal_checkpoint(TRUNCATE)')
    assert.equal(filesHave(), true)
    let isDone = false
    for (let turn = 0; !isDone; turn++) {
      for (let left = turn < 60 ? random.below(4) : 0; left > 0; left--) change(writer, random)
      const rows = observer.prepare(rowsSql).pluck().get()
      if (random.below(8) === 0) reader.exec(reader.inTransaction ? 'COMMIT' : 'BEGIN; SELECT count(*) FROM entry')
      const read = reader.inTransaction && reader.prepare(rowsSql).pluck().get()
      isDone = step(files)
      if (reader.inTransaction) assert.equal(reader.prepare(rowsSql).pluck().get(), read)
      assert.equal(observer.prepare(rowsSql).pluck().get(), rows)
      if (turn % 7 === 0) assert.equal(rowsAfterCrash(path, `${path}-${round}-${turn}`), rows)
    }
    gaps.end()
    for (const each of [writer, reader, observer]) each.close()
    db.pragma('wal_checkpoint(TRUNCATE)')
    assert.equal(filesHave(), false, `round ${round}`)
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  }
})

/** Also moves the log, or tries to. SQLite gives pages other numbers when it distributes cells, and takes their gaps with them. */
function change(db: Connection, random: Random): void {
  if (random.below(4)) insert(db, random, random.pick([10, 50, 300]), 'kept')
  else db.prepare('DELETE FROM entry WHERE key % 11 = ?').run(random.below(11))
  if (random.below(2)) db.pragma(`wal_checkpoint(${random.pick(['PASSIVE', 'RESTART', 'TRUNCATE'])})`)
}

function rowsAfterCrash(path: string, copy: string): unknown {
  for (const ending of ['', '-wal']) copyFileSync(path + ending, copy + ending)
  const db = open(copy)
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    return db.prepare(rowsSql).pluck().get()
  } finally {
    db.close()
  }
}

test('A page that gets a gap from another one, after it was looked at, is looked at again, also when the log has begun anew', (t) => {
  const files = erased(t, randomOf(4))
  const { db, gaps, filesHave } = files
  db.pragma('wal_checkpoint(TRUNCATE)')
  while (!step(files));
  assert.equal(db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }), 1, 'it is kept until its frames are counted')
  putIntoGap(files)
  db.pragma('wal_checkpoint(TRUNCATE)')
  while (!step(files));
  db.pragma('wal_checkpoint(PASSIVE)')
  step(files) // from now on, the next commit begins the log anew
  insert(db, randomOf(5), 1, 'kept')
  putIntoGap(files)
  insert(db, randomOf(6), 1_000, 'kept')

  while (!step(files));
  gaps.end()
  db.pragma('wal_checkpoint(TRUNCATE)')

  assert.equal(filesHave(), false)
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
})

/** Does to the root of the table what SQLite does when it gives pages other numbers. */
function putIntoGap({ path, db, lock }: { path: string; db: Connection; lock: Connection }): void {
  const appender = new LogAppender(path, 4_096)
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entry'").pluck().get() as number
  const page = db.serialize().subarray((root - 1) * 4_096, root * 4_096)
  page.write(mark, 12 + 2 * page.readUInt16BE(3))
  lock.exec('BEGIN IMMEDIATE')
  appender.append(new Map([[root, page]]), db.pragma('page_count', { simple: true }) as number)
  lock.exec('COMMIT')
  appender.close()
}

test('The log stays short while many gaps are overwritten, although nobody else writes', (t) => {
  const path = join(temporaryDirectory(t), 'many.db')
  const db = open(path)
  db.exec('PRAGMA page_size = 512; PRAGMA journal_mode = WAL')
  db.exec('CREATE TABLE entry (key INTEGER PRIMARY KEY, text TEXT) WITHOUT ROWID; CREATE INDEX by_text ON entry (text)')
  const rows =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT random(), hex(randomblob(12)) FROM n'
  db.exec(`INSERT INTO entry ${rows}`)
  db.close()
  const bytes = readFileSync(path)
  let pages = 0
  for (let page = 512; page < bytes.length; page += 512) {
    const [from, to] = [page + 12 + 2 * bytes.readUInt16BE(page + 3), page + bytes.readUInt16BE(page + 5)]
    if (bytes[page] === 0 || from >= to) continue
    bytes.fill(mark, from, to)
    pages++
  }
  writeFileSync(path, bytes)
  const [observer, lock] = [open(path), open(path)]
  const gaps = new Gaps(path)
  t.after(() => {
    for (const each of [gaps, observer, lock]) each.close()
  })

  let longest = 0
  for (let isDone = false; !isDone; longest = Math.max(longest, countFrames(observer))) isDone = step({ gaps, lock })
  gaps.end()
  observer.pragma('wal_checkpoint(TRUNCATE)')

  assert.ok(pages > 30_000 && longest < 20_000, `${longest} frames for ${pages} pages`)
  assert.equal(readFileSync(path).includes(mark), false)
  assert.equal(observer.pragma('integrity_check', { simple: true }), 'ok')
})

test('A file whose pages can be maps, which begin as pages of a b-tree do, is left as it is', (t) => {
  const files = erased(t, randomOf(3), { setting: 'PRAGMA auto_vacuum = FULL' })
  const { db, gaps, path } = files
  db.pragma('wal_checkpoint(TRUNCATE)')
  const before = readFileSync(path)

  while (!step(files));
  gaps.end()

  assert.equal(readFileSync(`${path}-wal`).length, 0)
  assert.deepEqual(readFileSync(path), before)
})
