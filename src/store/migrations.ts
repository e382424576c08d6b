import type { Migration } from './migrate.ts'
import { changesAndWebhooks } from './migration-5.ts'
import { foldedText } from './migration-6.ts'
import { valueCounts } from './migration-7.ts'
import { declaredFields } from './migration-8.ts'
import { views } from './migration-9.ts'
import { searchedDescriptions } from './migration-10.ts'
import { phoneCountry } from './migration-11.ts'
import { matchedImports } from './migration-12.ts'
import { mergedRecords } from './migration-13.ts'
import { calendarFeeds } from './migration-14.ts'
import { closedDeals } from './migration-15.ts'
import { describedSessions } from './migration-16.ts'
import { agents } from './migration-17.ts'
import { accountNotices } from './migration-18.ts'
import { openResources } from './migration-19.ts'

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
  searchedDescriptions,
  phoneCountry,
  matchedImports,
  mergedRecords,
  calendarFeeds,
  closedDeals,
  describedSessions,
  agents,
  accountNotices,
  openResources,
]
