import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Run } from '../../store/reader.ts'
import type { Kept } from './kept-content.ts'
import { record } from './record-in.ts'
import type { Arrival, Result } from './record-message.ts'

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {
  readonly result: Result

  constructor(result: Result) {
    super('the transaction of a dry run is rolled back')
    this.result = result
  }
}

/** What would become of a message in a workspace. Nothing is stored. Throws PLAN_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. */
export async function dryRunIn(
  write: (run: Run<never>) => Promise<never>,
  file: string,
  arrival: Arrival,
): Promise<Result> {
  const bytes = await readFile(file)
  const original = { sha256: hash('sha256', bytes), bytes: bytes.length }
  const kept: Kept = { original, attachments: arrival.recorded.mail.attachments }
  try {
    return await write((tx) => {
      throw new DryRun(record(tx, arrival, kept))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}
