import type { Migration } from './migrate.ts'

/** Descriptions are searched: their records enter the search index again, in the background. */
export const searchedDescriptions: Migration = {
  version: 10,
  sql: `
  DROP TRIGGER task_search_update;
  CREATE TRIGGER task_search_update AFTER UPDATE OF title_key, description ON task BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'task', new.id);
  END;
  INSERT OR IGNORE INTO search_pending SELECT workspace_id, 'task', id FROM task WHERE deleted_at IS NULL;
  INSERT OR IGNORE INTO search_pending SELECT workspace_id, 'activity', id FROM activity WHERE deleted_at IS NULL;
  `,
}
