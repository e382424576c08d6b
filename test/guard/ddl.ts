// `npm run ddl <resource>` prints the SQL of a definition. Paste it into schema.sql and into the migration step that creates the
// table. A guard test compares schema.sql with the same text.

import { ignoredSender } from '../../src/crm/ignored-sender.ts'
import { unkeyedOf } from '../../src/engine/finding/list/search.ts'
import { isCreation, isText, sqlName } from '../../src/engine/records/columns.ts'
import { type Collection, type Field, type Resource, uniqueColumnOf } from '../../src/engine/records/define.ts'
import { bulkJob } from '../../src/features/imports/job.ts'
import { resources } from '../../src/features/index.ts'
import { mailSource } from '../../src/features/mail/imap/mail-source.ts'
import { mailAddress } from '../../src/features/mail/mail-address.ts'
import { checkOf } from './ddl-checks.ts'
import { bytesTriggersOf, tallyTriggersOf } from './ddl-totals.ts'
import { linkTablesOf } from './link-table.ts'
import { wrap } from './wrap.ts'

type Fields = Readonly<Record<string, Field>>

/** The resources that the engine stores in tables: all except those served from a view, and import jobs. */
export const stored: readonly Resource[] = [
  ...resources.filter((each) => !isView(each)),
  mailAddress,
  mailSource,
  ignoredSender,
  bulkJob,
]

/** Whether a resource is served from a view: users and keys belong to a company, and the view adds the workspace. */
export function isView({ name, table }: Resource): boolean {
  return table !== name
}

/** The statements that create a resource's table, indexes and triggers, and then those of its collections. */
export function ddlOf(resource: Resource): string[] {
  const { counted, collections } = resource
  return [
    tableOf(resource),
    ...uniqueOf(resource),
    ...(counted ? [...indexesOf(resource), ...triggersOf(resource)] : []),
    ...Object.entries(collections).flatMap(([name, each]) =>
      collectionDdl(each, resource, itemFieldsOf(name, resource)),
    ),
    ...linkTablesOf(resource).flatMap(({ table, columns, constraints, index }) => [
      createTable(table, columns, constraints),
      index,
    ]),
  ]
}

/** The columns that hold these fields, in order, each followed by its key column. */
export function columnsFor(fields: Fields): string[][] {
  return Object.values(fields).flatMap(({ name, sqlType, nullable, keyed, key, keyColumn }) => {
    const constraint = nullable ? '' : ' NOT NULL'
    return [[sqlName(name), sqlType + constraint], ...(keyed ? [[keyColumn, key!.sqlType + constraint]] : [])]
  })
}

/** The members of a resource's `record`, in order. */
export function membersOf({ columns }: Resource): string[] {
  return Object.values(columns).map(({ name, json }) => `'${name}', ${json(sqlName(name))}`)
}

function tableOf(resource: Resource): string {
  const { name, columns, fields } = resource
  return createTable(
    name,
    [['workspace_id', 'INTEGER NOT NULL'], ['id', 'TEXT NOT NULL'], ...columnsFor(columns), ['deleted_at', 'TEXT']],
    [
      `record TEXT NOT NULL GENERATED ALWAYS AS (json_object(\n${wrap(["'id', id", ...membersOf(resource)])}\n  )) STORED`,
      ...unshownOf(resource),
      `CONSTRAINT ${name}_pk PRIMARY KEY (workspace_id, id)`,
      `CONSTRAINT ${name}_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)`,
      ...Object.values(fields).flatMap((field) => referenceOf(name, field)),
      ...checksOf(name, fields),
    ],
  )
}

/** Columns that no response shows. They follow `record`, so that a migration can add them with ALTER TABLE. */
function unshownOf({ name: table, unshown, columns }: Resource): string[] {
  const uniques = Object.values(columns).flatMap(({ uniqueColumn }) => (uniqueColumn ? [`${uniqueColumn} TEXT`] : []))
  const others = Object.values(unshown).map((field) => {
    const [[name, type]] = columnsFor({ field }) as [[string, string]]
    const reference = field.target ? ` CONSTRAINT ${table}_${name}_fk REFERENCES ${field.target.name} (id)` : ''
    return `${name} ${type}${reference}`
  })
  return [...others, ...uniques]
}

function referenceOf(table: string, { name, target, isLoose }: Field): string[] {
  if (!target || isLoose) return []
  const [from, to] = isView(target) ? [name, 'id'] : [`workspace_id, ${name}`, 'workspace_id, id']
  return [`CONSTRAINT ${table}_${name}_fk FOREIGN KEY (${from}) REFERENCES ${target.name} (${to})`]
}

function checksOf(table: string, fields: Fields): string[] {
  return Object.values(fields).flatMap((field) => {
    const check = checkOf(field)
    return check ? [`CONSTRAINT ${table}_${field.name} CHECK (${check})`] : []
  })
}

function uniqueOf(resource: Resource): string[] {
  const { name: table, unique, within } = resource
  if (unique === undefined) return []
  const compared = ['workspace_id', ...(within ? [within] : []), uniqueColumnOf(resource)].join(', ')
  return [`CREATE UNIQUE INDEX ${table}_${unique}_unique ON ${table} (${compared}) WHERE deleted_at IS NULL;`]
}

function indexesOf({ name: table, stored: columns, filters, sorts }: Resource): string[] {
  const names = new Set([...filters, ...sorts])
  const listed = Object.values(columns).filter((field) => names.has(field.name) && !isCreation(field))
  const undeleted = 'WHERE deleted_at IS NULL'
  return listed.map((field) => {
    const indexed = [
      'workspace_id',
      field.keyColumn,
      ...(isText(field) ? [sqlName(field.name)] : []),
      'id',
      'deleted_at',
    ]
    return `CREATE INDEX ${table}_${field.name} ON ${table} (${indexed.join(', ')}) ${undeleted};`
  })
}

function triggersOf(resource: Resource): string[] {
  const { name, stored: columns, filters, operations } = resource
  const searched = [...filters.filter((each) => isText(columns[each]!)), ...unkeyedOf(resource)].map(
    (each) => columns[each]!,
  )
  const insert = `CREATE TRIGGER ${name}_insert AFTER INSERT ON ${name} BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, '${name}', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, '${name}', new.id);
END;`
  const remove = `CREATE TRIGGER ${name}_count_delete AFTER UPDATE OF deleted_at ON ${name}
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = '${name}';
END;`
  const restore = `CREATE TRIGGER ${name}_restore AFTER UPDATE OF deleted_at ON ${name}
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = '${name}';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, '${name}', new.id);
END;`
  return [
    insert,
    ...(operations.includes('patch') ? searchUpdate(name, searched, name, 'id') : []),
    remove,
    ...(operations.includes('delete') ? [restore] : []),
    ...tallyTriggersOf(resource),
    ...bytesTriggersOf(resource),
  ]
}

function searchUpdate(table: string, searched: Field[], owner: string, ownerId: string): string[] {
  if (searched.length === 0) return []
  const keys = searched.map(({ keyColumn }) => keyColumn).join(', ')
  return [createTrigger(`${table}_search_update AFTER UPDATE OF ${keys} ON ${table}`, owner, ownerId)]
}

/** A trigger that marks the owner's text for the search index. */
function createTrigger(event: string, owner: string, ownerId: string): string {
  return `CREATE TRIGGER ${event} BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, '${owner}', new.${ownerId});
END;`
}

function itemFieldsOf(collection: string, { itemFilters }: Resource): string[] {
  return Object.values(itemFilters)
    .filter((filter) => filter.collection === collection)
    .map(({ field }) => field)
}

function collectionDdl({ table, owner, fields }: Collection, resource: Resource, filtered: string[]): string[] {
  const ids = [
    ['workspace_id', 'INTEGER NOT NULL'],
    [owner, 'TEXT NOT NULL'],
    ['id', 'TEXT NOT NULL'],
  ]
  const searched = filtered.map((name) => fields[name]!)
  return [
    createTable(
      table,
      [...ids, ...columnsFor(fields)],
      [
        `CONSTRAINT ${table}_pk PRIMARY KEY (workspace_id, ${owner}, id)`,
        `CONSTRAINT ${table}_${owner}_fk FOREIGN KEY (workspace_id, ${owner}) REFERENCES ${resource.name} (workspace_id, id)`,
        ...checksOf(table, fields),
      ],
    ),
    ...searched.map(
      ({ name, keyColumn }) => `CREATE INDEX ${table}_${name} ON ${table} (workspace_id, ${keyColumn}, ${owner});`,
    ),
    createTrigger(`${table}_insert AFTER INSERT ON ${table}`, resource.name, owner),
    ...searchUpdate(table, searched, resource.name, owner),
  ]
}

function createTable(name: string, columns: string[][], others: string[]): string {
  const width = Math.max(...columns.map(([column]) => column!.length))
  const lines = [...columns.map(([column, type]) => `${column!.padEnd(width)} ${type}`), ...others]
  return `CREATE TABLE ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n) STRICT, WITHOUT ROWID;`
}

if (import.meta.main) {
  const name = process.argv[2]
  const resource = stored.find((each) => each.name === name)
  if (!resource) {
    console.error(`Usage: npm run ddl <${stored.map((each) => each.name).join('|')}>`)
    process.exit(2)
  }
  const [first, ...rest] = ddlOf(resource)
  const kindOf = (statement: string) => /(TABLE|INDEX|TRIGGER)/.exec(statement)![1]
  let last = first!
  console.log(`\n${last}`)
  for (const statement of rest) {
    console.log(kindOf(statement) === kindOf(last) ? statement : `\n${statement}`)
    last = statement
  }
}
