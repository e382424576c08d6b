import type { Migration } from './migrate.ts'

/** Where a session was begun, and when it was last used (decision K15). */
export const describedSessions: Migration = {
  version: 16,
  sql: `
  ALTER TABLE session ADD COLUMN user_agent TEXT;
  ALTER TABLE session ADD COLUMN address TEXT;
  ALTER TABLE session ADD COLUMN last_used_at TEXT;
  `,
}
