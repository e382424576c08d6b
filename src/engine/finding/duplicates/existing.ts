import { withoutCase } from '../../../lib/text.ts'
import type { Reader } from '../../../store/reader.ts'
import type { DuplicateReason } from '../../records/definition/options.ts'
import { perResource } from '../../records/definition/per-resource.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { keysOfValue } from '../../records/rows/items.ts'
import type { Input } from '../../records/rows/validate.ts'
import { comparedFor } from './compared.ts'

/** The number of rows with the same value that are looked at, so that a create costs little however many there are. */
const rowsMax = 100

/** An undeleted record that has an email or a domain of a new one (decision K5), usually the oldest. */
export function lookupDuplicate(resource: Resource, reader: Reader, input: Input): string | undefined {
  const reason = reasonOf(resource)
  if (!reason) return undefined
  const { sql, field, others } = lookupOf(resource)
  const found = valuesOf(resource, reason, input).flatMap((value) => {
    if (typeof value !== 'string') return []
    const texts = others.map(() => withoutCase(value))
    return keysOfValue(field, reader, value).flatMap((key) => reader.value<string>(sql, key, ...texts) ?? [])
  })
  return found.sort()[0]
}

/** The first reason that compares one value alone. */
function reasonOf({ duplicates }: Resource): DuplicateReason | undefined {
  return duplicates.find(({ within, fields = [] }) => within === undefined && fields.length < 2)
}

function valuesOf({ itemFilters }: Resource, { by }: DuplicateReason, { values, items }: Input): unknown[] {
  const of = itemFilters[by]
  return of ? items[of.collection]!.map((item) => item[of.field]) : [values[by]]
}

/** How to look up a record by a value, of a resource that has a reason for duplicates. An index orders the rows by key, value and id. */
const lookupOf = perResource((resource) => {
  const reason = reasonOf(resource)!
  const { by } = reason
  const { table, indexed, key, id, others, scope, live } = comparedFor(resource, reason)
  const of = resource.itemFilters[by]
  const field = of ? resource.collections[of.collection]!.fields[of.field]! : resource.columns[by]!
  const columns = ['workspace_id', id, ...(of ? [] : ['deleted_at', by, key])].join(', ') // those of the index
  const sql = `SELECT ${id} FROM (SELECT ${columns} FROM ${table} ${indexed} WHERE ${scope} AND ${key} = ? LIMIT ${rowsMax}) AS ${table}
    WHERE ${[live, ...others.map((other) => `${other} = ?`)].join(' AND ')} LIMIT 1` // the first in the index
  return { sql, field, others }
})
