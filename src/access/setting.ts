import type { Reader, Writer } from '../store/reader.ts'

/** The key of this installation for authenticating cursors. */
export function readCursorSecret(reader: Reader): string {
  return reader.value<string>("SELECT value FROM setting WHERE name = 'cursor_secret'")!
}

/** The id of the request that added the sample data that a workspace has; undefined: it has none. */
export function lookupSampleRequest(reader: Reader, workspaceId: number): string | undefined {
  return reader.value<string>('SELECT value FROM setting WHERE name = ?', sampleName(workspaceId))
}

/** Remembers the request that added a workspace's sample data. `null` forgets it. */
export function storeSampleRequest(tx: Writer, workspaceId: number, requestId: string | null): void {
  const name = sampleName(workspaceId)
  tx.run('DELETE FROM setting WHERE name = ?', name)
  if (requestId !== null) tx.run('INSERT INTO setting VALUES (?, ?)', name, requestId)
}

function sampleName(workspaceId: number): string {
  return `sample_data ${workspaceId}`
}
