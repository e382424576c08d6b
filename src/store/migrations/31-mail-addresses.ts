import type { Migration } from '../migrate.ts'

/** Addresses at which mail arrives, the log of deliveries, and what finds the thread and the contacts of a message (decisions P2, P5, P9). */
export const mailAddresses: Migration = {
  version: 31,
  sql: `
  CREATE TABLE mail_address (
    workspace_id    INTEGER NOT NULL,
    id              TEXT NOT NULL,
    kind            TEXT NOT NULL,
    kind_key        INTEGER NOT NULL,
    user_id         TEXT,
    deal_id         TEXT,
    address         TEXT NOT NULL,
    audience        TEXT NOT NULL,
    last_message_at TEXT,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'kind', kind, 'user_id', user_id, 'deal_id', deal_id, 'address', address, 'audience', audience,
      'last_message_at', last_message_at, 'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    CONSTRAINT mail_address_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT mail_address_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT mail_address_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id),
    CONSTRAINT mail_address_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
    CONSTRAINT mail_address_kind CHECK (kind IN ('company', 'user', 'deal')),
    CONSTRAINT mail_address_audience CHECK (audience IN ('team', 'participants'))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_address_address ON mail_address (workspace_id, address) WHERE deleted_at IS NULL;
  CREATE INDEX mail_address_owner ON mail_address (workspace_id, kind, user_id, deal_id) WHERE deleted_at IS NULL;

  CREATE TABLE mail_log (
    workspace_id INTEGER NOT NULL,
    id           TEXT NOT NULL,
    door         TEXT NOT NULL,
    address      TEXT NOT NULL,
    user_id      TEXT, -- whose address it is
    outcome      TEXT NOT NULL,
    reason       TEXT,
    message_id   TEXT,
    at           TEXT NOT NULL,
    deleted_at   TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'at', at, 'door', door, 'address', address, 'from', NULL, 'subject', NULL, 'outcome', outcome,
      'reason', reason, 'message_id', message_id
    )) STORED,
    CONSTRAINT mail_log_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT mail_log_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT mail_log_door CHECK (door IN ('smtp', 'http', 'imap')),
    CONSTRAINT mail_log_outcome CHECK (outcome IN ('stored', 'duplicate', 'internal', 'held', 'unmatched', 'refused')),
    CONSTRAINT mail_log_deleted_at CHECK (deleted_at IS NULL)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_log_user_id ON mail_log (workspace_id, user_id, id);

  -- The thread of each message that has arrived or that one has referred to, by the hash of its Message-ID.
  CREATE TABLE mail_reference (
    workspace_id INTEGER NOT NULL,
    hash         TEXT NOT NULL,
    thread_id    TEXT NOT NULL,
    CONSTRAINT mail_reference_pk PRIMARY KEY (workspace_id, hash),
    CONSTRAINT mail_reference_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_reference_thread_id ON mail_reference (workspace_id, thread_id);

  -- The addresses of messages that belong to no contact yet.
  CREATE TABLE mail_unmatched (
    workspace_id INTEGER NOT NULL,
    email_key    TEXT NOT NULL,
    message_id   TEXT NOT NULL,
    CONSTRAINT mail_unmatched_pk PRIMARY KEY (workspace_id, email_key, message_id),
    CONSTRAINT mail_unmatched_message_id_fk FOREIGN KEY (workspace_id, message_id) REFERENCES message (workspace_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_unmatched_message_id ON mail_unmatched (workspace_id, message_id);
  `,
}
