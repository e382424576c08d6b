import { parseExact } from '../../../lib/exact-json.ts'
import type { Row } from '../definition/change.ts'
import { perResource } from '../definition/per-resource.ts'
import type { Field, Resource } from '../definition/resource.ts'
import type { StoredRow } from './stored-row.ts'

/** Those that a write can change, besides `updated_at`. */
const ownFields = perResource<readonly Field[]>(({ fields, unshown }) => Object.values({ ...fields, ...unshown }))

/** The fields that a write changes; a number also if only its digits change, which a double does not have. */
export function changedFields(resource: Resource, before: Row, after: Row): Field[] {
  const isChanged = (name: string) => after[name] !== before[name]
  return ownFields(resource).filter(({ name, digits }) => isChanged(name) || (digits && isChanged(digits)))
}

/**
 * The former values of `updated_at` and of the fields that a write changes, as JSON: shown ones as members, others in `unshown`, and in `derived`
 * the names of those whose new values follow from other records.
 */
export function formerValues(
  { fields }: Resource,
  before: StoredRow,
  changed: readonly Field[] = [],
  derived: readonly string[] = [],
): string {
  const former = parseExact(before.record) as Record<string, unknown>
  const values: Record<string, unknown> = {}
  const unshown: Row = {}
  const follows: string[] = []
  for (const { name } of changed) {
    if (Object.hasOwn(fields, name)) values[name] = former[name]
    else unshown[name] = before[name]!
    if (derived.includes(name) || fields[name]?.derived) follows.push(name)
  }
  values.updated_at = former.updated_at
  if (Object.keys(unshown).length > 0) values.unshown = unshown
  if (follows.length > 0) values.derived = follows
  return JSON.stringify(values)
}
