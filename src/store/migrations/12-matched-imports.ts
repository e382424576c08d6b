import type { Migration } from '../migrate.ts'

/** Imports that match records, dry runs, the results of each record, and imports of deals, tasks and activities (decision K3). */
export const matchedImports: Migration = {
  version: 12,
  sql: `
  CREATE TABLE bulk_job_new (
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
    errors             TEXT NOT NULL,
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
    CONSTRAINT bulk_job_type CHECK (type IN ('import_contacts', 'import_organizations', 'import_deals', 'import_tasks', 'import_activities', 'undo')),
    CONSTRAINT bulk_job_mode CHECK (mode IN ('merge', 'fill_empty', 'create_only', 'update_only')),
    CONSTRAINT bulk_job_dry_run CHECK (dry_run IN (0, 1)),
    CONSTRAINT bulk_job_status CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    CONSTRAINT bulk_job_records CHECK (processed_records = successful_records + failed_records AND processed_records <= total_records),
    CONSTRAINT bulk_job_outcomes CHECK (successful_records = created_records + updated_records + unchanged_records),
    CONSTRAINT bulk_job_end CHECK ((completed_at IS NULL) = (status IN ('queued', 'processing'))),
    CONSTRAINT bulk_job_deleted_at CHECK (deleted_at IS NULL)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO bulk_job_new (workspace_id, id, type, type_key, dry_run, status, status_key, total_records, processed_records,
      successful_records, created_records, updated_records, unchanged_records, failed_records, progress_percent, errors,
      started_at, completed_at, created_at, updated_at, deleted_at)
    SELECT workspace_id, id, type, iif(type = 'undo', 5, type_key), 0, status, status_key, total_records, processed_records,
      successful_records, iif(type = 'undo', 0, successful_records), iif(type = 'undo', successful_records, 0), 0,
      failed_records, progress_percent, errors, started_at, completed_at, created_at, updated_at, deleted_at
    FROM bulk_job;
  DROP TABLE bulk_job;
  ALTER TABLE bulk_job_new RENAME TO bulk_job;
  CREATE INDEX bulk_job_completed_at ON bulk_job (workspace_id, completed_at) WHERE completed_at IS NOT NULL;
  UPDATE bulk_batch SET records = '{"updated":0,"unchanged":0,"created":' || substr(records, length('{"succeeded":') + 1)
    WHERE records LIKE '{"succeeded":%';
  CREATE TABLE bulk_result (
    workspace_id INTEGER NOT NULL,
    job_id       TEXT NOT NULL,
    row          INTEGER NOT NULL,
    results      TEXT NOT NULL,
    CONSTRAINT bulk_result_pk PRIMARY KEY (workspace_id, job_id, row),
    CONSTRAINT bulk_result_job_id_fk FOREIGN KEY (workspace_id, job_id) REFERENCES bulk_job (workspace_id, id)
  ) STRICT, WITHOUT ROWID;
  `,
}
