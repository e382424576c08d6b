import type { Migration } from '../migrate.ts'

/** Saved views of lists. */
export const views: Migration = {
  version: 9,
  sql: `
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
    CONSTRAINT view_resource CHECK (resource IN ('organization', 'contact', 'deal', 'task', 'activity')),
    CONSTRAINT view_layout CHECK (layout IN ('list', 'board')),
    CONSTRAINT view_visibility CHECK (visibility IN ('shared', 'personal')),
    CONSTRAINT view_broken CHECK (broken IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  `,
}
