import type { Migration } from '../migrate.ts'

/** The keys of a user that are not revoked are counted when one is added. */
export const keysOfUsers: Migration = {
  version: 37,
  sql: `
  DROP INDEX api_key_user;
  CREATE INDEX api_key_user ON api_key (user_id, revoked_at) WHERE user_id IS NOT NULL;
`,
}
