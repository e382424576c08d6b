import { parseExact } from '../../../lib/exact-json.ts'
import type { Row } from '../definition/change.ts'
import type { Field, Resource } from '../definition/resource.ts'
import type { StoredRow } from './stored-row.ts'

/** The former values of these fields, of `updated_at`, and of unshown columns, as JSON, with the names of those that are derived. */
export function formerValues(
  record: string,
  names: readonly string[],
  unshown: Row = {},
  derived: readonly string[] = [],
): string {
  const former = parseExact(record) as Record<string, unknown>
  const values: Record<string, unknown> = {}
  for (const name of names) values[name] = former[name]
  values.updated_at = former.updated_at
  if (Object.keys(unshown).length > 0) values.unshown = unshown
  if (derived.length > 0) values.derived = derived
  return JSON.stringify(values)
}

/** The former values of the fields that a write changes. `derived`: those whose new values follow from other records. */
export function formerFields(
  { fields }: Resource,
  before: StoredRow,
  changed: readonly Field[],
  derived: readonly string[],
): string {
  const [shown, aside, follows]: [string[], Row, string[]] = [[], {}, []]
  for (const { name } of changed) {
    if (Object.hasOwn(fields, name)) shown.push(name)
    else aside[name] = before[name]!
    if (derived.includes(name) || fields[name]?.derived) follows.push(name)
  }
  return formerValues(before.record, shown, aside, follows)
}
