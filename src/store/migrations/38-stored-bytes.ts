import type { Migration } from '../migrate.ts'

/** The bytes that a plan limits, which were summed up for each upload. */
export const storedBytes: Migration = {
  version: 38,
  sql: `
  CREATE TABLE stored_bytes (
    workspace_id INTEGER NOT NULL,
    resource     TEXT NOT NULL,
    field        TEXT NOT NULL,
    bytes        INTEGER NOT NULL,
    CONSTRAINT stored_bytes_pk PRIMARY KEY (workspace_id, resource, field),
    CONSTRAINT stored_bytes_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id),
    CONSTRAINT stored_bytes_bytes CHECK (bytes >= 0)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO stored_bytes SELECT workspace_id, 'file', 'bytes', sum(bytes) FROM file GROUP BY workspace_id;
  INSERT INTO stored_bytes SELECT workspace_id, 'message', 'original_bytes', coalesce(sum(original_bytes), 0) FROM message GROUP BY workspace_id;
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
`,
}
