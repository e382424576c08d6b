import type { Migration } from '../migrate.ts'

/** Files (decision O1): their records, the content that uploads rely on or that is being removed, and the limit of plans. */
export const files: Migration = {
  version: 24,
  sql: `
  ALTER TABLE plan ADD COLUMN max_storage_bytes INTEGER CONSTRAINT plan_storage CHECK (max_storage_bytes >= 0);
  CREATE TABLE file (
    workspace_id    INTEGER NOT NULL,
    id              TEXT NOT NULL,
    name            TEXT NOT NULL,
    name_key        TEXT NOT NULL,
    media_type      TEXT NOT NULL,
    media_type_key  TEXT NOT NULL,
    bytes           INTEGER NOT NULL,
    sha256          TEXT NOT NULL,
    organization_id TEXT,
    contact_id      TEXT,
    deal_id         TEXT,
    task_id         TEXT,
    message_id      TEXT,
    metadata        TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'name', name, 'media_type', media_type, 'bytes', bytes, 'sha256', sha256,
      'organization_id', organization_id, 'contact_id', contact_id, 'deal_id', deal_id, 'task_id', task_id,
      'message_id', message_id, 'metadata', json(metadata), 'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    CONSTRAINT file_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT file_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT file_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
    CONSTRAINT file_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id),
    CONSTRAINT file_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
    CONSTRAINT file_task_id_fk FOREIGN KEY (workspace_id, task_id) REFERENCES task (workspace_id, id),
    CONSTRAINT file_bytes CHECK (bytes >= 0),
    CONSTRAINT file_sha256 CHECK (sha256 = '' OR (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*')),
    CONSTRAINT file_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_name ON file (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_media_type ON file (workspace_id, media_type_key, media_type, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_bytes ON file (workspace_id, bytes, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_organization_id ON file (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_contact_id ON file (workspace_id, contact_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_deal_id ON file (workspace_id, deal_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_task_id ON file (workspace_id, task_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_message_id ON file (workspace_id, message_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX file_content ON file (workspace_id, sha256, bytes);
  CREATE INDEX file_updated_at ON file (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE TRIGGER file_insert AFTER INSERT ON file BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'file', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'file', new.id);
  END;
  CREATE TRIGGER file_search_update AFTER UPDATE OF name_key, media_type_key ON file BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'file', new.id);
  END;
  CREATE TRIGGER file_count_delete AFTER UPDATE OF deleted_at ON file
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'file';
  END;
  CREATE TRIGGER file_restore AFTER UPDATE OF deleted_at ON file
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'file';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'file', new.id);
  END;
  CREATE TABLE content_claim (
    workspace_id INTEGER NOT NULL,
    sha256       TEXT NOT NULL,
    id           TEXT NOT NULL,
    CONSTRAINT content_claim_pk PRIMARY KEY (workspace_id, sha256, id),
    CONSTRAINT content_claim_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT content_claim_sha256 CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*')
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE content_removal (
    workspace_id INTEGER NOT NULL,
    sha256       TEXT NOT NULL,
    CONSTRAINT content_removal_pk PRIMARY KEY (workspace_id, sha256),
    CONSTRAINT content_removal_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT content_removal_sha256 CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*')
  ) STRICT, WITHOUT ROWID;
  `,
}
