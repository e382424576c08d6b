import type { Resource } from '../../src/engine/records/define.ts'

/** Count the records with each value of the tallied fields. */
export function tallyTriggersOf({ name, columns, tallied, operations }: Resource): string[] {
  if (tallied.length === 0) return []
  const keys = tallied.map((field) => columns[field]!.keyColumn)
  const insert = `CREATE TRIGGER ${name}_tally_insert AFTER INSERT ON ${name} BEGIN
  INSERT INTO value_count VALUES ${keys.map((key) => `(new.workspace_id, '${name}', '${key}', new.${key}, 1)`).join(', ')}
    ON CONFLICT DO UPDATE SET records = records + 1;
END;`
  const updates = keys.map(
    (key) => `CREATE TRIGGER ${name}_tally_${key} AFTER UPDATE OF ${key}, deleted_at ON ${name}
  WHEN (old.${key}, old.deleted_at IS NULL) IS NOT (new.${key}, new.deleted_at IS NULL) BEGIN
  UPDATE value_count SET records = records - 1 WHERE old.deleted_at IS NULL
    AND workspace_id = old.workspace_id AND resource = '${name}' AND field = '${key}' AND value = old.${key};
  INSERT INTO value_count SELECT new.workspace_id, '${name}', '${key}', new.${key}, 1 WHERE new.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET records = records + 1;
END;`,
  )
  return [insert, ...(operations.includes('patch') ? updates : [])]
}

/** Sum up the bytes of the records' content, the trash included. */
export function bytesTriggersOf({ name, contentBytes: column }: Resource): string[] {
  if (column === undefined) return []
  const insert = `CREATE TRIGGER ${name}_bytes_insert AFTER INSERT ON ${name} BEGIN
  INSERT INTO stored_bytes VALUES (new.workspace_id, '${name}', '${column}', coalesce(new.${column}, 0))
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;`
  const update = `CREATE TRIGGER ${name}_bytes_update AFTER UPDATE OF ${column} ON ${name} BEGIN
  UPDATE stored_bytes SET bytes = bytes - coalesce(old.${column}, 0) + coalesce(new.${column}, 0)
    WHERE workspace_id = new.workspace_id AND resource = '${name}' AND field = '${column}';
END;`
  const remove = `CREATE TRIGGER ${name}_bytes_delete AFTER DELETE ON ${name} BEGIN
  UPDATE stored_bytes SET bytes = bytes - coalesce(old.${column}, 0)
    WHERE workspace_id = old.workspace_id AND resource = '${name}' AND field = '${column}';
END;`
  return [insert, update, remove]
}
