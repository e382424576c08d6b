import type { Author, Row } from '../engine/definition/change.ts'

/** Sets `created_via` in the metadata of a new record. It overwrites the value in the request (decision D10). */
export function markCreatedVia(row: Row, { userId }: Author): void {
  const via = userId === null ? 'api' : 'console'
  row.metadata = JSON.stringify({ ...JSON.parse(String(row.metadata)), created_via: via })
}
