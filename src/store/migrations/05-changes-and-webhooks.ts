import type { Migration } from '../migrate.ts'

/** The log begins with a change for each record's creation and deletion, so that replaying it gives the tables. Webhooks read it. */
export const changesAndWebhooks: Migration = {
  version: 5,
  sql: `
  CREATE TABLE new_stage (
    workspace_id INTEGER NOT NULL,
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    name_key     TEXT NOT NULL,
    color        TEXT NOT NULL,
    position     INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    kind_key     INTEGER NOT NULL,
    metadata     TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'name', name, 'color', color, 'position', position, 'kind', kind, 'metadata', json(metadata),
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    CONSTRAINT stage_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT stage_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT stage_position CHECK (position >= 0),
    CONSTRAINT stage_kind CHECK (kind IN ('open', 'won', 'lost')),
    CONSTRAINT stage_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO new_stage (workspace_id, id, name, name_key, color, position, kind, kind_key, metadata, created_at, updated_at, deleted_at)
    SELECT workspace_id, id, name, name_key, color, position, iif(name_key IN ('won', 'lost'), name_key, 'open'),
      CASE name_key WHEN 'won' THEN 1 WHEN 'lost' THEN 2 ELSE 0 END, metadata, created_at, updated_at, deleted_at FROM stage;
  DROP TABLE stage;
  ALTER TABLE new_stage RENAME TO stage;
  CREATE UNIQUE INDEX stage_name_unique ON stage (workspace_id, name_key) WHERE deleted_at IS NULL;
  CREATE INDEX stage_name ON stage (workspace_id, name_key, id, name, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX stage_position ON stage (workspace_id, position, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX stage_kind ON stage (workspace_id, kind_key, id, deleted_at) WHERE deleted_at IS NULL;
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
  CREATE TRIGGER organization_restore AFTER UPDATE OF deleted_at ON organization
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'organization';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'organization', new.id);
  END;
  CREATE TRIGGER contact_restore AFTER UPDATE OF deleted_at ON contact
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'contact';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.id);
  END;
  CREATE TRIGGER deal_restore AFTER UPDATE OF deleted_at ON deal
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'deal';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'deal', new.id);
  END;
  CREATE TRIGGER task_restore AFTER UPDATE OF deleted_at ON task
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'task';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'task', new.id);
  END;
  CREATE TABLE change_term (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    CONSTRAINT change_term_text_unique UNIQUE (text)
  ) STRICT;
  CREATE TABLE change (
    workspace_id INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    type         INTEGER NOT NULL,
    record_id    BLOB NOT NULL,
    at           INTEGER NOT NULL,
    actor        INTEGER NOT NULL,
    request_id   ANY,
    cause        TEXT,
    previous     TEXT,
    data         TEXT,
    CONSTRAINT change_pk PRIMARY KEY (workspace_id, seq),
    CONSTRAINT change_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT change_seq CHECK (seq > 0)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX change_record_id ON change (workspace_id, record_id, seq);
  CREATE INDEX change_request_id ON change (workspace_id, request_id, seq);
  CREATE INDEX change_actor ON change (workspace_id, actor, seq);
  CREATE TABLE trash (
    workspace_id   INTEGER NOT NULL,
    id             TEXT NOT NULL,
    type           TEXT NOT NULL,
    title          TEXT NOT NULL,
    deleted_at     TEXT,
    deleted_at_key TEXT NOT NULL,
    deleted_by     TEXT NOT NULL,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'type', type, 'title', title, 'deleted_at', deleted_at_key, 'deleted_by', json(deleted_by)
    )) STORED,
    CONSTRAINT trash_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT trash_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT trash_deleted_at CHECK (deleted_at IS NULL)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trash_type ON trash (workspace_id, type, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX trash_deleted_at ON trash (workspace_id, deleted_at_key, id, deleted_at) WHERE deleted_at IS NULL;
  ALTER TABLE bulk_job DROP CONSTRAINT bulk_job_type;
  ALTER TABLE bulk_job ADD CONSTRAINT bulk_job_type CHECK (type IN ('import_contacts', 'import_organizations', 'undo'));
  INSERT INTO setting VALUES ('log_origin', lower(hex(randomblob(32)))), ('webhook_key', lower(hex(randomblob(32))));
  INSERT INTO change_term (text) VALUES
    ('system'), ('organization.created'), ('organization.deleted'), ('contact.created'), ('contact.deleted'),
    ('stage.created'), ('stage.deleted'), ('deal.created'), ('deal.deleted'), ('task.created'), ('task.deleted'),
    ('activity.created'), ('bulk_job.created'), ('bulk_job.completed'), ('bulk_job.failed'), ('api_key.created'),
    ('user.created');
  INSERT INTO change (workspace_id, seq, type, record_id, at, actor, data)
    SELECT workspace_id, row_number() OVER (PARTITION BY workspace_id ORDER BY at, logged.id, logged.type NOT LIKE '%.created'), change_term.id,
      unhex(replace(logged.id, '-', '')), CAST(round(unixepoch(at, 'subsec') * 1000) AS INTEGER),
      (SELECT id FROM change_term WHERE text = 'system'),
      CASE substr(type, 1, instr(type, '.') - 1)
        WHEN 'bulk_job' THEN (SELECT record FROM bulk_job WHERE bulk_job.workspace_id = logged.workspace_id AND bulk_job.id = logged.id)
        WHEN 'api_key' THEN (SELECT record FROM workspace_api_key AS shown WHERE shown.workspace_id = logged.workspace_id AND shown.id = logged.id)
        WHEN 'user' THEN (SELECT record FROM workspace_user AS shown WHERE shown.workspace_id = logged.workspace_id AND shown.id = logged.id)
      END
    FROM (
       SELECT workspace_id, id, 'organization.created' AS type, created_at AS at FROM organization
       UNION ALL SELECT workspace_id, id, 'contact.created' AS type, created_at AS at FROM contact
       UNION ALL SELECT workspace_id, id, 'stage.created' AS type, created_at AS at FROM stage
       UNION ALL SELECT workspace_id, id, 'deal.created' AS type, created_at AS at FROM deal
       UNION ALL SELECT workspace_id, id, 'task.created' AS type, created_at AS at FROM task
       UNION ALL SELECT workspace_id, id, 'activity.created' AS type, created_at AS at FROM activity
       UNION ALL SELECT workspace_id, id, 'organization.deleted', max(created_at, deleted_at) FROM organization WHERE deleted_at IS NOT NULL
       UNION ALL SELECT workspace_id, id, 'contact.deleted', max(created_at, deleted_at) FROM contact WHERE deleted_at IS NOT NULL
       UNION ALL SELECT workspace_id, id, 'stage.deleted', max(created_at, deleted_at) FROM stage WHERE deleted_at IS NOT NULL
       UNION ALL SELECT workspace_id, id, 'deal.deleted', max(created_at, deleted_at) FROM deal WHERE deleted_at IS NOT NULL
       UNION ALL SELECT workspace_id, id, 'task.deleted', max(created_at, deleted_at) FROM task WHERE deleted_at IS NOT NULL
       UNION ALL SELECT workspace_id, id, 'bulk_job.created', created_at FROM bulk_job
       UNION ALL SELECT workspace_id, id, 'bulk_job.' || status, max(created_at, completed_at) FROM bulk_job WHERE completed_at IS NOT NULL
       UNION ALL SELECT workspace_id, id, 'api_key.created', created_at FROM api_key
       UNION ALL SELECT workspace.id, user.id, 'user.created', created_at FROM user JOIN workspace USING (company_id) WHERE environment = 'live'
    ) AS logged JOIN change_term ON change_term.text = type;
  INSERT INTO trash (workspace_id, id, type, title, deleted_at_key, deleted_by)
   SELECT workspace_id, id, 'organization', name, deleted_at, '{"type":"system","id":null,"name":"Kontor"}'
     FROM organization WHERE deleted_at IS NOT NULL
   UNION ALL SELECT workspace_id, id, 'contact', trim(first_name || ' ' || ifnull(last_name, '')), deleted_at, '{"type":"system","id":null,"name":"Kontor"}'
     FROM contact WHERE deleted_at IS NOT NULL
   UNION ALL SELECT workspace_id, id, 'stage', name, deleted_at, '{"type":"system","id":null,"name":"Kontor"}'
     FROM stage WHERE deleted_at IS NOT NULL
   UNION ALL SELECT workspace_id, id, 'deal', title, deleted_at, '{"type":"system","id":null,"name":"Kontor"}'
     FROM deal WHERE deleted_at IS NOT NULL
   UNION ALL SELECT workspace_id, id, 'task', title, deleted_at, '{"type":"system","id":null,"name":"Kontor"}'
     FROM task WHERE deleted_at IS NOT NULL;
  CREATE TABLE webhook (
    workspace_id    INTEGER NOT NULL,
    id              TEXT NOT NULL,
    url             TEXT NOT NULL,
    events          TEXT NOT NULL,
    description     TEXT,
    payload         TEXT NOT NULL,
    ordered         INTEGER NOT NULL,
    is_active       INTEGER NOT NULL,
    failing_since   TEXT,
    disabled_at     TEXT,
    disabled_reason TEXT,
    last_success_at TEXT,
    metadata        TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'url', url, 'events', json(events), 'description', description, 'payload', payload,
      'ordered', json(iif(ordered, 'true', 'false')), 'is_active', json(iif(is_active, 'true', 'false')),
      'failing_since', failing_since, 'disabled_at', disabled_at, 'disabled_reason', disabled_reason,
      'last_success_at', last_success_at, 'metadata', json(metadata), 'created_at', created_at,
      'updated_at', updated_at
    )) STORED,
    CONSTRAINT webhook_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT webhook_payload CHECK (payload IN ('full', 'thin')),
    CONSTRAINT webhook_ordered CHECK (ordered IN (0, 1)),
    CONSTRAINT webhook_is_active CHECK (is_active IN (0, 1)),
    CONSTRAINT webhook_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE webhook_state (
    workspace_id INTEGER NOT NULL,
    webhook_id   TEXT NOT NULL,
    position     INTEGER NOT NULL,
    secrets      TEXT NOT NULL,
    failures     INTEGER NOT NULL DEFAULT 0,
    replay       TEXT,
    CONSTRAINT webhook_state_pk PRIMARY KEY (workspace_id, webhook_id),
    CONSTRAINT webhook_state_webhook_id_fk FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhook (workspace_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE webhook_delivery (
    workspace_id    INTEGER NOT NULL,
    id              TEXT NOT NULL,
    webhook_id      TEXT NOT NULL,
    number          INTEGER NOT NULL,
    seq             INTEGER,
    type            TEXT NOT NULL,
    status          TEXT NOT NULL,
    tries           INTEGER NOT NULL,
    asked           INTEGER NOT NULL DEFAULT 0,
    attempts        TEXT NOT NULL,
    next_at         INTEGER,
    next_attempt_at TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%fZ', next_at / 1000.0, 'unixepoch')) VIRTUAL,
    created_at      TEXT NOT NULL,
    deleted_at      TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'webhook_id', webhook_id, 'seq', seq, 'type', type, 'status', status, 'attempts', json(attempts),
      'next_attempt_at', strftime('%Y-%m-%dT%H:%M:%fZ', next_at / 1000.0, 'unixepoch'), 'created_at', created_at
    )) STORED,
    CONSTRAINT webhook_delivery_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_delivery_webhook_id_fk FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhook (workspace_id, id),
    CONSTRAINT webhook_delivery_number_unique UNIQUE (workspace_id, webhook_id, number),
    CONSTRAINT webhook_delivery_status CHECK (status IN ('pending', 'succeeded', 'failed')),
    CONSTRAINT webhook_delivery_next_at CHECK ((next_at IS NULL) = (status <> 'pending')),
    CONSTRAINT webhook_delivery_deleted_at CHECK (deleted_at IS NULL)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_delivery_webhook_id ON webhook_delivery (workspace_id, webhook_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX webhook_delivery_next_at ON webhook_delivery (workspace_id, webhook_id, next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX webhook_delivery_failed ON webhook_delivery (workspace_id, webhook_id, number) WHERE status = 'failed';
  `,
}
