-- Kontor's data model, as of `PRAGMA user_version` 38. A fresh database is created from this file;
-- an older one is upgraded to it by the steps in src/store/migrations/index.ts.
--
-- Conventions
--   * Identifiers are UUIDv7 in text; timestamps are UTC, ISO 8601 with milliseconds and `Z`; flags are 0 or 1.
--   * A record belongs to a workspace (a company's live or test data). Every key, reference and index of a record's
--     table begins with workspace_id, and references are composite, so SQLite rejects a reference across workspaces.
--   * created_at is the timestamp in the UUIDv7, so the order of ids is the order of creation.
--   * A column `<field>_key` is what lists compare and sort by: text folded by `fold` in src/lib/text.ts (telephone numbers by
--     `phoneKey`, addresses by `withoutCase`), or the rank of an enumeration's value.
--   * `record` is the record's JSON as responses show it. SQLite generates and stores it, so a list only reads it.
--   * A resource's table, indexes and triggers are printed by `npm run ddl <resource>`; a test compares them.
--   * A record with deleted_at is deleted. It stays because other records may refer to it.

-- Access ------------------------------------------------------------------------------------------------------------

CREATE TABLE setting (
  name  TEXT NOT NULL,
  value TEXT NOT NULL,
  CONSTRAINT setting_pk PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

-- The secret that protects list cursors, the origin of the logs' names, which a restore replaces, and the key of webhooks' secrets and of
-- the responses that are stored for users.
INSERT INTO setting VALUES
  ('cursor_secret', lower(hex(randomblob(32)))), ('log_origin', lower(hex(randomblob(32)))), ('webhook_key', lower(hex(randomblob(32))));

CREATE TABLE plan (
  name                TEXT NOT NULL,
  rank                INTEGER NOT NULL,
  requests_per_minute INTEGER NOT NULL,
  requests_per_day    INTEGER NOT NULL,
  max_organizations   INTEGER, -- per workspace; null means unlimited
  max_contacts        INTEGER,
  max_deals           INTEGER,
  bulk_import         INTEGER NOT NULL DEFAULT 1, -- 1 if the plan includes it
  webhooks            INTEGER NOT NULL DEFAULT 1,
  max_storage_bytes   INTEGER CONSTRAINT plan_storage CHECK (max_storage_bytes >= 0), -- of a company's files
  CONSTRAINT plan_pk PRIMARY KEY (name),
  CONSTRAINT plan_requests CHECK (requests_per_minute BETWEEN 1 AND 100000 AND requests_per_day > 0),
  CONSTRAINT plan_records CHECK (max_organizations >= 0 AND max_contacts >= 0 AND max_deals >= 0),
  CONSTRAINT plan_features CHECK (bulk_import IN (0, 1) AND webhooks IN (0, 1))
) STRICT, WITHOUT ROWID;

INSERT INTO plan (name, rank, requests_per_minute, requests_per_day) VALUES
  ('free', 0, 30, 500),
  ('starter', 1, 60, 1000),
  ('professional', 2, 120, 5000),
  ('enterprise', 3, 300, 20000);

CREATE TABLE company (
  id         TEXT NOT NULL,
  name       TEXT NOT NULL,
  plan       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  phone_country TEXT CONSTRAINT company_phone_country CHECK (phone_country GLOB '[A-Z][A-Z]'),
  currency TEXT NOT NULL DEFAULT 'EUR' CONSTRAINT company_currency CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  time_zone TEXT NOT NULL DEFAULT 'UTC' CONSTRAINT company_time_zone CHECK (length(time_zone) BETWEEN 1 AND 100),
  CONSTRAINT company_pk PRIMARY KEY (id),
  CONSTRAINT company_plan_fk FOREIGN KEY (plan) REFERENCES plan (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  id          INTEGER PRIMARY KEY,
  company_id  TEXT NOT NULL,
  environment TEXT NOT NULL,
  CONSTRAINT workspace_company_fk FOREIGN KEY (company_id) REFERENCES company (id),
  CONSTRAINT workspace_environment CHECK (environment IN ('live', 'test')),
  CONSTRAINT workspace_environment_unique UNIQUE (company_id, environment)
) STRICT;

CREATE TABLE user (
  id            TEXT NOT NULL,
  company_id    TEXT NOT NULL,
  full_name     TEXT NOT NULL,
  full_name_key TEXT NOT NULL,
  email         TEXT NOT NULL,
  email_key     TEXT NOT NULL,
  role          TEXT NOT NULL,
  is_active     INTEGER NOT NULL DEFAULT 1,
  password_hash TEXT, -- scrypt, in the format of src/access/password.ts; null means that the user cannot sign in
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  CONSTRAINT user_pk PRIMARY KEY (id),
  CONSTRAINT user_company_fk FOREIGN KEY (company_id) REFERENCES company (id),
  CONSTRAINT user_email_unique UNIQUE (company_id, email_key),
  CONSTRAINT user_role CHECK (role IN ('owner', 'admin', 'member')),
  CONSTRAINT user_is_active CHECK (is_active IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX user_email ON user (email_key);

-- A sign-in to the console. Its cookie holds a random token, of which only the hash is stored.
CREATE TABLE session (
  hash         TEXT NOT NULL, -- SHA-256 of the token, hexadecimal
  user_id      TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  expires_at   TEXT NOT NULL,
  user_agent   TEXT, -- of the browser that signed in
  address      TEXT, -- that it signed in from
  last_used_at TEXT, -- to a few minutes
  CONSTRAINT session_pk PRIMARY KEY (hash),
  CONSTRAINT session_user_fk FOREIGN KEY (user_id) REFERENCES user (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_user ON session (user_id);
CREATE INDEX session_expires_at ON session (expires_at);

-- A link with which a user sets a password once. A user has at most one.
CREATE TABLE invitation (
  user_id    TEXT NOT NULL,
  hash       TEXT NOT NULL, -- SHA-256 of the token, hexadecimal
  expires_at TEXT NOT NULL,
  CONSTRAINT invitation_pk PRIMARY KEY (user_id),
  CONSTRAINT invitation_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
  CONSTRAINT invitation_hash_unique UNIQUE (hash)
) STRICT, WITHOUT ROWID;

-- What others have done to a user's account with which they could sign in as that user, until the user has read it.
CREATE TABLE user_notice (
  user_id      TEXT NOT NULL,
  kind         TEXT NOT NULL,
  author_id    TEXT NOT NULL, -- the user who did it
  former_email TEXT, -- before the email was changed
  created_at   TEXT NOT NULL,
  CONSTRAINT user_notice_pk PRIMARY KEY (user_id, kind, author_id),
  CONSTRAINT user_notice_kind CHECK (kind IN ('password_link', 'email')),
  CONSTRAINT user_notice_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
  CONSTRAINT user_notice_author_fk FOREIGN KEY (author_id) REFERENCES user (id)
) STRICT, WITHOUT ROWID;

-- The secret address of a user's calendar of tasks. A user has at most one.
CREATE TABLE calendar_feed (
  user_id    TEXT NOT NULL,
  hash       TEXT NOT NULL, -- SHA-256 of the token, hexadecimal
  time_zone  TEXT NOT NULL, -- in which a due date without a time is a day: Europe/Berlin
  created_at TEXT NOT NULL,
  CONSTRAINT calendar_feed_pk PRIMARY KEY (user_id),
  CONSTRAINT calendar_feed_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
  CONSTRAINT calendar_feed_hash_unique UNIQUE (hash)
) STRICT, WITHOUT ROWID;

-- The link that creates the first user. There is at most one; a newer one replaces it.
CREATE TABLE setup_link (
  id         INTEGER PRIMARY KEY,
  hash       TEXT NOT NULL, -- SHA-256 of the token, hexadecimal
  expires_at TEXT NOT NULL,
  CONSTRAINT setup_link_one CHECK (id = 1)
) STRICT;

-- Failed sign-ins of the last 15 minutes, by account and by address. They survive a restart.
CREATE TABLE sign_in_attempt (
  name     TEXT NOT NULL, -- SHA-256 of the account or address, hexadecimal
  attempts INTEGER NOT NULL,
  began_at TEXT NOT NULL, -- the start of the 15 minutes
  CONSTRAINT sign_in_attempt_pk PRIMARY KEY (name),
  CONSTRAINT sign_in_attempt_attempts CHECK (attempts > 0)
) STRICT, WITHOUT ROWID;

-- The addresses that a user has signed in from. Failed sign-ins from other addresses do not lock the user out there.
CREATE TABLE sign_in_place (
  user_id      TEXT NOT NULL,
  address      TEXT NOT NULL, -- an IPv4 address or an IPv6 /64
  last_used_at TEXT NOT NULL,
  CONSTRAINT sign_in_place_pk PRIMARY KEY (user_id, address),
  CONSTRAINT sign_in_place_user_fk FOREIGN KEY (user_id) REFERENCES user (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id            TEXT NOT NULL,
  workspace_id  INTEGER NOT NULL,
  name          TEXT NOT NULL,
  name_key      TEXT NOT NULL,
  description   TEXT,
  prefix        TEXT NOT NULL, -- the key's first 24 characters, for display
  hash          TEXT NOT NULL, -- SHA-256 of the complete key, hexadecimal; the key itself is not stored
  type          TEXT NOT NULL,
  user_id       TEXT,
  scopes        TEXT NOT NULL, -- JSON array
  is_active     INTEGER NOT NULL DEFAULT 1,
  expires_at    TEXT,
  revoked_at    TEXT,
  last_used_at  TEXT,
  last_used_ip  TEXT,
  request_count INTEGER NOT NULL DEFAULT 0,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  -- the widest mode in which agents may work with it
  mcp_mode      TEXT NOT NULL DEFAULT 'write' CONSTRAINT api_key_mcp_mode CHECK (mcp_mode IN ('read', 'propose', 'write')),
  -- whether its user created it while signed in
  is_own INTEGER NOT NULL DEFAULT 0 CONSTRAINT api_key_is_own CHECK (is_own IN (0, 1)),
  CONSTRAINT api_key_pk PRIMARY KEY (id),
  CONSTRAINT api_key_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT api_key_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
  CONSTRAINT api_key_hash_unique UNIQUE (hash),
  CONSTRAINT api_key_type CHECK (type = iif(user_id IS NULL, 'shared', 'personal')),
  CONSTRAINT api_key_scopes CHECK (json_type(scopes) = 'array'),
  CONSTRAINT api_key_is_active CHECK (is_active IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_workspace ON api_key (workspace_id, id);
CREATE INDEX api_key_user ON api_key (user_id, revoked_at) WHERE user_id IS NOT NULL;

-- Requests of a key on one UTC day, by outcome.
CREATE TABLE api_key_usage (
  api_key_id   TEXT NOT NULL,
  day          TEXT NOT NULL, -- YYYY-MM-DD
  succeeded    INTEGER NOT NULL, -- 2xx and 3xx
  rejected     INTEGER NOT NULL, -- 4xx except 429
  rate_limited INTEGER NOT NULL, -- 429; not counted against the limits
  failed       INTEGER NOT NULL, -- 5xx
  CONSTRAINT api_key_usage_pk PRIMARY KEY (api_key_id, day),
  CONSTRAINT api_key_usage_api_key_fk FOREIGN KEY (api_key_id) REFERENCES api_key (id)
) STRICT, WITHOUT ROWID;

-- Keys with their effective permissions: a personal key has at most its user's current rights, and a revoked key is not active.
CREATE VIEW effective_api_key AS
  SELECT api_key.id, workspace_id, name, name_key, description, prefix, hash, type, user_id, role AS user_role,
    iif(role = 'member' AND EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'admin:all'),
      '["read:all","write:all"]', scopes) AS scopes, mcp_mode,
    iif(revoked_at IS NULL, api_key.is_active, 0) AS is_active, expires_at, revoked_at,
    last_used_at, last_used_ip, request_count, api_key.created_at, api_key.updated_at
  FROM api_key LEFT JOIN user ON user.id = user_id;

-- A company's keys as each of its workspaces sees them.
CREATE VIEW workspace_api_key AS
  SELECT viewer_id AS workspace_id, api_key.id, name, name_key, description, prefix, environment,
    CASE environment WHEN 'live' THEN 0 ELSE 1 END AS environment_key, type,
    CASE type WHEN 'shared' THEN 0 ELSE 1 END AS type_key, user_id, scopes, mcp_mode, is_active, expires_at, revoked_at,
    last_used_at, last_used_ip, request_count, created_at, updated_at, NULL AS deleted_at,
    json_object('id', api_key.id, 'name', name, 'description', description, 'prefix', prefix,
      'environment', environment, 'type', type, 'user_id', user_id, 'scopes', json(scopes), 'mcp_mode', mcp_mode,
      'is_active', json(iif(is_active, 'true', 'false')), 'expires_at', expires_at, 'revoked_at', revoked_at,
      'last_used_at', last_used_at, 'last_used_ip', last_used_ip, 'request_count', request_count,
      'created_at', created_at, 'updated_at', updated_at) AS record
  FROM effective_api_key AS api_key JOIN (SELECT id AS own_id, company_id, environment FROM workspace)
      ON own_id = api_key.workspace_id
    JOIN (SELECT id AS viewer_id, company_id AS viewer_company_id FROM workspace) ON viewer_company_id = company_id;

-- The responses to POST requests with an Idempotency-Key, stored for a day (decision B15).
CREATE TABLE idempotent_answer (
  workspace_id INTEGER NOT NULL,
  api_key_id   TEXT NOT NULL,
  key          TEXT NOT NULL,
  request      TEXT NOT NULL, -- SHA-256 of method, path, query and body
  answer       TEXT NOT NULL, -- encrypted with the API key, because it may show a new key
  created_at   TEXT NOT NULL,
  CONSTRAINT idempotent_answer_pk PRIMARY KEY (workspace_id, api_key_id, key),
  CONSTRAINT idempotent_answer_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT idempotent_answer_api_key_fk FOREIGN KEY (api_key_id) REFERENCES api_key (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_answer_created_at ON idempotent_answer (workspace_id, created_at);

-- The same for requests of signed-in users.
CREATE TABLE idempotent_user_answer (
  workspace_id INTEGER NOT NULL,
  user_id      TEXT NOT NULL,
  key          TEXT NOT NULL,
  request      TEXT NOT NULL, -- SHA-256 of method, path, query and body
  answer       TEXT NOT NULL, -- encrypted with a key derived from webhook_key
  created_at   TEXT NOT NULL,
  CONSTRAINT idempotent_user_answer_pk PRIMARY KEY (workspace_id, user_id, key),
  CONSTRAINT idempotent_user_answer_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT idempotent_user_answer_user_fk FOREIGN KEY (user_id) REFERENCES user (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_user_answer_created_at ON idempotent_user_answer (workspace_id, created_at);

-- Changes -----------------------------------------------------------------------------------------------------------

-- Types (`deal.updated`) and authors (`api_key 0190…`, `operator`) of changes: their numbers keep the log small. Rows are never removed, so
-- the log needs no foreign keys, which would be checked with each change.
CREATE TABLE change_term (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  CONSTRAINT change_term_text_unique UNIQUE (text)
) STRICT;

-- The log: every change of a workspace's records, in the order of commits and without gaps. The record is the newest state; an older
-- one is the record with the `previous` values of later changes. `data` is stored where that does not lead to the state.
CREATE TABLE change (
  workspace_id INTEGER NOT NULL,
  seq          INTEGER NOT NULL,
  type         INTEGER NOT NULL,
  record_id    BLOB NOT NULL, -- 16 bytes
  at           INTEGER NOT NULL, -- milliseconds since 1970; never decreases
  actor        INTEGER NOT NULL,
  request_id   ANY, -- 16 bytes if it is a UUID, otherwise text
  cause        TEXT, -- JSON
  previous     TEXT, -- JSON: the former values of the changed fields and of updated_at
  data         TEXT, -- JSON: the record after the change
  CONSTRAINT change_pk PRIMARY KEY (workspace_id, seq),
  CONSTRAINT change_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT change_seq CHECK (seq > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX change_record_id ON change (workspace_id, record_id, seq);
CREATE INDEX change_request_id ON change (workspace_id, request_id, seq);
CREATE INDEX change_actor ON change (workspace_id, actor, seq);
-- What was said about people on deals, for the erasure of a person.
CREATE INDEX change_contacts ON change (workspace_id, seq)
  WHERE instr(previous, '"contacts":[{') > 0 OR instr(data, '"contacts":[{') > 0;

-- How far the readers of the log that keep derived values up to date have come in each workspace. Without a row, a reader begins with the records.
CREATE TABLE log_reader (
  workspace_id INTEGER NOT NULL,
  name         TEXT NOT NULL,
  version      INTEGER NOT NULL, -- of what it makes
  position     INTEGER NOT NULL, -- the number of the last change that it has dealt with
  rebuilt      TEXT, -- the last record that it has dealt with, while it makes everything anew
  CONSTRAINT log_reader_pk PRIMARY KEY (workspace_id, name),
  CONSTRAINT log_reader_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
) STRICT, WITHOUT ROWID;

-- Deleted records that can be restored. `deleted_at` is null, because lists show rows in which it is; the time is in its key.
CREATE TABLE trash (
  workspace_id   INTEGER NOT NULL,
  id             TEXT NOT NULL,
  type           TEXT NOT NULL, -- the resource's name
  title          TEXT NOT NULL,
  deleted_at     TEXT,
  deleted_at_key TEXT NOT NULL,
  deleted_by     TEXT NOT NULL, -- JSON: the author of the change
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'type', type, 'title', title, 'deleted_at', deleted_at_key, 'deleted_by', json(deleted_by)
  )) STORED,
  -- The record into which it has been merged (decision K6).
  merged_into TEXT,
  -- The record that it is a part of, if it was deleted with it.
  deleted_with TEXT,
  CONSTRAINT trash_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT trash_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT trash_deleted_at CHECK (deleted_at IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX trash_type ON trash (workspace_id, type, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX trash_deleted_at ON trash (workspace_id, deleted_at_key, id, deleted_at) WHERE deleted_at IS NULL;
-- Finds what was merged into a record, and the parts that were deleted with one.
CREATE INDEX trash_merged_into ON trash (workspace_id, merged_into, type, id) WHERE merged_into IS NOT NULL;
CREATE INDEX trash_deleted_with ON trash (workspace_id, deleted_with, id) WHERE deleted_with IS NOT NULL;

-- Records -----------------------------------------------------------------------------------------------------------

-- The number of undeleted records in a workspace, maintained by triggers: the total of an unfiltered list.
CREATE TABLE record_count (
  workspace_id INTEGER NOT NULL,
  resource     TEXT NOT NULL,
  records      INTEGER NOT NULL,
  CONSTRAINT record_count_pk PRIMARY KEY (workspace_id, resource),
  CONSTRAINT record_count_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT record_count_records CHECK (records >= 0)
) STRICT, WITHOUT ROWID;

-- The number of undeleted records with each value of a tallied field, maintained by triggers: the total of a list with that filter.
CREATE TABLE value_count (
  workspace_id INTEGER NOT NULL,
  resource     TEXT NOT NULL,
  field        TEXT NOT NULL, -- the column that lists compare
  value        ANY NOT NULL,
  records      INTEGER NOT NULL,
  CONSTRAINT value_count_pk PRIMARY KEY (workspace_id, resource, field, value),
  CONSTRAINT value_count_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT value_count_records CHECK (records >= 0)
) STRICT, WITHOUT ROWID;

-- The bytes of content that a workspace's records have, the trash included, maintained by triggers: what a plan limits.
CREATE TABLE stored_bytes (
  workspace_id INTEGER NOT NULL,
  resource     TEXT NOT NULL,
  field        TEXT NOT NULL, -- the column that is summed up
  bytes        INTEGER NOT NULL,
  CONSTRAINT stored_bytes_pk PRIMARY KEY (workspace_id, resource, field),
  CONSTRAINT stored_bytes_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT stored_bytes_bytes CHECK (bytes >= 0)
) STRICT, WITHOUT ROWID;

-- The three-character pieces of the records' text and the beginnings of its words, each marked with its workspace and field. A `like` and
-- a search find candidates here and then compare the records, so outdated pieces do not affect results. The worker thread writes this
-- table in batches.
CREATE VIRTUAL TABLE search USING fts5(
  pieces, id UNINDEXED, content='', contentless_unindexed=1, columnsize=0, detail=none, tokenize='ascii'
);

-- Records whose text is not in `search` yet, marked by triggers. A `like` and a search read all of them.
CREATE TABLE search_pending (
  workspace_id INTEGER NOT NULL,
  resource     TEXT NOT NULL,
  id           TEXT NOT NULL,
  CONSTRAINT search_pending_pk PRIMARY KEY (workspace_id, resource, id),
  CONSTRAINT search_pending_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
) STRICT, WITHOUT ROWID;

-- Resources of which `search` lacks the beginnings of words of the records after this one: they were in it before version 20.
CREATE TABLE search_start (
  workspace_id INTEGER NOT NULL,
  resource     TEXT NOT NULL,
  after_id     TEXT NOT NULL,
  CONSTRAINT search_start_pk PRIMARY KEY (workspace_id, resource),
  CONSTRAINT search_start_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE organization (
  workspace_id          INTEGER NOT NULL,
  id                    TEXT NOT NULL,
  name                  TEXT NOT NULL,
  name_key              TEXT NOT NULL,
  status                TEXT NOT NULL,
  status_key            INTEGER NOT NULL,
  organization_type     TEXT,
  organization_type_key TEXT,
  address               TEXT,
  city                  TEXT,
  city_key              TEXT,
  state                 TEXT,
  postal_code           TEXT,
  country               TEXT,
  country_key           TEXT,
  domain                TEXT,
  domain_key            TEXT,
  metadata              TEXT NOT NULL,
  created_at            TEXT NOT NULL,
  updated_at            TEXT NOT NULL,
  deleted_at            TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'name', name, 'status', status, 'organization_type', organization_type, 'address', address,
    'city', city, 'state', state, 'postal_code', postal_code, 'country', country, 'domain', domain,
    'metadata', json(metadata), 'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  last_activity_at TEXT,
  CONSTRAINT organization_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT organization_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT organization_status CHECK (status IN ('lead', 'active', 'inactive', 'lost')),
  CONSTRAINT organization_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

-- Every field that lists filter or sort by has an index called <table>_<field>; lists choose indexes by that name. An index also has
-- the text of its key, which orders equal keys, and deleted_at, so that a count reads only the index. created_at needs none, because ids have its order.
CREATE INDEX organization_name ON organization (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_status ON organization (workspace_id, status_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_organization_type ON organization (workspace_id, organization_type_key, organization_type, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_city ON organization (workspace_id, city_key, city, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_country ON organization (workspace_id, country_key, country, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_domain ON organization (workspace_id, domain_key, domain, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_last_activity_at ON organization (workspace_id, last_activity_at, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX organization_updated_at ON organization (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

CREATE TRIGGER organization_insert AFTER INSERT ON organization BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'organization', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'organization', new.id);
END;
CREATE TRIGGER organization_search_update AFTER UPDATE OF name_key, organization_type_key, city_key, country_key, domain_key ON organization BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'organization', new.id);
END;
CREATE TRIGGER organization_count_delete AFTER UPDATE OF deleted_at ON organization
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'organization';
END;
CREATE TRIGGER organization_restore AFTER UPDATE OF deleted_at ON organization
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'organization';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'organization', new.id);
END;
CREATE TRIGGER organization_tally_insert AFTER INSERT ON organization BEGIN
  INSERT INTO value_count VALUES (new.workspace_id, 'organization', 'status_key', new.status_key, 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER organization_tally_status_key AFTER UPDATE OF status_key, deleted_at ON organization
  WHEN (old.status_key, old.deleted_at IS NULL) IS NOT (new.status_key, new.deleted_at IS NULL) BEGIN
  UPDATE value_count SET records = records - 1 WHERE old.deleted_at IS NULL
    AND workspace_id = old.workspace_id AND resource = 'organization' AND field = 'status_key' AND value = old.status_key;
  INSERT INTO value_count SELECT new.workspace_id, 'organization', 'status_key', new.status_key, 1 WHERE new.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET records = records + 1;
END;

CREATE TABLE contact (
  workspace_id      INTEGER NOT NULL,
  id                TEXT NOT NULL,
  first_name        TEXT NOT NULL,
  first_name_key    TEXT NOT NULL,
  last_name         TEXT,
  last_name_key     TEXT,
  job_title         TEXT,
  job_title_key     TEXT,
  organization_id   TEXT,
  is_primary        INTEGER NOT NULL,
  consent_to_record INTEGER NOT NULL,
  metadata          TEXT NOT NULL,
  created_at        TEXT NOT NULL,
  updated_at        TEXT NOT NULL,
  deleted_at        TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'first_name', first_name, 'last_name', last_name, 'job_title', job_title,
    'organization_id', organization_id, 'is_primary', json(iif(is_primary, 'true', 'false')),
    'consent_to_record', json(iif(consent_to_record, 'true', 'false')), 'metadata', json(metadata),
    'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  last_activity_at TEXT,
  CONSTRAINT contact_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT contact_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT contact_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
  CONSTRAINT contact_is_primary CHECK (is_primary IN (0, 1)),
  CONSTRAINT contact_consent_to_record CHECK (consent_to_record IN (0, 1)),
  CONSTRAINT contact_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

CREATE INDEX contact_first_name ON contact (workspace_id, first_name_key, first_name, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_last_name ON contact (workspace_id, last_name_key, last_name, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_job_title ON contact (workspace_id, job_title_key, job_title, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_organization_id ON contact (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_is_primary ON contact (workspace_id, is_primary, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_last_activity_at ON contact (workspace_id, last_activity_at, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_updated_at ON contact (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;
-- decision D4: an organization has at most one primary contact.
CREATE UNIQUE INDEX contact_is_primary_unique ON contact (workspace_id, organization_id)
  WHERE is_primary = 1 AND organization_id IS NOT NULL AND deleted_at IS NULL;

CREATE TRIGGER contact_insert AFTER INSERT ON contact BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'contact', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'contact', new.id);
END;
CREATE TRIGGER contact_search_update AFTER UPDATE OF first_name_key, last_name_key, job_title_key ON contact BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.id);
END;
CREATE TRIGGER contact_count_delete AFTER UPDATE OF deleted_at ON contact
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'contact';
END;
CREATE TRIGGER contact_restore AFTER UPDATE OF deleted_at ON contact
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'contact';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.id);
END;
CREATE TRIGGER contact_tally_insert AFTER INSERT ON contact BEGIN
  INSERT INTO value_count VALUES (new.workspace_id, 'contact', 'is_primary', new.is_primary, 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER contact_tally_is_primary AFTER UPDATE OF is_primary, deleted_at ON contact
  WHEN (old.is_primary, old.deleted_at IS NULL) IS NOT (new.is_primary, new.deleted_at IS NULL) BEGIN
  UPDATE value_count SET records = records - 1 WHERE old.deleted_at IS NULL
    AND workspace_id = old.workspace_id AND resource = 'contact' AND field = 'is_primary' AND value = old.is_primary;
  INSERT INTO value_count SELECT new.workspace_id, 'contact', 'is_primary', new.is_primary, 1 WHERE new.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET records = records + 1;
END;

CREATE TABLE contact_email (
  workspace_id INTEGER NOT NULL,
  contact_id   TEXT NOT NULL,
  id           TEXT NOT NULL,
  email        TEXT NOT NULL,
  email_key    TEXT NOT NULL,
  type         TEXT NOT NULL,
  is_primary   INTEGER NOT NULL,
  CONSTRAINT contact_email_pk PRIMARY KEY (workspace_id, contact_id, id),
  CONSTRAINT contact_email_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id),
  CONSTRAINT contact_email_is_primary CHECK (is_primary IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX contact_email_email_unique ON contact_email (workspace_id, email_key, contact_id);
CREATE UNIQUE INDEX contact_email_is_primary_unique ON contact_email (workspace_id, contact_id) WHERE is_primary = 1;

CREATE TRIGGER contact_email_insert AFTER INSERT ON contact_email BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.contact_id);
END;
CREATE TRIGGER contact_email_search_update AFTER UPDATE OF email_key ON contact_email BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.contact_id);
END;

CREATE TABLE contact_phone (
  workspace_id     INTEGER NOT NULL,
  contact_id       TEXT NOT NULL,
  id               TEXT NOT NULL,
  phone_number     TEXT NOT NULL,
  phone_number_key TEXT NOT NULL,
  type             TEXT NOT NULL,
  is_primary       INTEGER NOT NULL,
  CONSTRAINT contact_phone_pk PRIMARY KEY (workspace_id, contact_id, id),
  CONSTRAINT contact_phone_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id),
  CONSTRAINT contact_phone_is_primary CHECK (is_primary IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX contact_phone_phone_number ON contact_phone (workspace_id, phone_number_key, contact_id);
CREATE UNIQUE INDEX contact_phone_is_primary_unique ON contact_phone (workspace_id, contact_id) WHERE is_primary = 1;

CREATE TRIGGER contact_phone_insert AFTER INSERT ON contact_phone BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.contact_id);
END;
CREATE TRIGGER contact_phone_search_update AFTER UPDATE OF phone_number_key ON contact_phone BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'contact', new.contact_id);
END;

-- A company's users as each of its workspaces sees them. Records refer to them.
CREATE VIEW workspace_user AS
  SELECT workspace.id AS workspace_id, user.id, full_name, full_name_key, email, email_key, role,
    CASE role WHEN 'owner' THEN 0 WHEN 'admin' THEN 1 ELSE 2 END AS role_key, is_active, created_at, updated_at,
    NULL AS deleted_at,
    json_object('id', user.id, 'full_name', full_name, 'email', email, 'role', role,
      'is_active', json(iif(is_active, 'true', 'false'))) AS record
  FROM user JOIN workspace USING (company_id);

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

CREATE TABLE stage (
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
  name_unique TEXT, -- the name without case, but with accents
  CONSTRAINT stage_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT stage_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT stage_pipeline_id_fk FOREIGN KEY (workspace_id, pipeline_id) REFERENCES pipeline (workspace_id, id),
  CONSTRAINT stage_position CHECK (position >= 0),
  CONSTRAINT stage_kind CHECK (kind IN ('open', 'won', 'lost')),
  CONSTRAINT stage_stale_after_days CHECK (stale_after_days BETWEEN 1 AND 36500),
  CONSTRAINT stage_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

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

CREATE TABLE deal (
  workspace_id        INTEGER NOT NULL,
  id                  TEXT NOT NULL,
  title               TEXT NOT NULL,
  title_key           TEXT NOT NULL,
  value               REAL NOT NULL,
  currency            TEXT NOT NULL,
  currency_key        TEXT NOT NULL,
  stage_id            TEXT NOT NULL,
  organization_id     TEXT,
  contact_id          TEXT,
  assigned_to         TEXT,
  expected_close_date TEXT,
  probability         REAL,
  metadata            TEXT NOT NULL,
  created_at          TEXT NOT NULL,
  updated_at          TEXT NOT NULL,
  deleted_at          TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'title', title, 'value', iif(value = CAST(value AS INTEGER), CAST(value AS INTEGER), value),
    'currency', currency, 'stage_id', stage_id, 'organization_id', organization_id, 'contact_id', contact_id,
    'assigned_to', assigned_to, 'expected_close_date', expected_close_date,
    'probability', iif(probability = CAST(probability AS INTEGER), CAST(probability AS INTEGER), probability),
    'metadata', json(metadata), 'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  closed_at TEXT,
  last_activity_at TEXT,
  entered_value REAL,
  entered_at TEXT,
  value_digits TEXT, -- JSON
  CONSTRAINT deal_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT deal_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT deal_stage_id_fk FOREIGN KEY (workspace_id, stage_id) REFERENCES stage (workspace_id, id),
  CONSTRAINT deal_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
  CONSTRAINT deal_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id),
  CONSTRAINT deal_assigned_to_fk FOREIGN KEY (assigned_to) REFERENCES user (id),
  CONSTRAINT deal_probability CHECK (probability BETWEEN 0 AND 100),
  CONSTRAINT deal_metadata CHECK (json_type(metadata) = 'object'),
  -- The board sums values by currency: an infinite value would make a sum that is not JSON.
  CONSTRAINT deal_value CHECK (abs(value) <= 1.7976931348623157e308),
  CONSTRAINT deal_currency CHECK (currency GLOB '[A-Z][A-Z][A-Z]')
) STRICT, WITHOUT ROWID;

CREATE INDEX deal_title ON deal (workspace_id, title_key, title, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_value ON deal (workspace_id, value, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_currency ON deal (workspace_id, currency_key, currency, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_stage_id ON deal (workspace_id, stage_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_organization_id ON deal (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_contact_id ON deal (workspace_id, contact_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_assigned_to ON deal (workspace_id, assigned_to, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_expected_close_date ON deal (workspace_id, expected_close_date, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_probability ON deal (workspace_id, probability, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_closed_at ON deal (workspace_id, closed_at, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX deal_last_activity_at ON deal (workspace_id, last_activity_at, id, deleted_at) WHERE deleted_at IS NULL;
-- Covers the sums of the pipeline.
CREATE INDEX deal_pipeline ON deal (workspace_id, stage_id, currency, value, probability, deleted_at) WHERE deleted_at IS NULL;
-- Covers the sums of closed deals.
CREATE INDEX deal_closing ON deal (workspace_id, closed_at, stage_id, currency, value, assigned_to, created_at, deleted_at)
  WHERE deleted_at IS NULL AND closed_at IS NOT NULL;
-- Finds deals in which nothing has happened for long.
CREATE INDEX deal_idle ON deal (workspace_id, stage_id, max(ifnull(last_activity_at, ''), ifnull(entered_at, ''), created_at), id, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX deal_value_digits ON deal (workspace_id, id) WHERE value_digits IS NOT NULL;
CREATE INDEX deal_updated_at ON deal (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

CREATE TRIGGER deal_insert AFTER INSERT ON deal BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'deal', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'deal', new.id);
END;
CREATE TRIGGER deal_search_update AFTER UPDATE OF title_key, currency_key ON deal BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'deal', new.id);
END;
CREATE TRIGGER deal_count_delete AFTER UPDATE OF deleted_at ON deal
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'deal';
END;
CREATE TRIGGER deal_restore AFTER UPDATE OF deleted_at ON deal
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'deal';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'deal', new.id);
END;
CREATE TRIGGER deal_tally_insert AFTER INSERT ON deal BEGIN
  INSERT INTO value_count VALUES (new.workspace_id, 'deal', 'stage_id', new.stage_id, 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER deal_tally_stage_id AFTER UPDATE OF stage_id, deleted_at ON deal
  WHEN (old.stage_id, old.deleted_at IS NULL) IS NOT (new.stage_id, new.deleted_at IS NULL) BEGIN
  UPDATE value_count SET records = records - 1 WHERE old.deleted_at IS NULL
    AND workspace_id = old.workspace_id AND resource = 'deal' AND field = 'stage_id' AND value = old.stage_id;
  INSERT INTO value_count SELECT new.workspace_id, 'deal', 'stage_id', new.stage_id, 1 WHERE new.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET records = records + 1;
END;

CREATE TABLE deal_contact (
  workspace_id INTEGER NOT NULL,
  deal_id      TEXT NOT NULL,
  contact_id   TEXT NOT NULL,
  position     INTEGER NOT NULL,
  role         TEXT,
  CONSTRAINT deal_contact_pk PRIMARY KEY (workspace_id, deal_id, contact_id),
  CONSTRAINT deal_contact_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
  CONSTRAINT deal_contact_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deal_contact_contact_id ON deal_contact (workspace_id, contact_id, deal_id);

CREATE TABLE task (
  workspace_id    INTEGER NOT NULL,
  id              TEXT NOT NULL,
  title           TEXT NOT NULL,
  title_key       TEXT NOT NULL,
  description     TEXT,
  status          TEXT NOT NULL,
  status_key      INTEGER NOT NULL,
  priority        TEXT NOT NULL,
  priority_key    INTEGER NOT NULL,
  due_date        TEXT,
  organization_id TEXT,
  contact_id      TEXT,
  deal_id         TEXT,
  assigned_to     TEXT,
  completed_at    TEXT,
  metadata        TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  deleted_at      TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'title', title, 'description', description, 'status', status, 'priority', priority,
    'due_date', due_date, 'organization_id', organization_id, 'contact_id', contact_id, 'deal_id', deal_id,
    'assigned_to', assigned_to, 'completed_at', completed_at, 'metadata', json(metadata), 'created_at', created_at,
    'updated_at', updated_at
  )) STORED,
  CONSTRAINT task_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT task_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT task_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
  CONSTRAINT task_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id),
  CONSTRAINT task_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
  CONSTRAINT task_assigned_to_fk FOREIGN KEY (assigned_to) REFERENCES user (id),
  CONSTRAINT task_status CHECK (status IN ('pending', 'in_progress', 'completed', 'cancelled')),
  CONSTRAINT task_priority CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
  CONSTRAINT task_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

CREATE INDEX task_title ON task (workspace_id, title_key, title, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_status ON task (workspace_id, status_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_priority ON task (workspace_id, priority_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_due_date ON task (workspace_id, due_date, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_organization_id ON task (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_contact_id ON task (workspace_id, contact_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_deal_id ON task (workspace_id, deal_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_assigned_to ON task (workspace_id, assigned_to, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_completed_at ON task (workspace_id, completed_at, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX task_updated_at ON task (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;
-- Find the task of a record that was completed last.
CREATE INDEX task_organization_completed ON task (workspace_id, organization_id, completed_at)
  WHERE deleted_at IS NULL AND organization_id IS NOT NULL AND completed_at IS NOT NULL;
CREATE INDEX task_contact_completed ON task (workspace_id, contact_id, completed_at)
  WHERE deleted_at IS NULL AND contact_id IS NOT NULL AND completed_at IS NOT NULL;
CREATE INDEX task_deal_completed ON task (workspace_id, deal_id, completed_at)
  WHERE deleted_at IS NULL AND deal_id IS NOT NULL AND completed_at IS NOT NULL;

CREATE TRIGGER task_insert AFTER INSERT ON task BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'task', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'task', new.id);
END;
CREATE TRIGGER task_search_update AFTER UPDATE OF title_key, description ON task BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'task', new.id);
END;
CREATE TRIGGER task_count_delete AFTER UPDATE OF deleted_at ON task
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'task';
END;
CREATE TRIGGER task_restore AFTER UPDATE OF deleted_at ON task
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'task';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'task', new.id);
END;
CREATE TRIGGER task_tally_insert AFTER INSERT ON task BEGIN
  INSERT INTO value_count VALUES (new.workspace_id, 'task', 'status_key', new.status_key, 1), (new.workspace_id, 'task', 'priority_key', new.priority_key, 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER task_tally_status_key AFTER UPDATE OF status_key, deleted_at ON task
  WHEN (old.status_key, old.deleted_at IS NULL) IS NOT (new.status_key, new.deleted_at IS NULL) BEGIN
  UPDATE value_count SET records = records - 1 WHERE old.deleted_at IS NULL
    AND workspace_id = old.workspace_id AND resource = 'task' AND field = 'status_key' AND value = old.status_key;
  INSERT INTO value_count SELECT new.workspace_id, 'task', 'status_key', new.status_key, 1 WHERE new.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER task_tally_priority_key AFTER UPDATE OF priority_key, deleted_at ON task
  WHEN (old.priority_key, old.deleted_at IS NULL) IS NOT (new.priority_key, new.deleted_at IS NULL) BEGIN
  UPDATE value_count SET records = records - 1 WHERE old.deleted_at IS NULL
    AND workspace_id = old.workspace_id AND resource = 'task' AND field = 'priority_key' AND value = old.priority_key;
  INSERT INTO value_count SELECT new.workspace_id, 'task', 'priority_key', new.priority_key, 1 WHERE new.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET records = records + 1;
END;

CREATE TABLE activity (
  workspace_id    INTEGER NOT NULL,
  id              TEXT NOT NULL,
  type            TEXT NOT NULL,
  type_key        INTEGER NOT NULL,
  subject         TEXT,
  subject_key     TEXT,
  description     TEXT,
  organization_id TEXT,
  contact_id      TEXT,
  deal_id         TEXT,
  user_id         TEXT,
  metadata        TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  deleted_at      TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'type', type, 'subject', subject, 'description', description, 'organization_id', organization_id,
    'contact_id', contact_id, 'deal_id', deal_id, 'user_id', user_id, 'metadata', json(metadata),
    'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  -- The key that created it; null for entries of the console, and for those from before schema version 3.
  api_key_id TEXT CONSTRAINT activity_api_key_id_fk REFERENCES api_key (id),
  occurred_at TEXT,
  CONSTRAINT activity_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT activity_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT activity_organization_id_fk FOREIGN KEY (workspace_id, organization_id) REFERENCES organization (workspace_id, id),
  CONSTRAINT activity_contact_id_fk FOREIGN KEY (workspace_id, contact_id) REFERENCES contact (workspace_id, id),
  CONSTRAINT activity_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
  CONSTRAINT activity_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id),
  CONSTRAINT activity_type CHECK (type IN ('call', 'email', 'meeting', 'note', 'rating')),
  CONSTRAINT activity_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

CREATE INDEX activity_type ON activity (workspace_id, type_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX activity_subject ON activity (workspace_id, subject_key, subject, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX activity_organization_id ON activity (workspace_id, organization_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX activity_contact_id ON activity (workspace_id, contact_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX activity_deal_id ON activity (workspace_id, deal_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX activity_user_id ON activity (workspace_id, user_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX activity_occurred_at ON activity (workspace_id, occurred_at, id, deleted_at) WHERE deleted_at IS NULL;
-- Find the newest activity of a record.
CREATE INDEX activity_organization_occurred ON activity (workspace_id, organization_id, occurred_at, created_at) WHERE deleted_at IS NULL AND organization_id IS NOT NULL;
CREATE INDEX activity_contact_occurred ON activity (workspace_id, contact_id, occurred_at, created_at) WHERE deleted_at IS NULL AND contact_id IS NOT NULL;
CREATE INDEX activity_deal_occurred ON activity (workspace_id, deal_id, occurred_at, created_at) WHERE deleted_at IS NULL AND deal_id IS NOT NULL;

CREATE TRIGGER activity_insert AFTER INSERT ON activity BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'activity', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'activity', new.id);
END;
CREATE TRIGGER activity_count_delete AFTER UPDATE OF deleted_at ON activity
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'activity';
END;
CREATE TRIGGER activity_tally_insert AFTER INSERT ON activity BEGIN
  INSERT INTO value_count VALUES (new.workspace_id, 'activity', 'type_key', new.type_key, 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
END;

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
-- Finds what refers to content. Includes the trash.
CREATE INDEX file_content ON file (workspace_id, sha256, bytes);
-- Finds the message of a file by its id.
CREATE INDEX file_attached ON file (workspace_id, id, message_id) WHERE message_id IS NOT NULL;
-- Finds the files of a message. Includes the trash.
CREATE INDEX file_of_message ON file (workspace_id, message_id, id) WHERE message_id IS NOT NULL;
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
CREATE TRIGGER file_bytes_insert AFTER INSERT ON file BEGIN
  INSERT INTO stored_bytes VALUES (new.workspace_id, 'file', 'bytes', coalesce(new.bytes, 0))
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER file_bytes_update AFTER UPDATE OF bytes ON file BEGIN
  UPDATE stored_bytes SET bytes = bytes - coalesce(old.bytes, 0) + coalesce(new.bytes, 0)
    WHERE workspace_id = new.workspace_id AND resource = 'file' AND field = 'bytes';
END;
CREATE TRIGGER file_bytes_delete AFTER DELETE ON file BEGIN
  UPDATE stored_bytes SET bytes = bytes - coalesce(old.bytes, 0)
    WHERE workspace_id = old.workspace_id AND resource = 'file' AND field = 'bytes';
END;


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
  held_for TEXT, -- JSON array: who sees it while it is held
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
CREATE TRIGGER message_bytes_insert AFTER INSERT ON message BEGIN
  INSERT INTO stored_bytes VALUES (new.workspace_id, 'message', 'original_bytes', coalesce(new.original_bytes, 0))
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER message_bytes_update AFTER UPDATE OF original_bytes ON message BEGIN
  UPDATE stored_bytes SET bytes = bytes - coalesce(old.original_bytes, 0) + coalesce(new.original_bytes, 0)
    WHERE workspace_id = new.workspace_id AND resource = 'message' AND field = 'original_bytes';
END;
CREATE TRIGGER message_bytes_delete AFTER DELETE ON message BEGIN
  UPDATE stored_bytes SET bytes = bytes - coalesce(old.original_bytes, 0)
    WHERE workspace_id = old.workspace_id AND resource = 'message' AND field = 'original_bytes';
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

-- Finds a message that comes again, those of a thread, and what refers to an original. Includes the trash.
CREATE INDEX message_identity ON message (workspace_id, identity);
CREATE INDEX message_internet_message_id ON message (workspace_id, internet_message_id) WHERE internet_message_id IS NOT NULL;
CREATE INDEX message_original ON message (workspace_id, original_sha256, original_bytes) WHERE original_sha256 IS NOT NULL;
-- Finds the suggestions that a merge moves.
CREATE INDEX message_suggested_organization_id ON message (workspace_id, suggested_organization_id, id, deleted_at)
  WHERE suggested_organization_id IS NOT NULL AND deleted_at IS NULL;
-- Finds whether there are messages that not everybody sees. Includes the trash.
CREATE INDEX message_restricted ON message (workspace_id, id, audience, status, held_for) WHERE audience = 'participants' OR status = 'held';

-- What prevents the return of erased messages: keyed hashes of their identities (decision P4).
CREATE TABLE erased_message (
  workspace_id INTEGER NOT NULL,
  hash         TEXT NOT NULL,
  CONSTRAINT erased_message_pk PRIMARY KEY (workspace_id, hash),
  CONSTRAINT erased_message_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
) STRICT, WITHOUT ROWID;

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

-- The thread of each message that has arrived or that one has referred to, by the hash of its Message-ID. A long
-- thread that moves into an older one has `>` and its own id instead, until all of it has moved.
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

-- A mailbox from which messages come, at most 100 per workspace (decision P3).
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

-- A sender whose messages do not wait in the inbox (decision P11).
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


-- An upload relies on this content, which has no record yet (decision O3).
CREATE TABLE content_claim (
  workspace_id INTEGER NOT NULL,
  sha256       TEXT NOT NULL,
  id           TEXT NOT NULL,
  CONSTRAINT content_claim_pk PRIMARY KEY (workspace_id, sha256, id),
  CONSTRAINT content_claim_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT content_claim_sha256 CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*')
) STRICT, WITHOUT ROWID;

-- This content is being removed: no record refers to it.
CREATE TABLE content_removal (
  workspace_id INTEGER NOT NULL,
  sha256       TEXT NOT NULL,
  CONSTRAINT content_removal_pk PRIMARY KEY (workspace_id, sha256),
  CONSTRAINT content_removal_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT content_removal_sha256 CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*')
) STRICT, WITHOUT ROWID;

-- Imports -----------------------------------------------------------------------------------------------------------

-- deleted_at is always null: a job's row is removed 30 days after its end.
CREATE TABLE bulk_job (
  workspace_id       INTEGER NOT NULL,
  id                 TEXT NOT NULL,
  type               TEXT NOT NULL,
  type_key           INTEGER NOT NULL,
  match_on           TEXT,
  mode               TEXT,
  dry_run            INTEGER NOT NULL,
  status             TEXT NOT NULL,
  status_key         INTEGER NOT NULL,
  total_records      INTEGER NOT NULL,
  processed_records  INTEGER NOT NULL,
  successful_records INTEGER NOT NULL,
  created_records    INTEGER NOT NULL,
  updated_records    INTEGER NOT NULL,
  unchanged_records  INTEGER NOT NULL,
  failed_records     INTEGER NOT NULL,
  progress_percent   INTEGER NOT NULL,
  errors             TEXT NOT NULL, -- JSON array of the first 100
  started_at         TEXT,
  completed_at       TEXT,
  created_at         TEXT NOT NULL,
  updated_at         TEXT NOT NULL,
  deleted_at         TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'type', type, 'match_on', match_on, 'mode', mode, 'dry_run', json(iif(dry_run, 'true', 'false')),
    'status', status, 'total_records', total_records, 'processed_records', processed_records,
    'successful_records', successful_records, 'created_records', created_records,
    'updated_records', updated_records, 'unchanged_records', unchanged_records, 'failed_records', failed_records,
    'progress_percent', progress_percent, 'errors', json(errors), 'started_at', started_at,
    'completed_at', completed_at, 'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  CONSTRAINT bulk_job_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT bulk_job_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT bulk_job_mode CHECK (mode IN ('merge', 'fill_empty', 'create_only', 'update_only')),
  CONSTRAINT bulk_job_dry_run CHECK (dry_run IN (0, 1)),
  CONSTRAINT bulk_job_status CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
  CONSTRAINT bulk_job_records CHECK (processed_records = successful_records + failed_records AND processed_records <= total_records),
  CONSTRAINT bulk_job_outcomes CHECK (successful_records = created_records + updated_records + unchanged_records),
  CONSTRAINT bulk_job_end CHECK ((completed_at IS NULL) = (status IN ('queued', 'processing'))),
  CONSTRAINT bulk_job_deleted_at CHECK (deleted_at IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX bulk_job_completed_at ON bulk_job (workspace_id, completed_at) WHERE completed_at IS NOT NULL;

-- The batches of unfinished imports. The transaction that imports a batch removes it; those of a dry run stay until its end.
CREATE TABLE bulk_batch (
  workspace_id INTEGER NOT NULL,
  job_id       TEXT NOT NULL,
  row          INTEGER NOT NULL, -- the number of its first record, from 1
  records      TEXT NOT NULL, -- JSON array
  CONSTRAINT bulk_batch_pk PRIMARY KEY (workspace_id, job_id, row),
  CONSTRAINT bulk_batch_job_id_fk FOREIGN KEY (workspace_id, job_id) REFERENCES bulk_job (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- What happened to the records of a job. It is written with them, once, and removed with the job.
CREATE TABLE bulk_result (
  workspace_id INTEGER NOT NULL,
  job_id       TEXT NOT NULL,
  row          INTEGER NOT NULL, -- the number of the first record, from 1
  results      TEXT NOT NULL, -- JSON array of [outcome, id, error, ...] for consecutive records
  CONSTRAINT bulk_result_pk PRIMARY KEY (workspace_id, job_id, row),
  CONSTRAINT bulk_result_job_id_fk FOREIGN KEY (workspace_id, job_id) REFERENCES bulk_job (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Webhooks ----------------------------------------------------------------------------------------------------------

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

-- Saved queries of lists. Those with a user_id are personal: nobody else sees them, and the log does not have them.
-- broken is always 0: responses compute it.
CREATE TABLE view (
  workspace_id   INTEGER NOT NULL,
  id             TEXT NOT NULL,
  name           TEXT NOT NULL,
  name_key       TEXT NOT NULL,
  resource       TEXT NOT NULL,
  resource_key   INTEGER NOT NULL,
  description    TEXT,
  filter         TEXT,
  sort           TEXT,
  columns        TEXT,
  layout         TEXT NOT NULL,
  layout_key     INTEGER NOT NULL,
  visibility     TEXT NOT NULL,
  visibility_key INTEGER NOT NULL,
  user_id        TEXT,
  broken         INTEGER NOT NULL,
  created_at     TEXT NOT NULL,
  updated_at     TEXT NOT NULL,
  deleted_at     TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'name', name, 'resource', resource, 'description', description, 'filter', filter, 'sort', sort,
    'columns', json(columns), 'layout', layout, 'visibility', visibility, 'user_id', user_id,
    'broken', json(iif(broken, 'true', 'false')), 'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  CONSTRAINT view_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT view_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT view_user_id_fk FOREIGN KEY (user_id) REFERENCES user (id),
  CONSTRAINT view_layout CHECK (layout IN ('list', 'board')),
  CONSTRAINT view_visibility CHECK (visibility IN ('shared', 'personal')),
  CONSTRAINT view_broken CHECK (broken IN (0, 1))
) STRICT, WITHOUT ROWID;

-- What a webhook needs to deliver, apart from its record, because it changes with each delivery.
CREATE TABLE webhook_state (
  workspace_id INTEGER NOT NULL,
  webhook_id   TEXT NOT NULL,
  position     INTEGER NOT NULL, -- every change up to this number has been attempted or skipped
  secrets      TEXT NOT NULL, -- JSON array: {secret, untilMs}, the secret encrypted, the current one first
  failures     INTEGER NOT NULL DEFAULT 0, -- attempts since the last successful one
  replay       TEXT, -- JSON: {id, after, until, onlyFailed}: changes that are delivered again
  CONSTRAINT webhook_state_pk PRIMARY KEY (workspace_id, webhook_id),
  CONSTRAINT webhook_state_webhook_id_fk FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhook (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- The log of deliveries, kept for 30 days. deleted_at is always null, because lists show rows in which it is.
CREATE TABLE webhook_delivery (
  workspace_id    INTEGER NOT NULL,
  id              TEXT NOT NULL,
  webhook_id      TEXT NOT NULL,
  number          INTEGER NOT NULL, -- of the change; negative for a ping
  seq             INTEGER,
  type            TEXT NOT NULL,
  status          TEXT NOT NULL,
  tries           INTEGER NOT NULL, -- the number of attempts since it or its replay began
  asked           INTEGER NOT NULL DEFAULT 0, -- how often it was asked for since the last outcome
  attempts        TEXT NOT NULL, -- JSON array of the newest ones
  next_at         INTEGER, -- milliseconds since 1970: when the next attempt is due
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

-- What agents want to change, until a person applies or rejects it. deleted_at is always null, because lists show rows in which it is.
CREATE TABLE proposal (
  workspace_id  INTEGER NOT NULL,
  id            TEXT NOT NULL,
  key_id        TEXT NOT NULL,
  client        TEXT,
  tool          TEXT NOT NULL,
  request       TEXT, -- JSON: the request that would be made; null once it is decided
  changes       TEXT NOT NULL, -- JSON array: what would change; empty once it is decided
  changes_total INTEGER NOT NULL,
  start         TEXT, -- a hash of what the changes start from; null once it is decided
  status        TEXT NOT NULL,
  status_key    INTEGER NOT NULL,
  decided_by    TEXT,
  decided_at    TEXT,
  request_id    TEXT, -- of the request that applied it
  created_at    TEXT NOT NULL,
  deleted_at    TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'key_id', key_id, 'client', client, 'tool', tool, 'changes', json(changes), 'changes_total', changes_total,
    'status', status, 'decided_by', decided_by, 'decided_at', decided_at, 'request_id', request_id,
    'created_at', created_at
  )) STORED,
  CONSTRAINT proposal_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT proposal_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT proposal_key_id_fk FOREIGN KEY (key_id) REFERENCES api_key (id),
  CONSTRAINT proposal_decided_by_fk FOREIGN KEY (decided_by) REFERENCES user (id),
  CONSTRAINT proposal_request CHECK ((request IS NULL) = (status <> 'open')),
  CONSTRAINT proposal_changes CHECK (json_type(changes) = 'array'),
  CONSTRAINT proposal_start CHECK ((start IS NULL) = (status <> 'open')),
  CONSTRAINT proposal_status CHECK (status IN ('open', 'applied', 'rejected')),
  CONSTRAINT proposal_deleted_at CHECK (deleted_at IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposal_key_id ON proposal (workspace_id, key_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX proposal_status ON proposal (workspace_id, status_key, id, deleted_at) WHERE deleted_at IS NULL;

-- Declared fields -----------------------------------------------------------------------------------------------------

CREATE TABLE field (
  workspace_id INTEGER NOT NULL,
  id           TEXT NOT NULL,
  resource     TEXT NOT NULL,
  resource_key INTEGER NOT NULL,
  key          TEXT NOT NULL,
  key_key      TEXT NOT NULL,
  label        TEXT,
  type         TEXT NOT NULL,
  type_key     INTEGER NOT NULL,
  options      TEXT NOT NULL,
  "unique"     INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL,
  deleted_at   TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'resource', resource, 'key', key, 'label', label, 'type', type, 'options', json(options),
    'unique', json(iif("unique", 'true', 'false')), 'position', position, 'created_at', created_at,
    'updated_at', updated_at
  )) STORED,
  key_unique TEXT,
  CONSTRAINT field_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT field_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT field_type CHECK (type IN ('text', 'number', 'boolean', 'date', 'datetime', 'choice', 'url', 'email', 'phone', 'choices', 'user')),
  CONSTRAINT field_unique CHECK ("unique" IN (0, 1)),
  CONSTRAINT field_position CHECK (position >= 0)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX field_key_unique ON field (workspace_id, resource, key_unique) WHERE deleted_at IS NULL;

-- The indexes of declared fields: what each one contains, and how far it is.
CREATE TABLE field_index (
  workspace_id INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  resource     TEXT NOT NULL,
  key          TEXT NOT NULL,
  type         TEXT NOT NULL,
  options      TEXT NOT NULL, -- JSON array
  is_unique    INTEGER NOT NULL,
  field_id     TEXT, -- null: it is not needed any more, and its values are being removed
  reached      TEXT, -- the last record that was indexed; null: all are
  CONSTRAINT field_index_pk PRIMARY KEY (workspace_id, number),
  CONSTRAINT field_index_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
) STRICT, WITHOUT ROWID;

-- The values of declared fields: a row for each undeleted record of the field's resource.
CREATE TABLE field_value (
  workspace_id INTEGER NOT NULL,
  field        INTEGER NOT NULL, -- the number of the index
  record_id    TEXT NOT NULL,
  key          ANY, -- what lists compare and sort by; null: the value is empty or of another type
  text         TEXT, -- the value, if its type compares it, too
  CONSTRAINT field_value_pk PRIMARY KEY (workspace_id, field, record_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX field_value_key ON field_value (workspace_id, field, key, text, record_id);

-- The options that records have of a field of choices, by their ranks.
CREATE TABLE field_choice (
  workspace_id INTEGER NOT NULL,
  field        INTEGER NOT NULL, -- the number of the index
  rank         INTEGER NOT NULL,
  record_id    TEXT NOT NULL,
  CONSTRAINT field_choice_pk PRIMARY KEY (workspace_id, field, rank, record_id),
  CONSTRAINT field_choice_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE product (
  workspace_id INTEGER NOT NULL,
  id           TEXT NOT NULL,
  name         TEXT NOT NULL,
  name_key     TEXT NOT NULL,
  sku          TEXT,
  sku_key      TEXT,
  price        TEXT NOT NULL,
  price_key    REAL NOT NULL,
  currency     TEXT NOT NULL,
  currency_key TEXT NOT NULL,
  unit         TEXT,
  is_active    INTEGER NOT NULL,
  description  TEXT,
  metadata     TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL,
  deleted_at   TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'name', name, 'sku', sku, 'price', json(price), 'currency', currency, 'unit', unit,
    'is_active', json(iif(is_active, 'true', 'false')), 'description', description, 'metadata', json(metadata),
    'created_at', created_at, 'updated_at', updated_at
  )) STORED,
  CONSTRAINT product_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT product_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT product_price CHECK (json_type(price) IN ('integer', 'real') AND CAST(price AS REAL) BETWEEN -1000000000000 AND 1000000000000),
  CONSTRAINT product_is_active CHECK (is_active IN (0, 1)),
  CONSTRAINT product_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX product_sku_unique ON product (workspace_id, sku) WHERE deleted_at IS NULL;
CREATE INDEX product_name ON product (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_sku ON product (workspace_id, sku_key, sku, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_price ON product (workspace_id, price_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_currency ON product (workspace_id, currency_key, currency, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_is_active ON product (workspace_id, is_active, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX product_updated_at ON product (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

CREATE TRIGGER product_insert AFTER INSERT ON product BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'product', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'product', new.id);
END;
CREATE TRIGGER product_search_update AFTER UPDATE OF name_key, sku_key, currency_key ON product BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'product', new.id);
END;
CREATE TRIGGER product_count_delete AFTER UPDATE OF deleted_at ON product
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'product';
END;
CREATE TRIGGER product_restore AFTER UPDATE OF deleted_at ON product
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'product';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'product', new.id);
END;

CREATE TABLE line_item (
  workspace_id     INTEGER NOT NULL,
  id               TEXT NOT NULL,
  deal_id          TEXT NOT NULL,
  product_id       TEXT,
  name             TEXT NOT NULL,
  name_key         TEXT NOT NULL,
  quantity         TEXT NOT NULL,
  unit_price       TEXT NOT NULL,
  discount_percent TEXT NOT NULL,
  tax_percent      TEXT NOT NULL,
  position         INTEGER NOT NULL,
  total            TEXT NOT NULL,
  total_key        REAL NOT NULL,
  metadata         TEXT NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL,
  deleted_at       TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'deal_id', deal_id, 'product_id', product_id, 'name', name, 'quantity', json(quantity),
    'unit_price', json(unit_price), 'discount_percent', json(discount_percent), 'tax_percent', json(tax_percent),
    'position', position, 'total', json(total), 'metadata', json(metadata), 'created_at', created_at,
    'updated_at', updated_at
  )) STORED,
  CONSTRAINT line_item_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT line_item_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT line_item_deal_id_fk FOREIGN KEY (workspace_id, deal_id) REFERENCES deal (workspace_id, id),
  CONSTRAINT line_item_product_id_fk FOREIGN KEY (workspace_id, product_id) REFERENCES product (workspace_id, id),
  CONSTRAINT line_item_quantity CHECK (json_type(quantity) IN ('integer', 'real') AND CAST(quantity AS REAL) BETWEEN -1000000000 AND 1000000000),
  CONSTRAINT line_item_unit_price CHECK (json_type(unit_price) IN ('integer', 'real') AND CAST(unit_price AS REAL) BETWEEN -1000000000000 AND 1000000000000),
  CONSTRAINT line_item_discount_percent CHECK (json_type(discount_percent) IN ('integer', 'real') AND CAST(discount_percent AS REAL) BETWEEN 0 AND 100),
  CONSTRAINT line_item_tax_percent CHECK (json_type(tax_percent) IN ('integer', 'real') AND CAST(tax_percent AS REAL) BETWEEN 0 AND 100),
  CONSTRAINT line_item_position CHECK (position >= 0),
  CONSTRAINT line_item_total CHECK (json_type(total) IN ('integer', 'real') AND CAST(total AS REAL) BETWEEN -2000000000000000 AND 2000000000000000),
  CONSTRAINT line_item_metadata CHECK (json_type(metadata) = 'object')
) STRICT, WITHOUT ROWID;

CREATE INDEX line_item_deal_id ON line_item (workspace_id, deal_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX line_item_product_id ON line_item (workspace_id, product_id, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX line_item_name ON line_item (workspace_id, name_key, name, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX line_item_position ON line_item (workspace_id, position, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX line_item_total ON line_item (workspace_id, total_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX line_item_updated_at ON line_item (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

CREATE TRIGGER line_item_insert AFTER INSERT ON line_item BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'line_item', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'line_item', new.id);
END;
CREATE TRIGGER line_item_search_update AFTER UPDATE OF name_key ON line_item BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'line_item', new.id);
END;
CREATE TRIGGER line_item_count_delete AFTER UPDATE OF deleted_at ON line_item
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'line_item';
END;
CREATE TRIGGER line_item_restore AFTER UPDATE OF deleted_at ON line_item
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'line_item';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'line_item', new.id);
END;

-- The line items of a deal, deleted ones too.
CREATE INDEX line_item_deal ON line_item (workspace_id, deal_id, position, id);

-- Exchange rates -----------------------------------------------------------------------------------------------------

CREATE TABLE exchange_rate (
  workspace_id INTEGER NOT NULL,
  id           TEXT NOT NULL,
  currency     TEXT NOT NULL,
  currency_key TEXT NOT NULL,
  rate         TEXT NOT NULL,
  rate_key     REAL NOT NULL,
  valid_from   TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL,
  deleted_at   TEXT,
  record TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'id', id, 'currency', currency, 'rate', json(rate), 'valid_from', valid_from, 'created_at', created_at,
    'updated_at', updated_at
  )) STORED,
  currency_unique TEXT,
  CONSTRAINT exchange_rate_pk PRIMARY KEY (workspace_id, id),
  CONSTRAINT exchange_rate_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
  CONSTRAINT exchange_rate_rate CHECK (json_type(rate) IN ('integer', 'real') AND CAST(rate AS REAL) BETWEEN 1e-12 AND 1000000000)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX exchange_rate_currency_unique ON exchange_rate (workspace_id, valid_from, currency_unique) WHERE deleted_at IS NULL;
CREATE INDEX exchange_rate_currency ON exchange_rate (workspace_id, currency_key, currency, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX exchange_rate_rate ON exchange_rate (workspace_id, rate_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX exchange_rate_valid_from ON exchange_rate (workspace_id, valid_from, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX exchange_rate_updated_at ON exchange_rate (workspace_id, updated_at, id, deleted_at) WHERE deleted_at IS NULL;

CREATE TRIGGER exchange_rate_insert AFTER INSERT ON exchange_rate BEGIN
  INSERT INTO record_count VALUES (new.workspace_id, 'exchange_rate', 1)
    ON CONFLICT DO UPDATE SET records = records + 1;
  INSERT INTO search_pending VALUES (new.workspace_id, 'exchange_rate', new.id);
END;
CREATE TRIGGER exchange_rate_search_update AFTER UPDATE OF currency_key ON exchange_rate BEGIN
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'exchange_rate', new.id);
END;
CREATE TRIGGER exchange_rate_count_delete AFTER UPDATE OF deleted_at ON exchange_rate
  WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE record_count SET records = records - 1 WHERE workspace_id = new.workspace_id AND resource = 'exchange_rate';
END;
CREATE TRIGGER exchange_rate_restore AFTER UPDATE OF deleted_at ON exchange_rate
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE record_count SET records = records + 1 WHERE workspace_id = new.workspace_id AND resource = 'exchange_rate';
  INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'exchange_rate', new.id);
END;

-- The rates of each currency in the order of time.
CREATE INDEX exchange_rate_latest ON exchange_rate (workspace_id, currency, valid_from, rate) WHERE deleted_at IS NULL;
