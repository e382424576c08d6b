import type { Migration } from './migrate.ts'

/** The record into which a deleted one has been merged (decision K6). */
export const mergedRecords: Migration = {
  version: 13,
  sql: 'ALTER TABLE trash ADD COLUMN merged_into TEXT',
}
