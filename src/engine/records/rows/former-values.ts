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
  const shown = Object.fromEntries([...names, 'updated_at'].map((name) => [name, former[name]]))
  const hidden = { ...(Object.keys(unshown).length > 0 && { unshown }), ...(derived.length > 0 && { derived }) }
  return JSON.stringify({ ...shown, ...hidden })
}
