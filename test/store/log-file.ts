import { readFileSync } from 'node:fs'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'

/** How many organizations `fillLog` creates. */
export const perFill = 150

/** Writes more than twice the size of log at which Kontor checkpoints. */
export async function fillLog(client: Client): Promise<void> {
  const large = { metadata: { text: 'x'.repeat(60_000) } }
  await Promise.all(Array.from({ length: perFill }, () => make(client, 'organization', large)))
}

/** Returns the log's salt, which changes when the log begins anew (https://sqlite.org/walformat.html). */
export function saltOf(path: string): string {
  return readFileSync(`${path}-wal`).subarray(16, 24).toString('hex')
}
