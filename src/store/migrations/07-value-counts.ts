import type { Migration } from '../migrate.ts'

/** The number of records with each value of some fields, and the probability in the index of the pipeline's sums. */
export const valueCounts: Migration = {
  version: 7,
  sql: `
  CREATE TABLE value_count (
    workspace_id INTEGER NOT NULL,
    resource     TEXT NOT NULL,
    field        TEXT NOT NULL,
    value        ANY NOT NULL,
    records      INTEGER NOT NULL,
    CONSTRAINT value_count_pk PRIMARY KEY (workspace_id, resource, field, value),
    CONSTRAINT value_count_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT value_count_records CHECK (records >= 0)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO value_count SELECT workspace_id, 'organization', 'status_key', status_key, count(*) FROM organization
    WHERE deleted_at IS NULL GROUP BY workspace_id, status_key;
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
  INSERT INTO value_count SELECT workspace_id, 'contact', 'is_primary', is_primary, count(*) FROM contact
    WHERE deleted_at IS NULL GROUP BY workspace_id, is_primary;
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
  INSERT INTO value_count SELECT workspace_id, 'deal', 'stage_id', stage_id, count(*) FROM deal
    WHERE deleted_at IS NULL GROUP BY workspace_id, stage_id;
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
  INSERT INTO value_count SELECT workspace_id, 'task', 'status_key', status_key, count(*) FROM task
    WHERE deleted_at IS NULL GROUP BY workspace_id, status_key;
  INSERT INTO value_count SELECT workspace_id, 'task', 'priority_key', priority_key, count(*) FROM task
    WHERE deleted_at IS NULL GROUP BY workspace_id, priority_key;
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
  INSERT INTO value_count SELECT workspace_id, 'activity', 'type_key', type_key, count(*) FROM activity
    WHERE deleted_at IS NULL GROUP BY workspace_id, type_key;
  CREATE TRIGGER activity_tally_insert AFTER INSERT ON activity BEGIN
    INSERT INTO value_count VALUES (new.workspace_id, 'activity', 'type_key', new.type_key, 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
  END;
  DROP INDEX deal_pipeline;
  CREATE INDEX deal_pipeline ON deal (workspace_id, stage_id, currency, value, probability, deleted_at) WHERE deleted_at IS NULL;
  `,
}
