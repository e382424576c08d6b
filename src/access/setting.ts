import { randomBytes } from 'node:crypto'
import type { Reader, Writer } from '../store/reader.ts'

const secretBytes = 32

/** What this installation seals its cursors with. */
export function readCursorSecret(reader: Reader): string {
  return reader.value<string>("SELECT value FROM setting WHERE name = 'cursor_secret'")!
}

/** Draws the secrets that a new installation needs; keeps those it has. */
export function drawSecrets(tx: Writer): void {
  const secret = randomBytes(secretBytes).toString('base64url')
  tx.run("INSERT INTO setting (name, value) VALUES ('cursor_secret', ?) ON CONFLICT DO NOTHING", secret)
}
