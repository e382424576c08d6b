import type { Migration } from '../migrate.ts'

/** A UUIDv7 of this moment, and the same moment as a timestamp. */
const newId = `lower(printf('%s-%s-7%s-%s%s-%s', substr(hex_ms, 1, 8), substr(hex_ms, 9), substr(hex(randomblob(2)), 2),
    substr('89ab', 1 + abs(random() % 4), 1), substr(hex(randomblob(2)), 2), hex(randomblob(6))))`
const now = `SELECT CAST(round(unixepoch('now', 'subsec') * 1000) AS INTEGER) AS ms`

/** Every workspace has a pipeline, whose stages are those that it had. The log has its creation, so that replaying it gives the tables. */
export const pipelines: Migration = {
  version: 25,
  sql: `
  ALTER TABLE trash ADD COLUMN deleted_with TEXT;
  CREATE TABLE pipeline (
    workspace_id INTEGER NOT NULL,
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    name_key     TEXT NOT NULL,
    position     INTEGER NOT NULL,
    is_default   INTEGER NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'name', name, 'position', position, 'is_default', json(iif(is_default, 'true', 'false')),
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    name_unique TEXT,
    CONSTRAINT pipeline_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT pipeline_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT pipeline_position CHECK (position >= 0),
    CONSTRAINT pipeline_is_default CHECK (is_default IN (0, 1))
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX pipeline_name_unique ON pipeline (workspace_id, name_unique) WHERE deleted_at IS NULL;
  CREATE INDEX pipeline_name ON pipeline (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX pipeline_position ON pipeline (workspace_id, position, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX pipeline_is_default ON pipeline (workspace_id, is_default, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX pipeline_updated_at ON pipeline (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

  CREATE TRIGGER pipeline_insert AFTER INSERT ON pipeline BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'pipeline', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'pipeline', new.id);
  END;
  CREATE TRIGGER pipeline_search_update AFTER UPDATE OF name_key ON pipeline BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'pipeline', new.id);
  END;
  CREATE TRIGGER pipeline_count_delete AFTER UPDATE OF deleted_at ON pipeline
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'pipeline';
  END;
  CREATE TRIGGER pipeline_restore AFTER UPDATE OF deleted_at ON pipeline
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'pipeline';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'pipeline', new.id);
  END;
  INSERT INTO pipeline (workspace_id, id, name, name_key, position, is_default, created_at, updated_at, name_unique)
    SELECT workspace.id, ${newId}, 'Sales', 'sales', 0, 1, at, at, 'sales' FROM workspace,
      (SELECT printf('%012x', ms) AS hex_ms, strftime('%Y-%m-%dT%H:%M:%fZ', ms / 1000.0, 'unixepoch') AS at FROM (${now}));
  INSERT OR IGNORE INTO change_term (text) VALUES ('system'), ('pipeline.created');
  INSERT INTO change (workspace_id, seq, type, record_id, at, actor)
    SELECT workspace_id, 1 + ifnull((SELECT max(seq) FROM change WHERE change.workspace_id = pipeline.workspace_id), 0),
      (SELECT id FROM change_term WHERE text = 'pipeline.created'), unhex(replace(id, '-', '')),
      CAST(round(unixepoch(created_at, 'subsec') * 1000) AS INTEGER), (SELECT id FROM change_term WHERE text = 'system')
    FROM pipeline;
  CREATE TABLE stage_new (
    workspace_id INTEGER NOT NULL,
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    name_key     TEXT NOT NULL,
    color        TEXT NOT NULL,
    position     INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    kind_key     INTEGER NOT NULL,
    pipeline_id  TEXT NOT NULL,
    metadata     TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'name', name, 'color', color, 'position', position, 'kind', kind, 'pipeline_id', pipeline_id,
      'metadata', json(metadata), 'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    name_unique TEXT,
    CONSTRAINT stage_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT stage_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT stage_pipeline_id_fk FOREIGN KEY (workspace_id, pipeline_id) REFERENCES pipeline (workspace_id, id),
    CONSTRAINT stage_position CHECK (position >= 0),
    CONSTRAINT stage_kind CHECK (kind IN ('open', 'won', 'lost')),
    CONSTRAINT stage_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO stage_new (workspace_id, id, name, name_key, color, position, kind, kind_key, metadata, created_at, updated_at, deleted_at, name_unique, pipeline_id)
    SELECT workspace_id, id, name, name_key, color, position, kind, kind_key, metadata, created_at, updated_at, deleted_at, name_unique, (SELECT id FROM pipeline WHERE pipeline.workspace_id = stage.workspace_id) FROM stage;
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
  UPDATE change INDEXED BY change_record_id
    SET data = json_set(data, '$.pipeline_id', (SELECT id FROM pipeline WHERE pipeline.workspace_id = change.workspace_id))
    WHERE data IS NOT NULL AND (workspace_id, record_id) IN (SELECT workspace_id, unhex(replace(id, '-', '')) FROM stage);
  `,
}
