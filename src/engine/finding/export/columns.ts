import type { Declared } from '../../records/declared/declared.ts'
import type { DeclaredType } from '../../records/declared/types.ts'
import { idField } from '../../records/define.ts'
import type { Field, Link, Resource } from '../../records/definition/resource.ts'

/** A column of an export, or the columns of a collection: plain data that any thread can use. */
export type Column = Kind & {
  /** A query for whether the workspace has what the column is for; otherwise the file has it only if the request names it. */
  readonly isUsed?: string | undefined
}

type Kind =
  | { readonly name: string; readonly field: string }
  /** A value that records do not show: a derived one, or what a SQL expression returns. */
  | { readonly name: string; readonly field: string; readonly isAside: true; readonly sql?: string }
  /** A field of a related record: `organization.name`. */
  | { readonly name: string; readonly relation: string; readonly field: string }
  /** The items of a collection, each with a column per field: `emails.email`, `emails[1].email`. `as`: their name in the record. */
  | { readonly name: string; readonly as: string; readonly fields: readonly string[]; readonly items: Items }
  /** The metadata as JSON, without the values of the declared fields. */
  | { readonly name: string; readonly apart: readonly Declaration[] }
  /** The value of a declared field. */
  | { readonly name: string; readonly declared: Declaration }

/** Where the items of a collection are stored. */
interface Items {
  readonly table: string
  readonly owner: string
}

interface Declaration {
  readonly key: string
  readonly type: DeclaredType
}

/**
 * The columns of a CSV file (decision K1): those that an import accepts, named as it names them, with names of related records. `id`,
 * `created_at`, `updated_at` and derived values are known to an import, which leaves them out.
 */
export function columnsOf(resource: Resource, declared: readonly Declared[]): Column[] {
  const { created_at, updated_at, ...fields } = resource.columns
  const stamps = [created_at, updated_at].filter((field) => field !== undefined)
  return [
    { name: idField.name, field: idField.name },
    ...Object.values(fields).flatMap((field) => columnsOfField(resource, field, declared)),
    ...Object.entries(resource.collections).map(([name, { as, table, owner, fields }]) => ({
      ...{ name, as, fields: Object.keys(fields), items: { table, owner } },
    })),
    ...Object.entries(resource.links).map(([name, link]) => linkColumn(resource, name, link)),
    ...stamps.map(({ name }) => ({ name, field: name })),
    ...derivedOf(resource).map((name) => ({ name, field: name, isAside: true as const })),
  ]
}

/** The derived values that records do not show: `last_activity_at`. */
export function derivedOf({ unshown }: Resource): string[] {
  return Object.values(unshown).flatMap(({ name, unlogged }) => (unlogged ? [name] : []))
}

/** A SQL expression for a record's JSON text with the values of these columns. `json` is that of the record. */
export function withDerived(json: string, columns: readonly Column[]): string {
  const members = columns.flatMap((column) =>
    'isAside' in column ? [`'"${column.name}":' || json_quote(${column.sql ?? column.name})`] : [],
  )
  return members.length === 0 ? json : `'{' || ${members.join(" || ',' || ")} || ',' || substr(${json}, 2)`
}

/** Linked records: `contacts.id`, `contacts.role`. A file has them if there are more than the references name. */
function linkColumn(of: Resource, name: string, link: Link): Column {
  const { target, table, owner, text } = link
  return { name, as: name, fields: [...target.summary, text], items: { table, owner }, isUsed: usedLinks(of, link) }
}

/** A query for whether there are links that say more than the reference to the first one. */
export function usedLinks({ table: own }: Resource, { table, owner, to, text, first }: Link): string {
  return `SELECT 1 FROM ${table} AS link JOIN ${own} AS own ON own.workspace_id = link.workspace_id AND own.id = link.${owner}
    WHERE link.workspace_id = :workspace AND (link.${text} IS NOT NULL OR link.position > 0 OR own.${first} IS NOT link.${to}) LIMIT 1`
}

/** The name of the group in which the name of a related record is unique, such as the pipeline of a stage, if there are several groups. */
function groupColumns({ table, columns, within, unique, title }: Resource, where: string): Column[] {
  const group = within === undefined ? undefined : columns[within]?.target
  const [named] = group?.title ?? []
  if (!group || named === undefined || !title.includes(unique!)) return []
  const sql = `(SELECT grouped.${named} FROM ${table} AS own JOIN ${group.table} AS grouped
    ON grouped.workspace_id = own.workspace_id AND grouped.id = own.${within} WHERE ${where})`
  const name = `${group.name}.${named}`
  const isUsed = `SELECT 1 FROM ${group.table} WHERE workspace_id = :workspace AND deleted_at IS NULL LIMIT 1 OFFSET 1`
  return [{ name, field: name, isAside: true, sql, isUsed }]
}

function columnsOfField(
  { table, relations }: Resource,
  { name, kind }: Field,
  declared: readonly Declared[],
): Column[] {
  if (kind === 'metadata') {
    const declarations = declared.map(({ key, type }) => ({ key, type }))
    const each = declarations.map((declaration) => ({ name: `${name}.${declaration.key}`, declared: declaration }))
    return [{ name, apart: declarations }, ...each]
  }
  const [relation, { fields = [], target } = {}] = Object.entries(relations).find(([, { by }]) => by === name) ?? []
  const related = fields.filter((field) => target!.title.includes(field) || target!.unique === field)
  return [
    { name, field: name },
    ...related.map((field) => ({ name: `${relation}.${field}`, relation: relation!, field })),
    ...(target ? groupColumns(target, `own.workspace_id = ${table}.workspace_id AND own.id = ${table}.${name}`) : []),
  ]
}

/** What `include` must name for these columns. */
export function includesFor(columns: readonly Column[]): string[] {
  const names = columns.flatMap((column) => {
    if ('relation' in column) return [column.relation]
    return 'as' in column ? [column.name] : []
  })
  return [...new Set(names)].sort()
}
