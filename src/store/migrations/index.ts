import type { Migration } from '../migrate.ts'
import { changesAndWebhooks } from './05-changes-and-webhooks.ts'
import { foldedText } from './06-folded-text.ts'
import { valueCounts } from './07-value-counts.ts'
import { declaredFields } from './08-declared-fields.ts'
import { views } from './09-views.ts'
import { matchedImports } from './12-matched-imports.ts'
import { agents } from './17-agents.ts'
import { trimmedValues } from './21-trimmed-values.ts'
import { lastActivity } from './22-last-activity.ts'
import { answersOfUsers } from './23-answers-of-users.ts'
import { files } from './24-files.ts'
import { pipelines } from './25-pipelines.ts'
import { lineItems } from './26-line-items.ts'
import { dealContacts } from './27-deal-contacts.ts'
import { requirements } from './28-requirements.ts'
import { exchangeRates } from './29-exchange-rates.ts'
import { messages } from './30-messages.ts'
import { mailAddresses } from './31-mail-addresses.ts'
import { mailSources } from './32-mail-sources.ts'
import { ignoredSenders } from './33-ignored-senders.ts'
import { exactArticleNumbers } from './34-exact-article-numbers.ts'
import { lookups } from './35-lookups.ts'
import { valueDigits } from './36-value-digits.ts'
import { keysOfUsers } from './37-keys-of-users.ts'
import { storedBytes } from './38-stored-bytes.ts'

/**
 * The steps from each schema version to the next. A step that a release has shipped never changes; a new one is appended, in the
 * same commit as its change to schema.sql. `npm run ddl <resource>` prints the text of a table that a step creates or rebuilds.
 */
export const migrations: readonly Migration[] = [
  {
    version: 2,
    sql: `
    CREATE TABLE setup_link (
      id         INTEGER PRIMARY KEY,
      hash       TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      CONSTRAINT setup_link_one CHECK (id = 1)
    ) STRICT;
    CREATE TABLE sign_in_attempt (
      name     TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      began_at TEXT NOT NULL,
      CONSTRAINT sign_in_attempt_pk PRIMARY KEY (name),
      CONSTRAINT sign_in_attempt_attempts CHECK (attempts > 0)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sign_in_place (
      user_id      TEXT NOT NULL,
      address      TEXT NOT NULL,
      last_used_at TEXT NOT NULL,
      CONSTRAINT sign_in_place_pk PRIMARY KEY (user_id, address),
      CONSTRAINT sign_in_place_user_fk FOREIGN KEY (user_id) REFERENCES user (id)
    ) STRICT, WITHOUT ROWID;
    DROP VIEW workspace_api_key;
    CREATE VIEW effective_api_key AS
      SELECT api_key.id, workspace_id, name, name_key, description, prefix, hash, type, user_id, role AS user_role,
        iif(role = 'member' AND EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'admin:all'),
          '["read:all","write:all"]', scopes) AS scopes,
        iif(revoked_at IS NULL, api_key.is_active, 0) AS is_active, expires_at, revoked_at,
        last_used_at, last_used_ip, request_count, api_key.created_at, api_key.updated_at
      FROM api_key LEFT JOIN user ON user.id = user_id;
    CREATE VIEW workspace_api_key AS
      SELECT viewer_id AS workspace_id, api_key.id, name, name_key, description, prefix, environment,
        CASE environment WHEN 'live' THEN 0 ELSE 1 END AS environment_key, type,
        CASE type WHEN 'shared' THEN 0 ELSE 1 END AS type_key, user_id, scopes, is_active, expires_at, revoked_at,
        last_used_at, last_used_ip, request_count, created_at, updated_at, NULL AS deleted_at,
        json_object('id', api_key.id, 'name', name, 'description', description, 'prefix', prefix,
          'environment', environment, 'type', type, 'user_id', user_id, 'scopes', json(scopes),
          'is_active', json(iif(is_active, 'true', 'false')), 'expires_at', expires_at, 'revoked_at', revoked_at,
          'last_used_at', last_used_at, 'last_used_ip', last_used_ip, 'request_count', request_count,
          'created_at', created_at, 'updated_at', updated_at) AS record
      FROM effective_api_key AS api_key JOIN (SELECT id AS own_id, company_id, environment FROM workspace)
          ON own_id = api_key.workspace_id
        JOIN (SELECT id AS viewer_id, company_id AS viewer_company_id FROM workspace) ON viewer_company_id = company_id;
    `,
  },
  {
    version: 3,
    sql: 'ALTER TABLE activity ADD COLUMN api_key_id TEXT CONSTRAINT activity_api_key_id_fk REFERENCES api_key (id)',
  },
  {
    version: 4,
    sql: `
    ALTER TABLE deal ADD CONSTRAINT deal_value CHECK (abs(value) <= 1.7976931348623157e308);
    ALTER TABLE deal ADD CONSTRAINT deal_currency CHECK (currency GLOB '[A-Z][A-Z][A-Z]');
    `,
  },
  changesAndWebhooks,
  foldedText,
  valueCounts,
  declaredFields,
  views,
  // Descriptions are searched: their records enter the search index again, in the background.
  {
    version: 10,
    sql: `
    DROP TRIGGER task_search_update;
    CREATE TRIGGER task_search_update AFTER UPDATE OF title_key, description ON task BEGIN
      INSERT OR IGNORE INTO search_pending VALUES (new.workspace_id, 'task', new.id);
    END;
    INSERT OR IGNORE INTO search_pending SELECT workspace_id, 'task', id FROM task WHERE deleted_at IS NULL;
    INSERT OR IGNORE INTO search_pending SELECT workspace_id, 'activity', id FROM activity WHERE deleted_at IS NULL;
    `,
  },
  // The country in which a company dials its telephone numbers.
  {
    version: 11,
    sql: "ALTER TABLE company ADD COLUMN phone_country TEXT CONSTRAINT company_phone_country CHECK (phone_country GLOB '[A-Z][A-Z]')",
  },
  matchedImports,
  // The record into which a deleted one has been merged (decision K6).
  {
    version: 13,
    sql: 'ALTER TABLE trash ADD COLUMN merged_into TEXT',
  },
  // The secret addresses of the users' calendars (decision K8).
  {
    version: 14,
    sql: `
    CREATE TABLE calendar_feed (
      user_id    TEXT NOT NULL,
      hash       TEXT NOT NULL,
      time_zone  TEXT NOT NULL,
      created_at TEXT NOT NULL,
      CONSTRAINT calendar_feed_pk PRIMARY KEY (user_id),
      CONSTRAINT calendar_feed_user_fk FOREIGN KEY (user_id) REFERENCES user (id),
      CONSTRAINT calendar_feed_hash_unique UNIQUE (hash)
    ) STRICT, WITHOUT ROWID;
    `,
  },
  // When deals were won or lost (decision K9): the time of the change that brought a deal from a stage of another kind, or created it, as far
  // as the log goes back; otherwise the time of its last change. The log of an upgraded database begins with creations by `system`, which do
  // not tell in which stage a deal was.
  {
    version: 15,
    sql: `
    ALTER TABLE deal ADD COLUMN closed_at TEXT;
    UPDATE deal SET closed_at = ifnull(
      (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(at) / 1000.0, 'unixepoch') FROM change INDEXED BY change_record_id
        WHERE change.workspace_id = deal.workspace_id AND record_id = unhex(replace(deal.id, '-', ''))
          AND (type = (SELECT id FROM change_term WHERE text = 'deal.created') AND actor <> (SELECT id FROM change_term WHERE text = 'system')
            OR EXISTS (SELECT 1 FROM stage AS former WHERE former.workspace_id = deal.workspace_id
              AND former.id = previous ->> 'stage_id' AND former.kind <> stage.kind))),
      deal.updated_at)
      FROM stage WHERE stage.workspace_id = deal.workspace_id AND stage.id = deal.stage_id AND stage.kind <> 'open';
    CREATE INDEX deal_closed_at ON deal (workspace_id, closed_at, id, deleted_at) WHERE deleted_at IS NULL;
    CREATE INDEX deal_closing ON deal (workspace_id, closed_at, stage_id, currency, value, assigned_to, created_at, deleted_at)
      WHERE deleted_at IS NULL AND closed_at IS NOT NULL;
    `,
  },
  // Where a session was begun, and when it was last used (decision K15).
  {
    version: 16,
    sql: `
    ALTER TABLE session ADD COLUMN user_agent TEXT;
    ALTER TABLE session ADD COLUMN address TEXT;
    ALTER TABLE session ADD COLUMN last_used_at TEXT;
    `,
  },
  agents,
  // What others have done to a user's account, until the user has read it.
  {
    version: 18,
    sql: `
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
    `,
  },
  // The resources for which there are views, declared fields and imports are in the definitions alone.
  {
    version: 19,
    sql: `
    ALTER TABLE view DROP CONSTRAINT view_resource;
    ALTER TABLE field DROP CONSTRAINT field_resource;
    ALTER TABLE bulk_job DROP CONSTRAINT bulk_job_type;
    `,
  },
  // Words of one or two characters are found where a word begins: these beginnings are added to the search index in the background.
  {
    version: 20,
    sql: `
    CREATE TABLE search_start (
      workspace_id INTEGER NOT NULL,
      resource     TEXT NOT NULL,
      after_id     TEXT NOT NULL,
      CONSTRAINT search_start_pk PRIMARY KEY (workspace_id, resource),
      CONSTRAINT search_start_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO search_start SELECT workspace_id, resource, '' FROM record_count
      WHERE records > 0 AND resource IN ('organization', 'contact', 'deal', 'task', 'activity');
    `,
  },
  trimmedValues,
  lastActivity,
  answersOfUsers,
  files,
  pipelines,
  lineItems,
  dealContacts,
  requirements,
  exchangeRates,
  messages,
  mailAddresses,
  mailSources,
  ignoredSenders,
  exactArticleNumbers,
  lookups,
  valueDigits,
  keysOfUsers,
  storedBytes,
]
