import { ApiError, validationError } from '../errors.ts'
import { type CursorValue, openCursor, sealCursor } from '../lib/cursor.ts'
import { parseUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'
import type { Collection, Field, Relation, Resource } from './define.ts'
import { invalid } from './faults.ts'
import type { Condition } from './filters.ts'
import { afterSql, orderSql } from './order.ts'
import { includesOf, type ListQuery } from './query.ts'

/** Where every record's JSON text has its id: `{"id":"…"`. */
const idStart = 7
const idEnd = idStart + 36

const undeleted = 'workspace_id = :workspace AND deleted_at IS NULL'
const expressions = new WeakMap<Resource, Map<string, string>>()

/** A record's JSON text with all that belongs to it, or undefined. */
export function lookupText(resource: Resource, reader: Reader, id: string): string | undefined {
  const json = recordJson(resource, Object.keys(includesOf(resource)))
  return reader.value(`SELECT ${json} FROM ${resource.table} WHERE ${undeleted} AND id = ?`, id)
}

/** The id of a record that is there, however a path writes it. Throws NOT_FOUND (decision B9: what is no UUID is no record). */
export function findId(resource: Resource, reader: Reader, given: string): string {
  const sql = `SELECT id FROM ${resource.table} WHERE ${undeleted} AND id = ?`
  const id = reader.value<string>(sql, parseUuid(given) ?? '')
  if (id === undefined) throw notFound(resource)
  return id
}

export function notFound(resource: Resource): ApiError {
  return new ApiError('NOT_FOUND', `${resource.label} not found`)
}

/** What seals the cursors of a list: the installation's secret, and the workspace they are for. */
export interface CursorSeal {
  secret: string
  workspaceId: number
}

/** A list's answer as JSON text. Throws VALIDATION_ERROR for a cursor that does not belong to this list. */
export function listText(resource: Resource, reader: Reader, query: ListQuery, seal: CursorSeal): string {
  const context = `${seal.workspaceId} ${resource.name} ${query.binding}`
  const texts = selectPage(resource, reader, query, placeOf(query, seal.secret, context))
  const more = texts.length > query.limit
  if (more) texts.pop()
  const nextCursor = () => {
    if (!more) return null
    return sealCursor(seal.secret, context, lastPlace(resource, reader, query, texts.at(-1)!))
  }
  const pagination = paginationOf(query, countRecords(resource, reader, query.where), more, nextCursor)
  return `{"data":[${texts.join(',')}],"pagination":${JSON.stringify(pagination)}}`
}

function selectPage(resource: Resource, reader: Reader, query: ListQuery, after: Condition | undefined): string[] {
  const where = after ? [...query.where, after] : query.where
  const offset = query.page === undefined ? 0 : (query.page - 1) * query.limit
  if (!Number.isSafeInteger(offset)) return []
  const sql = `SELECT ${recordJson(resource, query.includes)} FROM ${resource.table}
    WHERE ${conjunction(where)} ORDER BY ${orderSql(query.order)} LIMIT ? OFFSET ?`
  return reader.values(sql, ...where.flatMap(({ params }) => params), query.limit + 1, offset)
}

/** Exact, always (decision C11). */
function countRecords(resource: Resource, reader: Reader, where: Condition[]): number {
  if (where.length === 0 && resource.counted) return keptCount(resource, reader)
  const sql = `SELECT count(*) FROM ${resource.table} WHERE ${conjunction(where)}`
  return reader.value<number>(sql, ...where.flatMap(({ params }) => params))!
}

/** How many undeleted records there are, as the triggers keep it. */
export function keptCount(resource: Resource, reader: Reader): number {
  const sql = 'SELECT records FROM record_count WHERE workspace_id = :workspace AND resource = ?'
  return reader.value<number>(sql, resource.name) ?? 0
}

function conjunction(where: Condition[]): string {
  return [undeleted, ...where.map(({ sql }) => sql)].join(' AND ')
}

function placeOf(query: ListQuery, secret: string, context: string): Condition | undefined {
  if (query.cursor === undefined) return undefined
  const place = openCursor(secret, context, query.cursor)
  if (!place) {
    const message = 'cursor is not valid here: take next_cursor of the last answer, with the same sort and filters'
    throw validationError([invalid('cursor', message, 'INVALID_FORMAT')])
  }
  return afterSql(query.order, place)
}

function lastPlace(resource: Resource, reader: Reader, query: ListQuery, lastText: string): CursorValue[] {
  const id = lastText.slice(idStart, idEnd)
  if (query.order.length === 1) return [id]
  const columns = query.order.map(({ column }) => column)
  const sql = `SELECT ${columns.join(', ')} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ?`
  const row = reader.row<Record<string, CursorValue>>(sql, id)!
  return columns.map((column) => row[column]!)
}

function paginationOf(query: ListQuery, total: number, more: boolean, nextCursor: () => string | null) {
  const { limit, page, cursor } = query
  const counts = { total, limit, has_more: more }
  if (query.pagination === 'cursor') return { ...counts, cursor, next_cursor: nextCursor() }
  const pages = { ...counts, page, per_page: limit, total_pages: Math.ceil(total / limit) }
  return query.pagination === 'offset' ? pages : { ...pages, next_cursor: nextCursor() }
}

/** A record's JSON text as a SQL expression: the stored one, the named includes added to it. */
function recordJson(resource: Resource, includes: readonly string[]): string {
  if (includes.length === 0) return 'record'
  const known = expressions.get(resource) ?? new Map<string, string>()
  expressions.set(resource, known)
  const name = includes.join()
  const expression = known.get(name) ?? expandedJson(resource, includes)
  known.set(name, expression)
  return expression
}

function expandedJson({ table, relations, collections }: Resource, includes: readonly string[]): string {
  const members = includes.map((include) => {
    const [relation, collection] = [relations[include], collections[include]]
    if (relation) return `',"${include}":' || ${relationJson(table, relation)}`
    return `',"${collection!.as}":' || ${collectionJson(table, collection!)}`
  })
  return `substr(record, 1, length(record) - 1) || ${members.join(' || ')} || '}'`
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
