import { fold, phoneKey } from '../lib/text.ts'
import type { Connection } from './open.ts'

// Rewrites the keys of an older database, which had accents, after schema version 6 has been reached (decision J2).

/** Tells the operator what takes so long. */
export type Tell = (message: string, fields: Record<string, unknown>) => void

interface Keyed {
  table: string
  /** The columns of its primary key. */
  ids: readonly string[]
  texts: readonly string[]
  keyOf: (text: string) => string
  /** Whether no trigger marks a changed row for the search index. */
  unmarked?: boolean
}

/** `<text>_key` is the key of each text. Those of email addresses and currencies are ASCII and stay as they are. */
const tables: readonly Keyed[] = [
  { table: 'user', ids: ['id'], texts: ['full_name'], keyOf: fold },
  { table: 'api_key', ids: ['id'], texts: ['name'], keyOf: fold },
  recordsOf('organization', ['name', 'organization_type', 'city', 'country', 'domain']),
  recordsOf('contact', ['first_name', 'last_name', 'job_title']),
  {
    table: 'contact_phone',
    ids: ['workspace_id', 'contact_id', 'id'],
    texts: ['phone_number'],
    keyOf: phoneKey,
  },
  recordsOf('stage', ['name']),
  recordsOf('deal', ['title']),
  recordsOf('task', ['title']),
  { ...recordsOf('activity', ['subject']), unmarked: true },
]

function recordsOf(table: string, texts: readonly string[]): Keyed {
  return { table, ids: ['workspace_id', 'id'], texts, keyOf: fold }
}

const setting = 'keys_to_fold'
const batchRows = 2_000
/** The log of the database grows by a few MiB per batch. */
const checkpointEvery = 8
const tellEveryMs = 5_000
/** Measured on a busy machine: rows per second when every key changes, with the creation of the indexes. */
const rowsPerSecond = 10_000

/** The rows before it have new keys. */
interface Place {
  /** The index in `tables`. */
  table: number
  /** The key of the last row; empty: none yet. */
  after: (string | number)[]
}

/** Whether an upgrade to version 6 was interrupted before all keys were rewritten. */
export function hasKeysToFold(db: Connection): boolean {
  const settings = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'setting'").get()
  return settings !== undefined && placeOf(db) !== undefined
}

/** Rewrites the remaining keys, a batch per transaction, and then runs `indexes`. The caller has the lock of the directory. */
export function foldKeys(db: Connection, indexes: readonly string[], tell: Tell): void {
  if (!hasKeysToFold(db)) return
  const rows = countRows(db)
  const began = performance.now()
  tell('rewriting sort keys and search text, once, for case- and accent-insensitive lists', {
    rows,
    about_seconds: Math.ceil(rows / rowsPerSecond),
  })
  let told = began
  let done = 0
  const batch = db.transaction(foldBatch)
  for (let batches = 1; ; batches++) {
    const read = batch.immediate(db)
    if (read === undefined) break
    done += read
    if (batches % checkpointEvery === 0) db.pragma('wal_checkpoint(PASSIVE)')
    if (performance.now() - told < tellEveryMs) continue
    told = performance.now()
    const remaining = ((told - began) / done) * Math.max(rows - done, 0)
    tell('rewriting sort keys', { rows, rewritten: done, about_seconds: Math.ceil(remaining / 1_000) })
  }
  tell('creating the indexes of sort keys', { indexes: indexes.length })
  for (const sql of indexes) {
    db.exec(sql)
    db.pragma('wal_checkpoint(PASSIVE)')
  }
  db.prepare('DELETE FROM setting WHERE name = ?').run(setting)
  tell('rewrote sort keys', { seconds: Math.round((performance.now() - began) / 1_000) })
}

/** Rewrites the keys of the next rows. Returns how many rows it has read; undefined if there are no more. */
function foldBatch(db: Connection): number | undefined {
  const place = placeOf(db)
  const keyed = place && tables[place.table]
  if (!keyed) return undefined
  const rows = nextRows(db, keyed, place.after)
  const statements = new Map<string, Statement>()
  const run: Run = (sql, values) => {
    const statement = statements.get(sql) ?? db.prepare<SqlValue[]>(sql)
    statements.set(sql, statement)
    statement.run(...values)
  }
  for (const row of rows) foldRow(keyed, row, run)
  const last = rows.at(-1)
  const isEnd = rows.length < batchRows
  moveTo(
    db,
    isEnd || !last ? { table: place.table + 1, after: [] } : { ...place, after: keyed.ids.map((id) => last[id]!) },
  )
  return rows.length
}

type SqlValue = string | number | null
type Row = Record<string, SqlValue>
type Statement = { run: (...values: SqlValue[]) => unknown }
type Run = (sql: string, values: SqlValue[]) => void

function nextRows(db: Connection, { table, ids, texts }: Keyed, after: Place['after']): Row[] {
  const place = ids.join(', ')
  const marks = ids.map(() => '?').join(', ')
  const columns = [...ids, ...texts, ...texts.map((text) => `${text}_key`)].join(', ')
  const from = after.length === 0 ? '' : `WHERE (${place}) > (${marks})`
  const sql = `SELECT ${columns} FROM ${table} ${from} ORDER BY ${place} LIMIT ${batchRows}`
  return db.prepare(sql).all(...after) as Row[]
}

function foldRow({ table, ids, texts, keyOf, unmarked }: Keyed, row: Row, run: Run): void {
  const changed = texts.flatMap((text) => {
    const key = row[text] === null ? null : keyOf(String(row[text]))
    return row[`${text}_key`] === key ? [] : [{ column: `${text}_key`, key }]
  })
  if (changed.length === 0) return
  const set = changed.map(({ column }) => `${column} = ?`).join(', ')
  const where = ids.map((id) => `${id} = ?`).join(' AND ')
  const values = [...changed.map(({ key }) => key), ...ids.map((id) => row[id]!)]
  run(`UPDATE ${table} SET ${set} WHERE ${where}`, values)
  if (!unmarked) return
  run('INSERT OR IGNORE INTO search_pending VALUES (?, ?, ?)', [row.workspace_id!, table, row.id!])
}

function placeOf(db: Connection): Place | undefined {
  const text = db.prepare('SELECT value FROM setting WHERE name = ?').pluck().get(setting)
  return text === undefined ? undefined : JSON.parse(String(text))
}

function moveTo(db: Connection, place: Place): void {
  db.prepare('UPDATE setting SET value = ? WHERE name = ?').run(JSON.stringify(place), setting)
}

function countRows(db: Connection): number {
  const counts = tables.map(({ table }) => `(SELECT count(*) FROM ${table})`)
  return db
    .prepare(`SELECT ${counts.join(' + ')}`)
    .pluck()
    .get() as number
}
