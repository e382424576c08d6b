import type { Migration } from '../migrate.ts'

/** `metadata.occurred_at`, if it has the form of a time or a date. */
const given = `CASE WHEN metadata ->> '$.occurred_at' GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
  THEN strftime('%Y-%m-%dT%H:%M:%fZ', metadata ->> '$.occurred_at') END`

/** When activities occurred, and when something last happened with a record, which a reader of the log fills in at the first start (decision T5). */
export const lastActivity: Migration = {
  version: 22,
  sql: `
    CREATE TABLE log_reader (
      workspace_id INTEGER NOT NULL,
      name         TEXT NOT NULL,
      version      INTEGER NOT NULL, -- of what it makes
      position     INTEGER NOT NULL, -- the number of the last change that it has dealt with
      rebuilt      TEXT, -- the last record that it has dealt with, while it makes everything anew
      CONSTRAINT log_reader_pk PRIMARY KEY (workspace_id, name),
      CONSTRAINT log_reader_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE organization ADD COLUMN last_activity_at TEXT;
    ALTER TABLE contact ADD COLUMN last_activity_at TEXT;
    ALTER TABLE deal ADD COLUMN last_activity_at TEXT;
    ALTER TABLE activity ADD COLUMN occurred_at TEXT;
    UPDATE activity SET occurred_at = iif(${given} <= created_at, ${given}, created_at);
    CREATE INDEX organization_last_activity_at ON organization (workspace_id, last_activity_at, id, deleted_at) WHERE deleted_at IS NULL;
    CREATE INDEX contact_last_activity_at ON contact (workspace_id, last_activity_at, id, deleted_at) WHERE deleted_at IS NULL;
    CREATE INDEX deal_last_activity_at ON deal (workspace_id, last_activity_at, id, deleted_at) WHERE deleted_at IS NULL;
    CREATE INDEX activity_occurred_at ON activity (workspace_id, occurred_at, id, deleted_at) WHERE deleted_at IS NULL;
    CREATE INDEX activity_organization_occurred ON activity (workspace_id, organization_id, occurred_at, created_at) WHERE deleted_at IS NULL AND organization_id IS NOT NULL;
    CREATE INDEX activity_contact_occurred ON activity (workspace_id, contact_id, occurred_at, created_at) WHERE deleted_at IS NULL AND contact_id IS NOT NULL;
    CREATE INDEX activity_deal_occurred ON activity (workspace_id, deal_id, occurred_at, created_at) WHERE deleted_at IS NULL AND deal_id IS NOT NULL;
    CREATE INDEX task_organization_completed ON task (workspace_id, organization_id, completed_at)
      WHERE deleted_at IS NULL AND organization_id IS NOT NULL AND completed_at IS NOT NULL;
    CREATE INDEX task_contact_completed ON task (workspace_id, contact_id, completed_at)
      WHERE deleted_at IS NULL AND contact_id IS NOT NULL AND completed_at IS NOT NULL;
    CREATE INDEX task_deal_completed ON task (workspace_id, deal_id, completed_at)
      WHERE deleted_at IS NULL AND deal_id IS NOT NULL AND completed_at IS NOT NULL;
  `,
}
