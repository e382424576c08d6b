import type { Migration } from '../migrate.ts'

/** Indexes for what merges, erasures and restores look up; so far, they read all rows of a workspace. */
export const lookups: Migration = {
  version: 35,
  sql: `
  CREATE INDEX trash_merged_into ON trash (workspace_id, merged_into, type, id) WHERE merged_into IS NOT NULL;
  CREATE INDEX trash_deleted_with ON trash (workspace_id, deleted_with, id) WHERE deleted_with IS NOT NULL;
  CREATE INDEX file_of_message ON file (workspace_id, message_id, id) WHERE message_id IS NOT NULL;
  CREATE INDEX message_suggested_organization_id ON message (workspace_id, suggested_organization_id, id, deleted_at)
    WHERE suggested_organization_id IS NOT NULL AND deleted_at IS NULL;
`,
}
