import assert from 'node:assert/strict'
import { copyFileSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { DatabaseFile } from '../../src/cluster/database-file.ts'
import { WalReader } from '../../src/cluster/wal-reader.ts'
import { WalWriter } from '../../src/cluster/wal-writer.ts'
import { countFrames } from '../../src/store/durability.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type Random, randomOf } from '../support/random.ts'

const figures = `SELECT json_array((SELECT count(*) FROM text), (SELECT total(length(value) + id) FROM text),
  (SELECT count(*) FROM bytes), (SELECT total(length(value)) FROM bytes))`

interface Pair {
  source: Database.Database
  copy: Database.Database
  reader: WalReader
  writer: WalWriter
  path: string
  /** Copies what was committed since the last call. */
  ship(position: number): void
}

function pair(t: TestContext): Pair {
  const directory = temporaryDirectory(t)
  const [from, path] = [join(directory, 'source.db'), join(directory, 'copy.db')]
  const source = open(t, from)
  source.pragma('journal_mode = WAL')
  source.exec('CREATE TABLE text (id INTEGER PRIMARY KEY, value); CREATE INDEX by_value ON text (value)')
  source.exec('CREATE TABLE bytes (value)')
  source.pragma('wal_checkpoint(TRUNCATE)')
  copyFileSync(from, path)
  const first = new DatabaseFile(path).firstPage()
  const copy = open(t, path)
  const writer = new WalWriter(path, first)
  const reader = new WalReader(from)
  t.after(() => {
    writer.close()
    reader.close()
  })
  return {
    ...{ source, copy, reader, writer, path },
    ship(position) {
      writer.apply(reader.readTo(countFrames(source))!, position)
    },
  }
}

function open(t: TestContext, path: string): Database.Database {
  const db = new Database(path, { timeout: 0 })
  db.pragma('wal_autocheckpoint = 0')
  db.exec('SELECT 1 FROM sqlite_schema')
  t.after(() => db.close())
  return db
}

function figuresOf(db: Database.Database): unknown {
  return db.prepare(figures).pluck().get()
}

function change(db: Database.Database, random: Random): void {
  db.transaction(() => {
    for (let left = random.below(40); left >= 0; left--) {
      const draw = random.below(20)
      if (draw < 12)
        db.prepare('INSERT INTO text (value) VALUES (?)').run(`${'x'.repeat(random.below(400))}${random.below(1e9)}`)
      else if (draw < 16) db.prepare('DELETE FROM text WHERE id % 7 = ?').run(random.below(7))
      else if (draw < 19) db.prepare('INSERT INTO bytes VALUES (zeroblob(?))').run(random.below(30_000))
      else db.exec('DELETE FROM bytes')
    }
  })()
}

test('A copy that gets the pages of every commit is the same database after each of them, whatever either side checkpoints', (t) => {
  const { source, copy, ship, path } = pair(t)
  const random = randomOf(7)
  const watcher = open(t, path)
  for (let position = 1; position <= 600; position++) {
    for (let commits = random.below(3); commits >= 0; commits--) change(source, random)
    source.exec(`INSERT INTO bytes VALUES (${position})`)
    if (position % 20 === 0) watcher.exec('BEGIN')
    const before = position % 20 === 0 && figuresOf(watcher)
    ship(position)
    assert.equal(figuresOf(copy), figuresOf(source), `after ${position}`)
    if (position % 20 === 0) {
      assert.equal(figuresOf(watcher), before, 'a transaction that was reading sees what it saw')
      watcher.exec('COMMIT')
    }
    if (random.below(20) === 0) source.pragma('wal_checkpoint(PASSIVE)')
    if (random.below(20) === 0) copy.pragma(`wal_checkpoint(${random.pick(['PASSIVE', 'RESTART', 'TRUNCATE'])})`)
  }
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
})

test('A commit of more pages than a block of the index holds is copied whole', (t) => {
  const { source, copy, ship } = pair(t)
  source.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO bytes SELECT zeroblob(5000) FROM n`,
  )
  ship(1)
  source.exec('INSERT INTO text (value) VALUES (1)')
  ship(2)

  assert.equal(figuresOf(copy), figuresOf(source))
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
})

test('A follower that failed again and again before its entry was complete, as on a full disk, writes it in the end', (t) => {
  const { source, copy, reader, writer, path, ship } = pair(t)
  source.exec('INSERT INTO text (value) VALUES (1)')
  ship(1)
  source.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO bytes SELECT zeroblob(4000) FROM n`,
  )
  const log = countFrames(source)
  const entry = reader.readTo(log)!
  const index = openSync(`${path}-shm`, 'r+') // never closed: that would end SQLite's locks
  const header = Buffer.alloc(96)
  readSync(index, header, 0, header.length, 0)

  for (let attempt = 0; attempt < 40; attempt++) {
    writer.apply(entry, 2)
    writeSync(index, header, 0, header.length, 0) // the pages are in the index, and its header says that they are not
  }
  writer.apply(entry, 2)

  assert.equal(figuresOf(copy), figuresOf(source))
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
})

test('The position is kept with the pages: another process that opens the copy after a crash finds both', (t) => {
  const { source, writer, ship, path } = pair(t)
  change(source, randomOf(1))
  source.exec("INSERT INTO text (value) VALUES ('last')")
  ship(41)
  writer.mark(42)
  const elsewhere = join(temporaryDirectory(t), 'crashed.db')
  copyFileSync(path, elsewhere)
  copyFileSync(`${path}-wal`, `${elsewhere}-wal`)

  assert.equal(new DatabaseFile(elsewhere).position(), 42)
  const recovered = open(t, elsewhere)
  assert.equal(figuresOf(recovered), figuresOf(source))
})

test('A commit that begins the log anew while it is looked for is read', (t) => {
  const { source, reader } = pair(t)
  const frames = () => countFrames(source)
  const insert = () => source.exec("INSERT INTO text (value) VALUES ('next')")
  for (let commits = 0; commits < 5; commits++) insert()
  reader.readTo(frames())
  source.pragma('wal_checkpoint(PASSIVE)')
  let isFirst = true
  const read = reader.readNew(() => {
    const counted = frames()
    if (isFirst) insert()
    isFirst = false
    return counted
  })

  assert.equal(read?.end.frames, frames())
})

test('A frame that has changed on disk is never shipped', (t) => {
  const { source, reader } = pair(t)
  source.exec("INSERT INTO text (value) VALUES ('first')")
  const log = countFrames(source)
  const wal = `${source.name}-wal`
  const fd = openSync(wal, 'r+')
  const at = readFileSync(wal).length - 100
  writeSync(fd, Buffer.from([1 + readFileSync(wal)[at]!]), 0, 1, at)

  assert.throws(() => reader.readTo(log), /does not hold what was committed/)
})
