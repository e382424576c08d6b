import { hasKeysToFold } from './fold-keys.ts'
import type { Migration } from './migrate.ts'
import { type Connection, openConnection } from './open.ts'

/** The newest schema, and the steps to it from every earlier one. */
export interface Schema {
  schema: string
  steps: readonly Migration[]
}

/** A table, index, trigger or view, with its definition as SQLite stores it. */
interface Entry {
  type: string
  name: string
  sql: string
}

/** The tokens of each definition, by type and name: `trigger contact_insert`. */
type Shape = ReadonlyMap<string, string>

/** Tables that SQLite's ANALYZE and Litestream create, as they define them. */
const tolerated: Readonly<Record<string, string>> = {
  'table sqlite_stat1': 'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'table sqlite_stat4': 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
  'table _litestream_seq': 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)',
  'table _litestream_lock': 'CREATE TABLE _litestream_lock (id INTEGER)',
}

/**
 * Compares the definitions in a database with the schema of its version. Returns one sentence per difference: a trigger or view
 * from elsewhere would act as part of Kontor. The definitions of an older version are upgraded in memory and then compared.
 */
export function findDifferences(db: Connection, { schema, steps }: Schema): string[] {
  const version = db.pragma('user_version', { simple: true }) as number
  const due = dueOf(db, version, steps)
  if (due.length === 0 && isVerbatim(db, schema)) return []
  const newest = inMemory((fresh) => {
    fresh.exec(schema)
    return shapeOf(fresh)
  })
  if (due.length === 0) return differences(shapeOf(db), newest)
  return inMemory((copy) => {
    const [virtual, others] = [true, false].map((is) =>
      entriesOf(db).filter(({ sql }) => (tokensOf(sql)[1] === 'VIRTUAL') === is),
    )
    const strange = [...virtual!, ...others!].filter((entry) => !copyEntry(entry, copy))
    const found = [...strange.map((entry) => notOurs(nameOf(entry))), ...differences(shapeOf(db), shapeOf(copy))]
    return found.length > 0 ? found : upgraded(copy, due, newest)
  })
}

/** Whether the definitions are the statements of the schema to the letter, as in a database that was created from it. Takes a tenth of the time of a comparison. */
function isVerbatim(db: Connection, schema: string): boolean {
  const internal = inMemory((fresh) => {
    for (const sql of schema.match(/^CREATE VIRTUAL TABLE [^;]+;/gm) ?? []) fresh.exec(sql)
    return shapeOf(fresh)
  })
  const entries = entriesOf(db)
  const own = entries.filter(
    (entry) =>
      schema.includes(`${entry.sql};`) && created.exec(entry.sql)?.slice(1).join(' ').toLowerCase() === nameOf(entry),
  )
  return (
    own.length === schema.match(/^CREATE /gm)?.length &&
    entries.every((entry) => own.includes(entry) || internal.get(nameOf(entry)) === textOf(entry.sql))
  )
}

const created = /^CREATE (?:UNIQUE |VIRTUAL )?(TABLE|INDEX|TRIGGER|VIEW) (\w+)/

/** The statements that an upgrade of the database still has to run. */
function dueOf(db: Connection, version: number, steps: readonly Migration[]): string[] {
  const missing = steps.filter((step) => step.version > version)
  const unfinished = version > 0 && hasKeysToFold(db) ? steps.filter((step) => step.version <= version) : []
  return [...missing.map(({ sql }) => sql), ...[...unfinished, ...missing].flatMap(({ afterKeys = [] }) => afterKeys)]
}

function upgraded(copy: Connection, due: readonly string[], newest: Shape): string[] {
  try {
    copy.pragma('foreign_keys = OFF')
    for (const sql of due) copy.exec(sql)
    return differences(shapeOf(copy), newest)
  } catch (error) {
    return [`its schema cannot be upgraded: ${(error as Error).message}`]
  }
}

function inMemory<T>(run: (db: Connection) => T): T {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  try {
    return run(db)
  } finally {
    db.close()
  }
}

function entriesOf(db: Connection): Entry[] {
  const columns = ['type', 'name', 'sql'].map((column) => `CAST(${column} AS TEXT) AS ${column}`) // another program may store bytes
  const sql = `SELECT ${columns} FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`
  const entries = db.prepare(sql).all() as Entry[]
  return entries.filter((entry) => {
    const known = tolerated[nameOf(entry)]
    return known === undefined || textOf(known) !== textOf(entry.sql)
  })
}

function shapeOf(db: Connection): Shape {
  return new Map(entriesOf(db).map((entry) => [nameOf(entry), textOf(entry.sql)]))
}

function nameOf({ type, name }: Entry): string {
  return `${type} ${name}`
}

function differences(found: Shape, expected: Shape): string[] {
  const unexpected = [...found.keys()].filter((name) => !expected.has(name)).map(notOurs)
  const missing = [...expected.keys()].filter((name) => !found.has(name)).map((name) => `the ${name} is missing`)
  const changed = [...found].filter(([name, tokens]) => expected.has(name) && expected.get(name) !== tokens)
  return [...unexpected, ...missing, ...changed.map(([name]) => `the ${name} differs from Kontor's`)]
}

function notOurs(name: string): string {
  return `the ${name} is not Kontor's`
}

/** Creates an entry in `to`. Returns false if its text is not a plain definition. The internal tables of a virtual table exist already. */
function copyEntry({ name, sql }: Entry, to: Connection): boolean {
  if (to.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name)) return true
  const [create, kind, , next] = tokensOf(sql)
  if (create !== 'CREATE' || (kind === 'TABLE' && next !== '(')) return false
  try {
    to.prepare(sql).run()
    return true
  } catch {
    return false
  }
}

/** Characters. Kontor's definitions are shorter, and an expression has no room for strings of millions. */
const definitionMax = 2 ** 17

// As SQLite reads it: a comment ends at a line feed only, and every character beyond ASCII is part of a name.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$\x80-\uffff]+|[^ \t\n\f\r]/g

/** Returns the tokens without comments, and names without quotes. Kontor's names are lower case: another word in quotes may be a keyword without. */
function tokensOf(sql: string): string[] {
  if (sql.length > definitionMax) return [sql]
  const tokens = sql.match(token) ?? []
  return tokens.filter((each) => !/^(?:--|\/\*)/.test(each)).map((each) => /^"([a-z\d_]+)"$/.exec(each)?.[1] ?? each)
}

function textOf(sql: string): string {
  return tokensOf(sql).join(' ')
}
