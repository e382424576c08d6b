import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../../src/features/index.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openConnection } from '../../src/store/open.ts'
import { columnsFor, ddlOf, isView, membersOf, stored } from './ddl.ts'

const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
db.exec(schemaSql)

test('schema.sql has the version of the last migration', () => {
  assert.equal(Number(/\d+/.exec(schemaSql)?.[0]), migrations.at(-1)!.version)
})

interface Column {
  name: string
  pk: number
}

/** Tables that only `access` uses: their rows are found before the workspace is known. */
const aboveWorkspaces = ['api_key']

function columnsOf(table: string): Column[] {
  return db.prepare('SELECT name, pk FROM pragma_table_xinfo(?)').all(table) as Column[]
}

/** The text of an object in the schema. */
function sqlOf(name: string): string {
  const sql = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name)
  return sql === undefined ? '' : normal(String(sql))
}

/** SQL without comments, with the least white space. */
function normal(sql: string): string {
  const oneLine = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')
  return oneLine.replaceAll('( ', '(').replaceAll(' )', ')').replace(/;$/, '')
}

/** The columns and constraints of a table as texts, which its outermost commas separate. */
function entriesOf(table: string): string[] {
  const entries = ['']
  let depth = 0
  for (const char of table.slice(table.indexOf('(') + 1, table.lastIndexOf(')'))) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === ',' && depth === 0) entries.push('')
    else entries[entries.length - 1] += char
  }
  return entries.map((entry) => entry.trim())
}

/** Fails unless the table has the columns of its definition in order, its constraints in any order, and no more except further constraints. */
function assertTable(name: string, wanted: string): void {
  const isWanted = new Set(entriesOf(wanted))
  const isConstraint = (entry: string) => entry.startsWith('CONSTRAINT ')
  const ordered = (entries: string[]) => [
    ...entries.filter((entry) => !isConstraint(entry)),
    ...entries.filter(isConstraint).sort(),
  ]
  const entries = entriesOf(sqlOf(name)).filter((entry) => isWanted.has(entry) || !isConstraint(entry))
  assert.deepEqual(ordered(entries), ordered([...isWanted]))
}

function assertObject(statement: string): void {
  const [, unique = '', kind, name] = /^CREATE (UNIQUE )?(TABLE|INDEX|TRIGGER) (\w+)/.exec(statement)!
  if (kind === 'TABLE') assertTable(name!, statement)
  else if (kind === 'INDEX' && !unique && sqlOf(name!) === '') {
    // A unique index over the same columns is also accepted.
    const stronger = statement.replace(/^CREATE INDEX (\w+)/, 'CREATE UNIQUE INDEX $1_unique')
    assert.equal(sqlOf(`${name}_unique`), stronger)
  } else assert.equal(sqlOf(name!), statement)
}

for (const resource of stored) {
  test(`schema.sql matches the definition of ${resource.name} (npm run ddl ${resource.name})`, () => {
    for (const statement of ddlOf(resource)) assertObject(normal(statement))
  })

  test(`schema.sql has no triggers of ${resource.name} other than those of its definition`, () => {
    const tables = [resource.name, ...Object.values(resource.collections).map(({ table }) => table)]
    const wanted = ddlOf(resource).flatMap((statement) => /^CREATE TRIGGER (\w+)/.exec(statement)?.[1] ?? [])

    assert.deepEqual(tables.flatMap(triggersOf).sort(), wanted.sort())
  })
}

function triggersOf(table: string): unknown[] {
  return db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?").pluck().all(table)
}

for (const resource of resources.filter(isView)) {
  test(`The view ${resource.table} has the columns that lists and references of ${resource.name} use`, () => {
    const names = columnsOf(resource.table).map(({ name }) => name)
    const fields = columnsFor(resource.columns).map(([name]) => name!)

    for (const name of ['workspace_id', 'id', ...fields, 'deleted_at', 'record']) assert.ok(names.includes(name), name)
    const record = `json_object('id', ${resource.name}.id, ${membersOf(resource).join(', ')})`
    assert.ok(sqlOf(resource.table).includes(record), record)
  })
}

test('The engine does not delete rows that another module writes', () => {
  for (const { storage, operations } of resources) assert.ok(!storage || !operations.includes('delete'))
})

const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
const workspaceTables = tables.filter(
  (table) => !aboveWorkspaces.includes(table) && columnsOf(table).some(({ name }) => name === 'workspace_id'),
)

test('The tables of a workspace are those of resources and collections, and the internal tables of the engine', () => {
  const defined = stored.flatMap(({ name, collections, links, idLists }) => [
    name,
    ...[...Object.values(collections), ...Object.values(links), ...Object.values(idLists)].map(({ table }) => table),
  ])

  const internal = [
    'bulk_batch',
    'bulk_result',
    'proposal',
    'change',
    'content_claim',
    'erased_message',
    'content_removal',
    'field_index',
    'field_choice',
    'field_value',
    'idempotent_answer',
    'idempotent_user_answer',
    'log_reader',
    'mail_log',
    'mail_reference',
    'mail_source_state',
    'mail_unmatched',
    'record_count',
    'search_pending',
    'search_start',
    'stored_bytes',
    'trash',
    'value_count',
    'webhook_delivery',
    'webhook_state',
  ]
  assert.deepEqual(workspaceTables.toSorted(), [...defined, ...internal].sort())
})

const viewed = resources.filter(isView).map(({ name }) => name)

function firstKeyColumn(table: string): string {
  return columnsOf(table).find(({ pk }) => pk === 1)!.name
}

for (const table of workspaceTables) {
  test(`Every key, index and reference of ${table} begins with workspace_id`, () => {
    const indexes = `SELECT il.name, ii.name AS first FROM pragma_index_list(?) AS il, pragma_index_info(il.name) AS ii
      WHERE ii.seqno = 0`
    const references = `SELECT "table" AS name, "from" AS first FROM pragma_foreign_key_list(?) WHERE seq = 0`

    const first = [indexes, references].flatMap(
      (sql) => db.prepare(sql).all(table) as { name: string; first: string }[],
    )

    assert.equal(firstKeyColumn(table), 'workspace_id')
    assert.ok(first.length > 1)
    const ofWorkspace = first.filter(({ name }) => !viewed.includes(name))
    for (const each of ofWorkspace) assert.equal(each.first, 'workspace_id', each.name)
  })
}

test('Every table is STRICT, and every constraint has a name', () => {
  const ordinary =
    "SELECT sql FROM sqlite_schema JOIN pragma_table_list USING (name) WHERE pragma_table_list.type = 'table'"
  const tableSql = db.prepare(`${ordinary} AND name NOT LIKE 'sqlite%'`).pluck().all() as string[]

  for (const sql of tableSql) {
    assert.match(sql, /\) STRICT(, WITHOUT ROWID)?$/)
    assert.doesNotMatch(sql, /^\s*(?:PRIMARY KEY|FOREIGN KEY|UNIQUE|CHECK)/m)
  }
})
