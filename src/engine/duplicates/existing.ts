import { withoutCase } from '../../lib/text.ts'
import type { Reader } from '../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import type { Input } from '../write/validate.ts'
import { comparedFor } from './compared.ts'

/** The number of rows with the same value that are looked at, so that a create costs little however many there are. */
const rowsMax = 100

/** An undeleted record that has an email or a domain of a new one (decision K5), usually the oldest. */
export function lookupDuplicate(resource: Resource, reader: Reader, { values, items }: Input): string | undefined {
  const [reason] = resource.duplicates
  if (!reason) return undefined
  const { table, indexed, key, id, others, scope, live } = comparedFor(resource, reason)
  const of = resource.itemFilters[reason.by]
  const given = of ? items[of.collection]!.map((item) => item[of.field]) : [values[reason.by]]
  const texts = given.filter((each) => typeof each === 'string')
  if (texts.length === 0) return undefined
  const keyOf = (of ? resource.collections[of.collection]!.fields[of.field]! : resource.columns[reason.by]!).key!.of
  const exact = others.map((sql) => `AND ${sql} IN (SELECT value FROM json_each(?))`)
  const columns = ['workspace_id', id, ...(of ? [] : ['deleted_at', reason.by])].join(', ') // those of the index
  const sql = `SELECT min(${id}) FROM (SELECT ${columns} FROM ${table} ${indexed}
      WHERE ${scope} AND ${key} IN (SELECT value FROM json_each(?)) LIMIT ${rowsMax}) AS ${table}
    WHERE ${live} ${exact.join(' ')}`
  const found = reader.value<string | null>(
    sql,
    JSON.stringify(texts.map(keyOf)),
    ...exact.map(() => JSON.stringify(texts.map(withoutCase))),
  )
  return found ?? undefined
}
