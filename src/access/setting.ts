import type { Reader } from '../store/reader.ts'

/** What this installation seals its cursors with. */
export function readCursorSecret(reader: Reader): string {
  return reader.value<string>("SELECT value FROM setting WHERE name = 'cursor_secret'")!
}
