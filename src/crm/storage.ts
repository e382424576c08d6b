import type { Limits } from '../engine/records/rows/write.ts'
import { ApiError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'

/** The bytes of all file records and raw messages of the workspace's company, live and test, trash included (decision O5). */
export function storedBytes(reader: Reader): number {
  const sql = `SELECT total((SELECT total(bytes) FROM main.file WHERE file.workspace_id = each.id)
      + (SELECT total(original_bytes) FROM main.message WHERE message.workspace_id = each.id AND original_sha256 IS NOT NULL))
    FROM workspace AS own JOIN workspace AS each ON each.company_id = own.company_id WHERE own.id = :workspace`
  return reader.value<number>(sql)!
}

/** Throws PLAN_LIMIT_EXCEEDED if the plan has no room for more bytes. */
export function requireStorage(reader: Reader, { max_storage_bytes: max }: Limits, bytes: number): void {
  if (max === null || max === undefined || storedBytes(reader) + bytes <= max) return
  throw new ApiError('PLAN_LIMIT_EXCEEDED', `Your plan allows at most ${max} bytes of files, live and test together`)
}
