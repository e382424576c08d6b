import type { Migration } from '../migrate.ts'

/** Mailboxes from which messages come (decision P3). */
export const mailSources: Migration = {
  version: 32,
  sql: `
  CREATE TABLE mail_source (
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
    last_success_at TEXT,
    last_error      TEXT,
    last_error_at   TEXT,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'user_id', user_id, 'audience', audience, 'host', host, 'port', port, 'tls', tls, 'user', user, 'folder', folder,
      'start', start, 'last_success_at', last_success_at, 'last_error', last_error, 'last_error_at', last_error_at,
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    CONSTRAINT mail_source_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT mail_source_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT mail_source_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id),
    CONSTRAINT mail_source_audience CHECK (audience IN ('team', 'participants')),
    CONSTRAINT mail_source_port CHECK (port BETWEEN 1 AND 65535),
    CONSTRAINT mail_source_tls CHECK (tls IN ('implicit', 'starttls', 'none'))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_source_user_id ON mail_source (workspace_id, user_id, id);

  -- The password of each source, encrypted, and how far its folder has been read.
  CREATE TABLE mail_source_state (
    workspace_id INTEGER NOT NULL,
    source_id    TEXT NOT NULL,
    password     TEXT NOT NULL,
    uid_validity TEXT,
    last_uid     INTEGER NOT NULL,
    since        TEXT,
    arrived_at   TEXT,
    CONSTRAINT mail_source_state_pk PRIMARY KEY (workspace_id, source_id),
    CONSTRAINT mail_source_state_source_id_fk FOREIGN KEY (workspace_id, source_id) REFERENCES mail_source (workspace_id, id)
  ) STRICT, WITHOUT ROWID;
  `,
}
