import type { Migration } from '../migrate.ts'

/** What agents may do with a key, and what they have proposed (decision L3). */
export const agents: Migration = {
  version: 17,
  sql: `
  ALTER TABLE api_key ADD COLUMN mcp_mode TEXT NOT NULL DEFAULT 'write'
    CONSTRAINT api_key_mcp_mode CHECK (mcp_mode IN ('read', 'propose', 'write'));
  DROP VIEW workspace_api_key;
  DROP VIEW effective_api_key;
  CREATE VIEW effective_api_key AS
    SELECT api_key.id, workspace_id, name, name_key, description, prefix, hash, type, user_id, role AS user_role,
      iif(role = 'member' AND EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'admin:all'),
        '["read:all","write:all"]', scopes) AS scopes, mcp_mode,
      iif(revoked_at IS NULL, api_key.is_active, 0) AS is_active, expires_at, revoked_at,
      last_used_at, last_used_ip, request_count, api_key.created_at, api_key.updated_at
    FROM api_key LEFT JOIN user ON user.id = user_id;
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
  CREATE TABLE proposal (
    workspace_id  INTEGER NOT NULL,
    id            TEXT NOT NULL,
    key_id        TEXT NOT NULL,
    client        TEXT,
    tool          TEXT NOT NULL,
    request       TEXT,
    changes       TEXT NOT NULL,
    changes_total INTEGER NOT NULL,
    start         TEXT,
    status        TEXT NOT NULL,
    status_key    INTEGER NOT NULL,
    decided_by    TEXT,
    decided_at    TEXT,
    request_id    TEXT,
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
  `,
}
