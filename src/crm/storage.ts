import type { Reading } from '../engine/finding/reading.ts'
import type { Limits } from '../engine/records/rows/write.ts'
import { ApiError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'

/** How many files and messages are summed up on the event loop: 3 ms. */
const quickMax = 10_000

/** Reads the bytes that count for the plan of the workspace's company. */
export const storageReading: Reading<null, number> = {
  name: 'storage',
  isQuick: (reader) => {
    const count = (table: string) => `(SELECT count(*) FROM (SELECT 1 ${fromStored(table)} LIMIT ${quickMax}))`
    return reader.value<number>(`SELECT ${count('file')} + ${count('message')}`)! < quickMax
  },
  run: storedBytes,
}

/** SQL: the rows of a table in all workspaces of the company. */
function fromStored(table: string): string {
  return `FROM workspace AS own JOIN workspace AS each ON each.company_id = own.company_id
    JOIN main.${table} AS stored ON stored.workspace_id = each.id WHERE own.id = :workspace`
}

/** The bytes of all file records and originals of messages of the workspace's company, live and test, trash included (decision O5). */
function storedBytes(reader: Reader): number {
  const sumOf = (column: string, table: string, also = '') =>
    `(SELECT coalesce(sum(${column}), 0) ${fromStored(table)} ${also})`
  const sql = `SELECT ${sumOf('bytes', 'file')} + ${sumOf('original_bytes', 'message', 'AND original_sha256 IS NOT NULL')}`
  return reader.value<number>(sql)!
}

/** Throws PLAN_LIMIT_EXCEEDED if the plan has no room for more bytes. */
export function requireStorage(reader: Reader, { max_storage_bytes: max }: Limits, bytes: number): void {
  if (max === null || max === undefined || storedBytes(reader) + bytes <= max) return
  throw new ApiError('PLAN_LIMIT_EXCEEDED', `Your plan allows at most ${max} bytes of files, live and test together`)
}
