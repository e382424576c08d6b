import type { Migration } from '../migrate.ts'

/** The changes of a deal. */
const changes = `FROM change INDEXED BY change_record_id
      WHERE change.workspace_id = deal.workspace_id AND record_id = unhex(replace(deal.id, '-', ''))`

/**
 * What deals must have to enter a stage, and when they are stale in it (decision T5); fields of choices and of users. A deal entered its stage at
 * the newest change of its stage in the log; without one, when it was created, if the log has that; otherwise at its last change.
 */
export const requirements: Migration = {
  version: 28,
  sql: `
  ALTER TABLE field DROP CONSTRAINT field_type;
  ALTER TABLE field DROP CONSTRAINT field_unique;
  ALTER TABLE field DROP CONSTRAINT field_position;
  ALTER TABLE field ADD CONSTRAINT field_type CHECK (type IN ('text', 'number', 'boolean', 'date', 'datetime', 'choice', 'url', 'email', 'phone', 'choices', 'user'));
  ALTER TABLE field ADD CONSTRAINT field_unique CHECK ("unique" IN (0, 1));
  ALTER TABLE field ADD CONSTRAINT field_position CHECK (position >= 0);
  CREATE TABLE field_choice (
    workspace_id INTEGER NOT NULL,
    field        INTEGER NOT NULL,
    rank         INTEGER NOT NULL,
    record_id    TEXT NOT NULL,
    CONSTRAINT field_choice_pk PRIMARY KEY (workspace_id, field, rank, record_id),
    CONSTRAINT field_choice_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE deal ADD COLUMN entered_at TEXT;
  UPDATE deal SET entered_at = ifnull(
    (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(at) / 1000.0, 'unixepoch') ${changes} AND previous ->> 'stage_id' IS NOT NULL),
    iif(EXISTS (SELECT 1 ${changes} AND type = (SELECT id FROM change_term WHERE text = 'deal.created')
      AND actor <> (SELECT id FROM change_term WHERE text = 'system')), created_at, updated_at));
  CREATE INDEX deal_idle ON deal (workspace_id, stage_id, max(ifnull(last_activity_at, ''), ifnull(entered_at, ''), created_at), id, deleted_at)
    WHERE deleted_at IS NULL;
  CREATE TABLE stage_new (
    workspace_id     INTEGER NOT NULL,
    id               TEXT NOT NULL,
    name             TEXT NOT NULL,
    name_key         TEXT NOT NULL,
    color            TEXT NOT NULL,
    position         INTEGER NOT NULL,
    kind             TEXT NOT NULL,
    kind_key         INTEGER NOT NULL,
    pipeline_id      TEXT NOT NULL,
    requires         TEXT NOT NULL,
    stale_after_days INTEGER,
    metadata         TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    deleted_at       TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'name', name, 'color', color, 'position', position, 'kind', kind, 'pipeline_id', pipeline_id,
      'requires', json(requires), 'stale_after_days', stale_after_days, 'metadata', json(metadata),
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    name_unique TEXT,
    CONSTRAINT stage_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT stage_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT stage_pipeline_id_fk FOREIGN KEY (workspace_id, pipeline_id) REFERENCES pipeline (workspace_id, id),
    CONSTRAINT stage_position CHECK (position >= 0),
    CONSTRAINT stage_kind CHECK (kind IN ('open', 'won', 'lost')),
    CONSTRAINT stage_stale_after_days CHECK (stale_after_days BETWEEN 1 AND 36500),
    CONSTRAINT stage_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO stage_new (workspace_id, id, name, name_key, color, position, kind, kind_key, pipeline_id, requires, metadata, created_at, updated_at, deleted_at, name_unique)
    SELECT workspace_id, id, name, name_key, color, position, kind, kind_key, pipeline_id, '[]', metadata, created_at, updated_at, deleted_at, name_unique FROM stage;
  DROP TABLE stage;
  ALTER TABLE stage_new RENAME TO stage;
  CREATE UNIQUE INDEX stage_name_unique ON stage (workspace_id, pipeline_id, name_unique) WHERE deleted_at IS NULL;
  CREATE INDEX stage_name ON stage (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX stage_position ON stage (workspace_id, position, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX stage_kind ON stage (workspace_id, kind_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX stage_pipeline_id ON stage (workspace_id, pipeline_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX stage_updated_at ON stage (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

  CREATE TRIGGER stage_insert AFTER INSERT ON stage BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'stage', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'stage', new.id);
  END;
  CREATE TRIGGER stage_search_update AFTER UPDATE OF name_key ON stage BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'stage', new.id);
  END;
  CREATE TRIGGER stage_count_delete AFTER UPDATE OF deleted_at ON stage
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'stage';
  END;
  CREATE TRIGGER stage_restore AFTER UPDATE OF deleted_at ON stage
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'stage';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'stage', new.id);
  END;
  UPDATE change INDEXED BY change_record_id SET data = json_set(data, '$.requires', json('[]'), '$.stale_after_days', NULL)
    WHERE data IS NOT NULL AND (workspace_id, record_id) IN (SELECT workspace_id, unhex(replace(id, '-', '')) FROM stage);
  `,
}
