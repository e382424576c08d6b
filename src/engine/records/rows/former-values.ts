import { parseExact } from '../../../lib/exact-json.ts'
import type { Row } from '../definition/change.ts'

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
