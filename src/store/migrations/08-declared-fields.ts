import type { Migration } from '../migrate.ts'

/** Declared fields (decision J3). */
export const declaredFields: Migration = {
  version: 8,
  sql: `
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
    CONSTRAINT field_resource CHECK (resource IN ('organization', 'contact', 'deal', 'stage', 'task', 'activity')),
    CONSTRAINT field_type CHECK (type IN ('text', 'number', 'boolean', 'date', 'datetime', 'choice', 'url', 'email', 'phone')),
    CONSTRAINT field_unique CHECK ("unique" IN (0, 1)),
    CONSTRAINT field_position CHECK (position >= 0)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX field_key_unique ON field (workspace_id, resource, key_unique) WHERE deleted_at IS NULL;
  CREATE TABLE field_index (
    workspace_id INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    resource     TEXT NOT NULL,
    key          TEXT NOT NULL,
    type         TEXT NOT NULL,
    options      TEXT NOT NULL,
    is_unique    INTEGER NOT NULL,
    field_id     TEXT,
    reached      TEXT,
    CONSTRAINT field_index_pk PRIMARY KEY (workspace_id, number),
    CONSTRAINT field_index_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE field_value (
    workspace_id INTEGER NOT NULL,
    field        INTEGER NOT NULL,
    record_id    TEXT NOT NULL,
    key          ANY,
    text         TEXT,
    CONSTRAINT field_value_pk PRIMARY KEY (workspace_id, field, record_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX field_value_key ON field_value (workspace_id, field, key, text, record_id);
  `,
}
