import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkJob } from '../../src/crm/bulk-job.ts'
import { resources } from '../../src/crm/index.ts'
import { isCreation } from '../../src/engine/definition/columns.ts'
import type { Collection, Field, Resource } from '../../src/engine/definition/define.ts'
import { textFilter } from '../../src/engine/list/filters.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { openConnection } from '../../src/store/open.ts'

const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
db.exec(schemaSql)

/** What the engine stores: the resources, and what is one but for its routes. */
const stored: readonly Resource[] = [...resources, bulkJob]

interface Column {
  name: string
  type: string
  notnull: number
  hidden: number
  pk: number
}

/** Tables that only the access rooms use: their rows are found before the workspace is known. */
const aboveWorkspaces = ['api_key']

const required = (name: string, type = 'TEXT') => ({ name, type, notnull: 1 })

/** The columns that fields need, in order, each with its key behind it. */
function columnsFor(fields: Readonly<Record<string, Field>>) {
  return Object.values(fields).flatMap(({ name, sqlType, nullable, keyed, key, keyColumn }) => {
    const notnull = nullable ? 0 : 1
    return [{ name, type: sqlType, notnull }, ...(keyed ? [{ name: keyColumn, type: key!.sqlType, notnull }] : [])]
  })
}

/** What no answer shows stands behind the rest. */
function unshownOf({ stored, columns }: Resource): Record<string, Field> {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !Object.hasOwn(columns, name)))
}

function columnsOf(table: string): Column[] {
  return db.prepare('SELECT * FROM pragma_table_xinfo(?)').all(table) as Column[]
}

function shapeOf(table: string) {
  const stored = columnsOf(table).filter(({ hidden }) => hidden === 0)
  return stored.map(({ name, type, notnull }) => ({ name, type, notnull }))
}

function primaryKeyOf(table: string): string[] {
  const keys = columnsOf(table).filter(({ pk }) => pk > 0)
  return keys.sort((a, b) => a.pk - b.pk).map(({ name }) => name)
}

const plain = (sql: string) => sql.replace(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')')

function sqlOf(table: string): string {
  return db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) as string
}

/** Fails unless each kind of field that has rules of its own has them in the table, too. */
function assertChecks(table: string, fields: Readonly<Record<string, Field>>): void {
  const sql = sqlOf(table)
  for (const { name, kind, filter } of Object.values(fields)) {
    const check = new RegExp(`CONSTRAINT ${table}_${name} CHECK \\((.*)\\)(?:,|\\n)`).exec(sql)?.[1]
    const words = filter?.expected.replace('one of: ', '').split(', ') ?? []
    if (kind === 'choice') assert.equal(check, `${name} IN (${words.map((word) => `'${word}'`).join(', ')})`)
    if (kind === 'flag') assert.equal(check, `${name} IN (0, 1)`)
    if (kind === 'position') assert.equal(check, `${name} >= 0`)
    if (kind === 'metadata') assert.equal(check, `json_type(${name}) = 'object'`)
  }
}

function assertReferences(table: string, fields: Readonly<Record<string, Field>>): void {
  for (const { name, target } of Object.values(fields)) {
    if (!target) continue
    const [from, to] = isView(target)
      ? [name, `${target.name} (id)`]
      : [`workspace_id, ${name}`, `${target.name} (workspace_id, id)`]
    const key = `CONSTRAINT ${table}_${name}_fk FOREIGN KEY (${from}) REFERENCES ${to}`
    assert.ok(sqlOf(table).includes(key), key)
  }
}

/** Served from a view: users belong to companies, not workspaces, and the view says which workspace sees them. */
const isView = ({ name, table }: Resource) => table !== name

/** The expression of `record`, as the definition asks for it. */
function recordOf({ columns }: Resource): string {
  const members = Object.values(columns).map(({ name, json }) => `'${name}', ${json(name)}`)
  return `json_object('id', id, ${members.join(', ')})`
}

const viewed = resources.filter(isView).map(({ name }) => name)

for (const resource of resources.filter(isView)) {
  test(`The view ${resource.table} has what lists and references ask of ${resource.name}`, () => {
    const names = columnsOf(resource.table).map(({ name }) => name)
    const needed = [
      'workspace_id',
      'id',
      ...columnsFor(resource.columns).map(({ name }) => name),
      'deleted_at',
      'record',
    ]
    const members = Object.values(resource.columns).map(({ name, json }) => `'${name}', ${json(name)}`)

    for (const name of needed) assert.ok(names.includes(name), name)
    assert.ok(plain(sqlOf(resource.table)).includes(`json_object('id', ${resource.name}.id, ${members.join(', ')})`))
  })
}

test('Rows that another room keeps are not deleted by the engine', () => {
  for (const { storage, operations } of resources) assert.ok(!storage || !operations.includes('delete'))
})

for (const resource of stored.filter((each) => !isView(each))) {
  test(`The table ${resource.name} has the columns of its definition, in its order`, () => {
    const expected = [required('workspace_id', 'INTEGER'), required('id'), ...columnsFor(resource.columns)]

    const deletedAt = { name: 'deleted_at', type: 'TEXT', notnull: 0 }
    assert.deepEqual(shapeOf(resource.name), [...expected, deletedAt, ...columnsFor(unshownOf(resource))])
    assert.deepEqual(primaryKeyOf(resource.name), ['workspace_id', 'id'])
  })

  test(`The table ${resource.name} checks what its definition checks, and refers to what it refers to`, () => {
    assertChecks(resource.name, resource.fields)
    assertReferences(resource.name, resource.fields)
  })

  test(`The record of ${resource.name} is its id and its columns, in the order of the definition`, () => {
    const sql = plain(sqlOf(resource.name))

    const generated = /record TEXT NOT NULL GENERATED ALWAYS AS \((.*?)\) STORED/.exec(sql)?.[1]

    assert.equal(generated, recordOf(resource))
  })

  for (const [name, collection] of Object.entries(resource.collections)) {
    test(`The table of a ${resource.name}'s ${name} has the columns of its definition, in its order`, () => {
      assertCollection(collection, resource)
    })

    test(`The ${name} of a ${resource.name} are marked for the search`, () => {
      const { table, fields } = collection
      const filtered = Object.values(resource.itemFilters).filter((filter) => filter.collection === name)
      assert.deepEqual(triggersOf(table), [`${table}_insert`, `${table}_search_update`])
      assertMarked(
        table,
        filtered.map(({ field }) => fields[field]!.keyColumn),
      )
    })
  }
}

function triggersOf(table: string): unknown[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? ORDER BY name"
  return db.prepare(sql).pluck().all(table)
}

function indexColumns(index: string): unknown[] {
  return db.prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno').pluck().all(index)
}

function searchedKeys({ filters, columns }: Resource): string[] {
  return filters.filter((name) => columns[name]!.filter === textFilter).map((name) => columns[name]!.keyColumn)
}

function assertMarked(table: string, keys: string[]): void {
  assert.ok(sqlOf(`${table}_search_update`).includes(` AFTER UPDATE OF ${keys.join(', ')} ON ${table} `))
  for (const trigger of [`${table}_insert`, `${table}_search_update`]) {
    assert.match(sqlOf(trigger), /INTO search_pending VALUES \(new\.workspace_id, /)
  }
}

for (const resource of stored.filter(({ counted }) => counted)) {
  test(`The records of ${resource.name} are counted as they come and go, and marked for the search`, () => {
    const update = resource.operations.includes('patch') ? [`${resource.name}_search_update`] : []

    assert.deepEqual(triggersOf(resource.name), [`${resource.name}_count_delete`, `${resource.name}_insert`, ...update])
    if (update.length > 0) assertMarked(resource.name, searchedKeys(resource))
  })

  test(`Every field of ${resource.name} that lists filter or sort by has its index, with all that a count asks of it`, () => {
    const names = new Set([...resource.filters, ...resource.sorts])
    for (const field of Object.values(resource.columns)) {
      if (!names.has(field.name) || isCreation(field)) continue
      const text = field.filter === textFilter ? [field.name] : []
      const columns = ['workspace_id', field.keyColumn, 'id', ...text, 'deleted_at']

      assert.deepEqual(indexColumns(`${resource.name}_${field.name}`), columns)
    }
  })
}

function assertCollection({ table, owner, fields }: Collection, resource: Resource): void {
  const ids = [required('workspace_id', 'INTEGER'), required(owner), required('id')]
  const key = `FOREIGN KEY (workspace_id, ${owner}) REFERENCES ${resource.name} (workspace_id, id)`
  assert.deepEqual(shapeOf(table), [...ids, ...columnsFor(fields)])
  assert.deepEqual(primaryKeyOf(table), ['workspace_id', owner, 'id'])
  assert.ok(sqlOf(table).includes(key), key)
  assertChecks(table, fields)
}

const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
const workspaceTables = tables.filter(
  (table) => !aboveWorkspaces.includes(table) && columnsOf(table).some(({ name }) => name === 'workspace_id'),
)

test('Every resource and collection has a table of a workspace, and there is no other but what the engine keeps beside them', () => {
  const defined = stored
    .filter((each) => !isView(each))
    .flatMap(({ name, collections }) => [name, ...Object.values(collections).map(({ table }) => table)])

  const beside = ['bulk_batch', 'idempotent_answer', 'record_count', 'search_pending']
  assert.deepEqual(workspaceTables.toSorted(), [...defined, ...beside].sort())
})

for (const table of workspaceTables) {
  test(`Every key, index and reference of ${table} begins with the workspace`, () => {
    const indexes = `SELECT il.name, ii.name AS first FROM pragma_index_list(?) AS il, pragma_index_info(il.name) AS ii
      WHERE ii.seqno = 0`
    const references = `SELECT "table" AS name, "from" AS first FROM pragma_foreign_key_list(?) WHERE seq = 0`

    const first = [indexes, references].flatMap(
      (sql) => db.prepare(sql).all(table) as { name: string; first: string }[],
    )

    assert.equal(primaryKeyOf(table)[0], 'workspace_id')
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
