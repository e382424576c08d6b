import { ApiError } from '../../errors.ts'
import { parseUuid } from '../../lib/uuid.ts'
import type { Reader, SqlValue } from '../../store/reader.ts'
import { includesOf } from './define.ts'
import { perResource } from './definition/per-resource.ts'
import type { Collection, Field, Relation, Resource } from './definition/resource.ts'
import { childrenJson, idListJson } from './id-lists.ts'
import { linksJson, loggedLinksJson } from './links.ts'

export const undeleted = 'workspace_id = :workspace AND deleted_at IS NULL'

/** A SQL condition on the records of a resource that the log has: none belongs to a user (decision J7). */
export function loggedOnly({ ownedBy }: Resource): string {
  return ownedBy === undefined ? '' : ` AND ${ownedBy} IS NULL`
}

const expressions = new WeakMap<Resource, Map<string, string>>()

/** A record's JSON text with its relations and collections, or undefined. */
export function lookupText(resource: Resource, reader: Reader, id: string): string | undefined {
  return reader.value(lookupSql(resource), id)
}

/** The same text each time, because finding a statement by an equal text takes longer than running it. */
const lookupSql = perResource((resource) => {
  const json = recordJson(resource, includesOf(resource))
  return `SELECT ${json} FROM ${resource.table} WHERE ${undeleted} AND id = ?`
})

/** Like `lookupText`, with the links that are named. Throws NOT_FOUND. */
export function findText(resource: Resource, reader: Reader, id: string, links: readonly string[] = []): string {
  const json = links.length > 0 ? recordJson(resource, [...includesOf(resource), ...links]) : undefined
  const sql = `SELECT ${json} FROM ${resource.table} WHERE ${undeleted} AND id = ?`
  const text = json === undefined ? lookupText(resource, reader, id) : reader.value<string>(sql, id)
  if (text === undefined) throw notFound(resource)
  return text
}

/** A record's JSON text with its collections and without relations, as the log shows it, also of a deleted record; undefined if it has no row. */
export function dataText(resource: Resource, reader: Reader, id: string): string | undefined {
  const json = loggedJson(resource)
  return reader.value(`SELECT ${json} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ?`, id)
}

/** A SQL expression for a record's JSON text as the log shows it: with its collections and links, without relations. */
export const loggedJson = perResource((resource) => {
  const { table, links, collections } = resource
  const json = recordJson(resource, Object.keys(collections))
  const members = Object.entries(links).map(([name, link]) => `',"${name}":' || ${loggedLinksJson(table, link)}`)
  return members.length === 0 ? json : `substr(${json}, 1, length(${json}) - 1) || ${members.join(' || ')} || '}'`
})

/** The JSON text of a record's items. */
export function collectionText(resource: Resource, name: string, reader: Reader, id: string): string {
  const json = collectionJson(resource.table, resource.collections[name]!)
  return reader.value(`SELECT ${json} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ?`, id)!
}

/** The id of an existing record, in canonical form. Throws NOT_FOUND. */
export function findId(resource: Resource, reader: Reader, given: string): string {
  const sql = `SELECT id FROM ${resource.table} WHERE ${undeleted} AND id = ?`
  const id = reader.value<string>(sql, idOf(resource, given))
  if (id === undefined) throw notFound(resource)
  return id
}

/** The id in a path, in canonical form. Throws NOT_FOUND if it is not a UUID (decision B9). */
export function idOf(resource: Resource, given: string): string {
  const id = parseUuid(given)
  if (id === undefined) throw notFound(resource)
  return id
}

export function notFound(resource: Resource): ApiError {
  return new ApiError('NOT_FOUND', `${resource.label} not found`)
}

/** The number of undeleted records, which triggers count. */
export function storedCount(resource: string, reader: Reader): number {
  const sql = 'SELECT records FROM record_count WHERE workspace_id = :workspace AND resource = ?'
  return reader.value<number>(sql, resource) ?? 0
}

/** A value of a tallied field: plain data that can be sent to any thread. */
export interface Tally {
  /** The name of the resource. */
  name: string
  /** The column that lists compare. */
  field: string
  value: SqlValue
}

/** The number of undeleted records with a value, which triggers count. */
export function talliedCount({ name, field, value }: Tally, reader: Reader): number {
  const sql =
    'SELECT records FROM value_count WHERE workspace_id = :workspace AND resource = ? AND field = ? AND value = ?'
  return reader.value<number>(sql, name, field, value) ?? 0
}

/** A SQL expression for a record's JSON text: the stored text with the named includes. */
export function recordJson(resource: Resource, includes: readonly string[]): string {
  const known = expressions.get(resource) ?? new Map<string, string>()
  expressions.set(resource, known)
  const name = includes.join()
  const expression = known.get(name) ?? expandedJson(resource, includes)
  known.set(name, expression)
  return expression
}

/** The stored text, with all digits of its numbers. Only where a number needs them, the text is parsed. */
export function storedJson({ fields, unshown }: Resource): string {
  let json = 'record'
  for (const { name, digits } of Object.values(fields)) {
    if (digits !== undefined)
      json = `iif(${digits} IS NULL, ${json}, json_set(${json}, '$.${name}', ${unshown[digits]!.json(digits)}))`
  }
  return json
}

/**
 * Adds members before the closing brace of the record, which is never empty: it begins with the id. `json_insert` would parse the text
 * and make a read half as slow again.
 */
function expandedJson(resource: Resource, includes: readonly string[]): string {
  const json = storedJson(resource)
  if (includes.length === 0) return json
  const { table, relations, collections, links, idLists, children } = resource
  const members = includes.map((include) => {
    const [relation, collection] = [relations[include], collections[include]]
    if (links[include]) return `',"${include}":' || ${linksJson(table, links[include])}`
    if (idLists[include]) return `',"${include}":' || ${idListJson(table, idLists[include])}`
    if (children[include]) return `',"${include}":' || ${childrenJson(table, children[include])}`
    if (relation) return `',"${include}":' || ${relationJson(table, relation)}`
    return `',"${collection!.as}":' || ${collectionJson(table, collection!)}`
  })
  return `substr(${json}, 1, length(${json}) - 1) || ${members.join(' || ')} || '}'`
}

function relationJson(table: string, { target, by, fields }: Relation): string {
  const members = fields.map((name) => member('target', name, target.columns[name]))
  const inWorkspace = `target.workspace_id = ${table}.workspace_id AND target.deleted_at IS NULL AND`
  return `ifnull((SELECT json_object(${members.join(', ')}) FROM ${target.idTable ?? target.table} AS target
    WHERE ${target.idTable ? '' : inWorkspace} target.id = ${table}.${by}), 'null')`
}

function collectionJson(owner: string, { table, owner: by, fields }: Collection): string {
  const members = ['id', ...Object.keys(fields)].map((name) => member('item', name, fields[name]))
  return `(SELECT json_group_array(json_object(${members.join(', ')}) ORDER BY item.id) FROM ${table} AS item
    WHERE item.workspace_id = ${owner}.workspace_id AND item.${by} = ${owner}.id)`
}

function member(table: string, name: string, field: Field | undefined): string {
  const column = `${table}.${name}`
  return `'${name}', ${field ? field.json(column) : column}`
}
