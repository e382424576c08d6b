import type { Field } from '../../engine/records/definition/resource.ts'
import { metadataBytesMax } from '../../engine/records/kinds/large-metadata.ts'
import { blankOf } from '../../engine/records/rows/blank.ts'
import { loggedResources, resources } from '../../features/index.ts'
import { listCompanyTables } from '../../store/company-tables.ts'
import type { Unverified } from './unverified.ts'
import { lenience } from './verify-amounts.ts'

/** What a column of JSON has: an object, or an array of texts, of objects, of results of an import, or of anything. */
type Json = 'object' | 'texts' | 'objects' | 'results' | 'array'

/** SQL by the JSON: whether an item of an array, `each`, is another one. */
const notItem: Readonly<Partial<Record<Json, string>>> = {
  texts: "each.type <> 'text'",
  objects: "each.type <> 'object'",
  results: `iif(each.type <> 'array', 1, json_type(each.value, '$[0]') IS NOT 'integer'
    OR EXISTS (SELECT 1 FROM json_each(each.value) AS part WHERE part.key > 0
      AND iif(part.key = 1, part.type NOT IN ('text', 'null'), part.type <> 'object')))`,
}

/** Columns of JSON, by table; of `*`, in each table that has them. */
export const jsonColumns: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  '*': { metadata: 'object' },
  api_key: { scopes: 'texts' },
  change: { cause: 'object', previous: 'object', data: 'object' },
  trash: { deleted_by: 'object' },
  bulk_job: { errors: 'objects' },
  bulk_batch: { records: 'array' },
  bulk_result: { results: 'results' },
  message: {
    ...{ from: 'object', to: 'objects', cc: 'objects' },
    ...{ contact_ids: 'texts', user_ids: 'texts', held_for: 'texts' },
  },
  webhook: { events: 'texts' },
  view: { columns: 'texts' },
  webhook_state: { secrets: 'objects', replay: 'object' },
  webhook_delivery: { attempts: 'objects' },
  proposal: { request: 'object', changes: 'objects' },
  stage: { requires: 'texts' },
  field: { options: 'texts' },
  field_index: { options: 'texts' },
}

/** Columns of days and of times whose names do not say so, besides those of fields. */
const timeColumns: Readonly<Record<string, Readonly<Record<string, 'date' | 'date-time'>>>> = {
  api_key_usage: { day: 'date' },
  trash: { deleted_at_key: 'date-time' },
  mail_log: { at: 'date-time' },
  mail_source_state: { since: 'date' },
}

/** Columns of exact decimals, by table. */
export const decimalColumns: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  resources.map(({ table, stored }) => [
    table,
    Object.values(stored).flatMap(({ name, isExact }) => (isExact ? [name] : [])),
  ]),
)

interface Column {
  name: string
  type: string
}

/** The fields of records and their items, by table. */
const fields: Readonly<Record<string, Readonly<Record<string, Field>>>> = Object.fromEntries(
  loggedResources.flatMap(({ table, idTable = table, columns, collections }) => [
    [idTable, columns],
    ...Object.values(collections).map((each) => [each.table, each.fields]),
  ]),
)

/** More bytes than Kontor writes into a column of which a response shows many values. */
const valueBytesMax = 2 * 2 ** 20
/** The same for a column of which a server reads one value at a time. */
const wholeBytesMax = 64 * 2 ** 20
/** The bounds of such columns, and of short ones. */
const otherBytesMax: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  change: { cause: 2 ** 18 },
  message: { html: wholeBytesMax, participants: wholeBytesMax },
  proposal: { request: wholeBytesMax },
  bulk_result: { results: wholeBytesMax },
  idempotent_answer: { answer: wholeBytesMax },
  idempotent_user_answer: { answer: wholeBytesMax },
}
/** More characters than Kontor stores of a media type, which becomes a header. */
const mediaTypeMax = 255
/** A character in UTF-8. */
const characterBytes = 4

const hex = (digits: number) => '[0-9a-f]'.repeat(digits)
const uuid = [8, 4, 4, 4, 12].map(hex).join('-')
/** A SHA-256 in base64url. */
const base64Hash = '[A-Za-z0-9_-]'.repeat(43)
/** What `mail_reference` has as a hash: that of a Message-ID, or a thread that moves. */
const notReference = `"hash" NOT GLOB '${base64Hash}' AND ("hash" NOT GLOB '>${uuid}' OR substr("hash", 2) <= "thread_id")`
const exact = Number.MAX_SAFE_INTEGER
/** The last millisecond of the year 9999. */
const lastMs = 253_402_300_799_999

/**
 * Finds values of a company file that Kontor does not store, and on which a server that reads them would fail. SQLite compares types and
 * constraints only when a row is written. One sentence for each column.
 */
export function* verifyValues({ access }: Unverified): Generator<string> {
  for (const { name: table } of listCompanyTables(access)) {
    const sql = "SELECT name, type FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0"
    for (const column of access.rows<Column>(sql, table)) {
      const wrong = [typeOf(table, column), formOf(table, column)].filter(Boolean).join(' OR ')
      const found = access.value<number>(`SELECT count(*) FROM main."${table}" WHERE ${wrong}`)!
      if (found > 0) yield `${found} values of ${table}.${column.name} are not like those that Kontor stores`
    }
  }
}

/** A condition: the value has another type, is too long, has U+0000, or is an integer that a program cannot read exactly. */
function typeOf(table: string, { name, type }: Column): string {
  const expected = type === 'ANY' ? ['integer', 'real', 'text', 'blob'] : [type.toLowerCase()]
  const types = [...expected, 'null'].map((each) => `'${each}'`)
  return `typeof("${name}") NOT IN (${types}) OR octet_length("${name}") > ${bytesMaxOf(table, name)}
    OR (typeof("${name}") = 'text' AND instr("${name}", char(0)) > 0)
    OR (typeof("${name}") = 'integer' AND "${name}" NOT BETWEEN -${exact} AND ${exact})`
}

/** A server that reads longer values keeps all companies waiting. */
function bytesMaxOf(table: string, name: string): number {
  const other = otherBytesMax[table]?.[name]
  if (other !== undefined) return other
  const field = fields[table]?.[name]
  if (!field || field.readonly) return valueBytesMax
  if (field.kind === 'metadata') return metadataBytesMax
  const { maxLength } = field.input ?? field.shape
  return maxLength === undefined ? valueBytesMax : characterBytes * Number(maxLength)
}

/** A condition: the value has not the form that its column says. */
function formOf(table: string, { name, type }: Column): string | undefined {
  const given = `"${name}" IS NOT NULL AND`
  const json = jsonColumns[table]?.[name] ?? jsonColumns['*']![name]
  if (json) return `(${given} ${notJson(name, json, itemsMaxOf(table, name))})`
  if (decimalColumns[table]?.includes(name)) return `(${given} ${notDecimal(name)})`
  if (table === 'change' && name === 'record_id') return `length("${name}") <> 16`
  if (table === 'change' && name === 'request_id')
    return `length("${name}") NOT BETWEEN 1 AND iif(typeof("${name}") = 'blob', 16, 128)`
  if (table === 'change' && name === 'at') return `"${name}" NOT BETWEEN 0 AND ${lastMs}`
  if (table === 'webhook_delivery' && name === 'number') return `abs("${name}") > ${lastMs}` // that of a ping says when it was made
  if (table === 'webhook_state' && name === 'position') return `"${name}" < 0`
  if (type !== 'TEXT') return undefined
  if (name === 'id') return `"${name}" NOT GLOB '${uuid}'`
  if (name === 'media_type') return `("${name}" GLOB '*[^!-~]*' OR length("${name}") > ${mediaTypeMax})`
  if (name === 'hash') return table === 'mail_reference' ? `(${notReference})` : `"${name}" NOT GLOB '${hex(64)}'`
  const other = notSha256(name) ?? notTime(table, name)
  if (other === undefined) return undefined
  const notErased = isBlankWhenErased(table, name) ? `AND NOT ("${name}" = '' AND ${isErased(table)})` : ''
  return `(${given} ${other} ${notErased})`
}

/** More items than a list has: a server that works with each of them keeps all companies waiting. */
function itemsMaxOf(table: string, name: string): number | undefined {
  const field = fields[table === 'field_index' ? 'field' : table]?.[name]
  const { maxItems } = field?.input ?? field?.shape ?? {}
  return maxItems === undefined ? undefined : lenience * Number(maxItems)
}

function notJson(name: string, json: Json, itemsMax: number | undefined): string {
  const type = json === 'object' ? 'object' : 'array'
  const other = notItem[json]
  const isLong = itemsMax === undefined ? '' : `OR json_array_length("${name}") > ${itemsMax}`
  const hasOther = other === undefined ? '' : `OR EXISTS (SELECT 1 FROM json_each("${name}") AS each WHERE ${other})`
  return `iif(json_valid("${name}"), json_type("${name}") <> '${type}' ${isLong} ${hasOther}, 1)`
}

function notSha256(name: string): string | undefined {
  return name.endsWith('sha256') ? `"${name}" NOT GLOB '${hex(64)}'` : undefined
}

/** A day or a time that does not exist, or is written in another way. */
function notTime(table: string, name: string): string | undefined {
  const isTime = name.endsWith('_at') && 'date-time'
  const form = timeColumns[table]?.[name] ?? fields[table]?.[name]?.shape.format ?? isTime
  if (form !== 'date' && form !== 'date-time') return undefined
  return `strftime('${form === 'date' ? '%Y-%m-%d' : '%Y-%m-%dT%H:%M:%fZ'}', "${name}") IS NOT "${name}"`
}

/** Whether an erased record has an empty text there. */
function isBlankWhenErased(table: string, name: string): boolean {
  const field = resources.find((each) => each.table === table)?.stored[name]
  return field !== undefined && blankOf(field) === ''
}

/** A condition: the record is deleted, and not in the trash. */
function isErased(table: string): string {
  const inTrash = `SELECT 1 FROM main.trash WHERE trash.workspace_id = "${table}".workspace_id AND trash.id = "${table}".id`
  return `deleted_at IS NOT NULL AND NOT EXISTS (${inTrash})`
}

/** A condition: the text is not a decimal as Kontor writes it, `-0.5`, without an exponent and with at most 40 characters. */
function notDecimal(name: string): string {
  const isNumber = `json_valid("${name}") AND json_type("${name}") IN ('integer', 'real')`
  return `("${name}" GLOB '*[^0-9.-]*' OR length("${name}") > 40 OR iif(${isNumber}, 0, 1))`
}
