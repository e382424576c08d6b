import type { Reader } from '../store/reader.ts'

/** The key of this installation for authenticating cursors. */
export function readCursorSecret(reader: Reader): string {
  return reader.value<string>("SELECT value FROM setting WHERE name = 'cursor_secret'")!
}
