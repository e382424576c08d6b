import { hashKey, prefixOf } from '../access/key.ts'
import type { Connection } from '../store/open.ts'

interface Owner {
  /** The id of the world's key, and its text. */
  keyId: string
  key: string
  /** Names the logs of the world's workspaces (decision G7). */
  logOrigin: string
}

/** Prepares the database of a world for its key. This is not a change of a record, so nothing of it is in the log. */
export function own(db: Connection, { keyId, key, logOrigin }: Owner): void {
  db.prepare('UPDATE api_key SET hash = ?, prefix = ? WHERE id = ?').run(hashKey(key), prefixOf(key), keyId)
  db.prepare("UPDATE setting SET value = ? WHERE name = 'log_origin'").run(logOrigin)
}
