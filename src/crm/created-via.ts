import type { Author, Row } from '../engine/definition/change.ts'

/** Marks where a new record came from, over any value sent (decision D10). */
export function markCreatedVia(row: Row, { userId }: Author): void {
  const via = userId === null ? 'api' : 'console'
  row.metadata = JSON.stringify({ ...JSON.parse(String(row.metadata)), created_via: via })
}
