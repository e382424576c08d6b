/** What becomes of unique values by changes that are planned and not written. */
export interface Claims {
  /** Whether a record will no longer have the value of a field that it has now. */
  isFree(recordId: string, field: string): boolean
  /** The record that will have a value (`claimOf`), if one will. */
  holderOf(claim: string): string | undefined
}

/** Names a value that only one record can have. */
export function claimOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts)
}
