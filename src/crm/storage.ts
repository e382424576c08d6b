import type { Limits } from '../engine/records/rows/write.ts'
import { ApiError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'

/** The bytes of all file records and originals of messages of the workspace's company, live and test, trash included (decision O5). */
export function storedBytes(reader: Reader): number {
  const sql = `SELECT coalesce(sum(bytes), 0) FROM workspace AS own JOIN workspace AS each ON each.company_id = own.company_id
    JOIN stored_bytes ON workspace_id = each.id WHERE own.id = :workspace`
  return reader.value<number>(sql)!
}

/** Whether any company has content. */
export function hasContent(access: Reader): boolean {
  return access.value('SELECT 1 FROM stored_bytes WHERE bytes > 0 LIMIT 1') !== undefined
}

/** Throws PLAN_LIMIT_EXCEEDED if the plan has no room for more bytes. */
export function requireStorage(reader: Reader, { max_storage_bytes: max }: Limits, bytes: number): void {
  if (max === null || max === undefined || storedBytes(reader) + bytes <= max) return
  throw new ApiError('PLAN_LIMIT_EXCEEDED', `Your plan allows at most ${max} bytes of files, live and test together`)
}
