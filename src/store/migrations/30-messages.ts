import type { Migration } from '../migrate.ts'

/** Messages (decision P1) with the people who sent or received them, and what prevents the return of erased ones. */
export const messages: Migration = {
  version: 30,
  sql: `
  ALTER TABLE api_key ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0 CONSTRAINT api_key_is_own CHECK (is_own IN (0, 1));

  CREATE INDEX file_attached ON file (workspace_id, id, message_id) WHERE message_id IS NOT NULL;
  CREATE TABLE message (
    workspace_id              INTEGER NOT NULL,
    id                        TEXT NOT NULL,
    direction                 TEXT NOT NULL,
    direction_key             INTEGER NOT NULL,
    status                    TEXT NOT NULL,
    status_key                INTEGER NOT NULL,
    subject                   TEXT,
    subject_key               TEXT,
    "from"                    TEXT,
    from_key                  TEXT,
    "to"                      TEXT NOT NULL,
    cc                        TEXT NOT NULL,
    sent_at                   TEXT,
    received_at               TEXT NOT NULL,
    internet_message_id       TEXT,
    thread_id                 TEXT NOT NULL,
    text                      TEXT NOT NULL,
    has_html                  INTEGER NOT NULL,
    is_verified               INTEGER NOT NULL,
    is_forwarded              INTEGER NOT NULL,
    audience                  TEXT NOT NULL,
    audience_key              INTEGER NOT NULL,
    organization_id           TEXT,
    suggested_organization_id TEXT,
    deal_id                   TEXT,
    contact_ids               TEXT NOT NULL,
    user_ids                  TEXT NOT NULL,
    metadata                  TEXT NOT NULL,
    created_at                TEXT NOT NULL,
    updated_at                TEXT NOT NULL,
    deleted_at                TEXT,
    record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
      'id', id, 'direction', direction, 'status', status, 'subject', subject, 'from', json("from"), 'to', json("to"),
      'cc', json(cc), 'sent_at', sent_at, 'received_at', received_at, 'internet_message_id', internet_message_id,
      'thread_id', thread_id, 'text', text, 'has_html', json(iif(has_html, 'true', 'false')),
      'is_verified', json(iif(is_verified, 'true', 'false')),
      'is_forwarded', json(iif(is_forwarded, 'true', 'false')), 'audience', audience,
      'organization_id', organization_id, 'suggested_organization_id', suggested_organization_id, 'deal_id', deal_id,
      'contact_ids', json(contact_ids), 'user_ids', json(user_ids), 'metadata', json(metadata),
      'created_at', created_at, 'updated_at', updated_at
    )) STORED,
    participants TEXT,
    html TEXT,
    original_sha256 TEXT,
    original_bytes INTEGER,
    identity TEXT,
    held_for TEXT,
    audience_chosen INTEGER,
    CONSTRAINT message_pk PRIMARY KEY (workspace_id, id),
    CONSTRAINT message_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT message_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
    CONSTRAINT message_suggested_organization_id_fk FOREIGN KEY (workspace_id, suggested_organization_id) REFERENCES organization (workspace_id, id),
    CONSTRAINT message_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
    CONSTRAINT message_direction CHECK (direction IN ('inbound', 'outbound')),
    CONSTRAINT message_status CHECK (status IN ('matched', 'unmatched', 'held')),
    CONSTRAINT message_has_html CHECK (has_html IN (0, 1)),
    CONSTRAINT message_is_verified CHECK (is_verified IN (0, 1)),
    CONSTRAINT message_is_forwarded CHECK (is_forwarded IN (0, 1)),
    CONSTRAINT message_audience CHECK (audience IN ('team', 'participants')),
    CONSTRAINT message_metadata CHECK (json_type(metadata) = 'object')
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX message_direction ON message (workspace_id, direction_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_status ON message (workspace_id, status_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_subject ON message (workspace_id, subject_key, subject, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_from ON message (workspace_id, from_key, "from", id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_sent_at ON message (workspace_id, sent_at, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_received_at ON message (workspace_id, received_at, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_thread_id ON message (workspace_id, thread_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_audience ON message (workspace_id, audience_key, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_organization_id ON message (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_deal_id ON message (workspace_id, deal_id, id, deleted_at) WHERE deleted_at IS NULL;
  CREATE INDEX message_updated_at ON message (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

  CREATE TRIGGER message_insert AFTER INSERT ON message BEGIN
    INSERT INTO record_count VALUES (new.workspace_id, 'message', 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
    INSERT INTO search_pending VALUES (new.workspace_id, 'message', new.id);
  END;
  CREATE TRIGGER message_search_update AFTER UPDATE OF subject_key, from_key, participants, text ON message BEGIN
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'message', new.id);
  END;
  CREATE TRIGGER message_count_delete AFTER UPDATE OF deleted_at ON message
    WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'message';
  END;
  CREATE TRIGGER message_restore AFTER UPDATE OF deleted_at ON message
    WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
    UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'message';
    INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'message', new.id);
  END;

  CREATE TABLE message_contact (
    workspace_id INTEGER NOT NULL,
    message_id   TEXT NOT NULL,
    contact_id   TEXT NOT NULL,
    position     INTEGER NOT NULL,
    CONSTRAINT message_contact_pk PRIMARY KEY (workspace_id, message_id, contact_id),
    CONSTRAINT message_contact_message_id_fk FOREIGN KEY (workspace_id, message_id) REFERENCES message (workspace_id, id),
    CONSTRAINT message_contact_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX message_contact_contact_id ON message_contact (workspace_id, contact_id, message_id);

  CREATE TABLE message_user (
    workspace_id INTEGER NOT NULL,
    message_id   TEXT NOT NULL,
    user_id      TEXT NOT NULL,
    position     INTEGER NOT NULL,
    CONSTRAINT message_user_pk PRIMARY KEY (workspace_id, message_id, user_id),
    CONSTRAINT message_user_message_id_fk FOREIGN KEY (workspace_id, message_id) REFERENCES message (workspace_id, id),
    CONSTRAINT message_user_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX message_user_user_id ON message_user (workspace_id, user_id, message_id);

  CREATE INDEX message_identity ON message (workspace_id, identity);
  CREATE INDEX message_internet_message_id ON message (workspace_id, internet_message_id) WHERE internet_message_id IS NOT NULL;
  CREATE INDEX message_original ON message (workspace_id, original_sha256, original_bytes) WHERE original_sha256 IS NOT NULL;
  CREATE INDEX message_restricted ON message (workspace_id, id, audience, status, held_for) WHERE audience = 'participants' OR status = 'held';

  CREATE TABLE erased_message (
    workspace_id INTEGER NOT NULL,
    hash         TEXT NOT NULL,
    CONSTRAINT erased_message_pk PRIMARY KEY (workspace_id, hash),
    CONSTRAINT erased_message_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
  ) STRICT, WITHOUT ROWID;
  `,
}
