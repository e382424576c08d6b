import type { Migration } from '../migrate.ts'

/** Senders who are not for Kontor (decision P11), mailboxes that are not read for a time, and where the log has people on deals. */
export const ignoredSenders: Migration = {
  version: 33,
  sql: `
  CREATE TABLE ignored_sender (
    workspace_id   INTEGER NOT NULL,
    id             TEXT NOT NULL,
    address        TEXT NOT NULL,
    address_key    TEXT NOT NULL,
    visibility     TEXT NOT NULL,
    visibility_key INTEGER NOT NULL,
    user_id        TEXT,
    created_at     TEXT NOT NULL,
    updated_at     TEXT NOT NULL,
    deleted_at     TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'address', address, 'visibility', visibility, 'user_id', user_id, 'created_at', created_at,
      'updated_at', updated_at
    )) STORED,
    CONSTRAINT ignored_sender_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT ignored_sender_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT ignored_sender_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id),
    CONSTRAINT ignored_sender_visibility CHECK (visibility IN ('shared', 'personal'))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ignored_sender_address ON ignored_sender (workspace_id, address_key, user_id) WHERE deleted_at IS NULL;

  CREATE TABLE mail_source_new (
    workspace_id    INTEGER NOT NULL,
    id              TEXT NOT NULL,
    user_id         TEXT,
    audience        TEXT NOT NULL,
    host            TEXT NOT NULL,
    port            INTEGER NOT NULL,
    tls             TEXT NOT NULL,
    user            TEXT NOT NULL,
    folder          TEXT NOT NULL,
    start           TEXT NOT NULL,
    is_active       INTEGER NOT NULL,
    last_success_at TEXT,
    last_error      TEXT,
    last_error_at   TEXT,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'user_id', user_id, 'audience', audience, 'host', host, 'port', port, 'tls', tls, 'user', user,
      'folder', folder, 'start', start, 'is_active', json(iif(is_active, 'true', 'false')),
      'last_success_at', last_success_at, 'last_error', last_error, 'last_error_at', last_error_at,
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    CONSTRAINT mail_source_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT mail_source_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT mail_source_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id),
    CONSTRAINT mail_source_audience CHECK (audience IN ('team', 'participants')),
    CONSTRAINT mail_source_port CHECK (port BETWEEN 1 AND 65535),
    CONSTRAINT mail_source_tls CHECK (tls IN ('implicit', 'starttls', 'none')),
    CONSTRAINT mail_source_is_active CHECK (is_active IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  INSERT INTO mail_source_new (workspace_id, id, user_id, audience, host, port, tls, user, folder, start, is_active, last_success_at, last_error, last_error_at, created_at, updated_at, deleted_at)
    SELECT workspace_id, id, user_id, audience, host, port, tls, user, folder, start, 1, last_success_at, last_error, last_error_at, created_at, updated_at, deleted_at FROM mail_source;
  DROP TABLE mail_source;
  ALTER TABLE mail_source_new RENAME TO mail_source;
  CREATE INDEX mail_source_user_id ON mail_source (workspace_id, user_id, id);

  CREATE INDEX change_contacts ON change (workspace_id, seq)
    WHERE instr(previous, '"contacts":[{') > 0 OR instr(data, '"contacts":[{') > 0;
  `,
}
