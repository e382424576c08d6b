import type { Migration } from './migrate.ts'

/** The steps from each released schema to the next; schema.sql is always what they add up to. Append only. */
export const migrations: readonly Migration[] = []
