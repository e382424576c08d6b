import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Migration, migrate } from '../../src/store/migrate.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { temporaryDirectory } from '../support/directory.ts'

const schema1 = 'CREATE TABLE note (text TEXT NOT NULL) STRICT'
const schema3 = 'CREATE TABLE note (text TEXT NOT NULL, color TEXT, size INTEGER) STRICT'
const steps: Migration[] = [
  { version: 2, sql: 'ALTER TABLE note ADD COLUMN color TEXT' },
  { version: 3, sql: 'ALTER TABLE note ADD COLUMN size INTEGER' },
]
const failing: Migration[] = [steps[0]!, { version: 3, sql: `${steps[1]!.sql}; INSERT INTO nowhere VALUES (1)` }]

interface File {
  path: string
  open(): Connection
}

/** A database file that does not exist yet. Its connections are closed when the test ends. */
function file(t: TestContext): File {
  const path = join(temporaryDirectory(t), 'kontor.db')
  return {
    path,
    open() {
      const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })
      t.after(() => db.close())
      return db
    },
  }
}

/** Creates a database of the first schema with one note. */
function oldFile(t: TestContext): File & { db: Connection } {
  const made = file(t)
  const db = made.open()
  migrate(db, schema1, [])
  db.exec("INSERT INTO note VALUES ('kept')")
  return { ...made, db }
}

function versionOf(db: Connection): unknown {
  return db.pragma('user_version', { simple: true })
}

function columnsOf(db: Connection): unknown[] {
  return db.prepare("SELECT name FROM pragma_table_info('note')").pluck().all()
}

test('A new database is created from the schema and has the version of the last step', (t) => {
  const db = file(t).open()

  migrate(db, schema3, steps)

  assert.equal(versionOf(db), 3)
  assert.deepEqual(columnsOf(db), ['text', 'color', 'size'])
})

test('Without steps, the version of a new database is 1', (t) => {
  const db = file(t).open()

  migrate(db, schema1, [])

  assert.equal(versionOf(db), 1)
})

test('A database of the newest schema is not changed', (t) => {
  const { db, path } = oldFile(t)

  migrate(db, 'CREATE TABLE never (x)', [])

  assert.deepEqual(db.prepare('SELECT text FROM note').pluck().all(), ['kept'])
  assert.ok(!existsSync(`${path}.v1.bak`))
})

test('An older database is upgraded by the missing steps and keeps its content', (t) => {
  const { db } = oldFile(t)

  migrate(db, schema3, steps.slice(0, 1))
  migrate(db, schema3, steps)

  assert.equal(versionOf(db), 3)
  assert.deepEqual(columnsOf(db), ['text', 'color', 'size'])
  assert.deepEqual(db.prepare('SELECT text FROM note').pluck().all(), ['kept'])
})

test('Before an upgrade, the database is copied to a file next to it', (t) => {
  const { db, path } = oldFile(t)

  migrate(db, schema3, steps)

  const copy = openConnection(`${path}.v1.bak`, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  t.after(() => copy.close())
  assert.deepEqual(columnsOf(copy), ['text'])
  assert.deepEqual(copy.prepare('SELECT text FROM note').pluck().all(), ['kept'])
  assert.doesNotThrow(() => migrate(copy, schema1, []), 'the copy can be put back')
})

test('A step that fails halfway leaves the old database unchanged and usable', (t) => {
  const { db, open } = oldFile(t)

  assert.throws(() => migrate(db, schema3, failing), /nowhere/)

  assert.equal(versionOf(db), 1)
  assert.deepEqual(columnsOf(db), ['text'])
  const again = open()
  migrate(again, schema1, [])
  again.exec("INSERT INTO note VALUES ('more')")
  assert.deepEqual(db.prepare('SELECT text FROM note').pluck().all(), ['kept', 'more'])
})

test('A schema that fails halfway creates nothing', (t) => {
  const db = file(t).open()

  assert.throws(() => migrate(db, `${schema1}; INSERT INTO nowhere VALUES (1)`, []), /nowhere/)

  assert.equal(versionOf(db), 0)
  migrate(db, schema1, [])
  assert.deepEqual(columnsOf(db), ['text'])
})

test('An upgrade that failed can be repeated, and replaces its backup', (t) => {
  const { db, path } = oldFile(t)
  writeFileSync(`${path}.v1.bak`, 'of the upgrade that failed')
  writeFileSync(`${path}.v1.bak.unfinished`, 'of a backup that a crash cut short')

  migrate(db, schema3, steps)

  const copy = openConnection(`${path}.v1.bak`, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  assert.deepEqual([versionOf(copy), versionOf(db)], [1, 3])
  assert.ok(!existsSync(`${path}.v1.bak.unfinished`))
  copy.close()
})

test('If the database cannot be copied, it is not upgraded, and nothing of the copy takes up space', (t) => {
  const { db, path } = oldFile(t)
  mkdirSync(`${path}.v1.bak`)

  assert.throws(
    () => migrate(db, schema3, steps),
    /^OperatorError: Cannot copy the database to .*\.v1\.bak before the upgrade/,
  )

  assert.equal(versionOf(db), 1)
  assert.deepEqual(readdirSync(dirname(path)).sort(), ['kontor.db', 'kontor.db.v1.bak'])
})

test('A step may rebuild a table that others refer to, but must not leave a reference without its record', (t) => {
  const { open } = file(t)
  const db = open()
  const tables = `CREATE TABLE parent (id INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1);
    CREATE TABLE child (parent_id REFERENCES parent (id)); INSERT INTO child VALUES (1)`
  migrate(db, tables, [])
  const rebuild = `CREATE TABLE made (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO made (id) SELECT id FROM parent;
    DROP TABLE parent; ALTER TABLE made RENAME TO parent`

  migrate(db, tables, [{ version: 2, sql: rebuild }])
  const orphan = () =>
    migrate(db, tables, [
      { version: 2, sql: rebuild },
      { version: 3, sql: 'DELETE FROM parent' },
    ])

  assert.throws(orphan, /reference without its record/)
  assert.deepEqual([versionOf(db), db.pragma('foreign_keys', { simple: true })], [2, 1])
})

test('A database of a newer program is refused with a message that says what to do', (t) => {
  const { open } = file(t)
  const db = open()
  migrate(db, schema3, steps)

  const downgrade = () => migrate(db, schema1, [])

  const message =
    /written by a newer Kontor \(schema 3; this program supports up to 1\): run that version or a later one/
  assert.throws(downgrade, { name: 'OperatorError', message })
  assert.equal(versionOf(db), 3)
})

test('A database of another program is refused and not changed', (t) => {
  const db = file(t).open()
  db.exec('CREATE TABLE theirs (x)')

  const takeover = () => migrate(db, schema1, [])

  assert.throws(takeover, { name: 'OperatorError', message: /is the database of another program/ })
  assert.deepEqual(db.prepare('SELECT name FROM sqlite_schema').pluck().all(), ['theirs'])
})

test('A file that is not a database is refused with its path and the remedy', (t) => {
  const { path, open } = file(t)
  writeFileSync(path, 'This is a letter to my aunt, and a rather long one at that. '.repeat(100))
  const remedy = 'restore a backup with "kontor restore", which keeps this file'

  assert.throws(open, { name: 'OperatorError', message: `${path} is not a database: ${remedy}.` })
})
