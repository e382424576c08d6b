import type { Reader } from '../store/reader.ts'

/** The API key that created an activity. */
export interface ActivityKey {
  activity_id: string
  /** The key's name. */
  name: string
  /** The name of the user of a personal key; null for a shared key. */
  user_name: string | null
}

/** Finds the API keys that created these activities. Activities of the console have none. */
export function listActivityKeys(reader: Reader, ids: readonly string[]): ActivityKey[] {
  return reader.rows<ActivityKey>(
    `SELECT activity.id AS activity_id, api_key.name, user.full_name AS user_name
      FROM activity JOIN api_key ON api_key.id = api_key_id LEFT JOIN user ON user.id = api_key.user_id
      WHERE activity.workspace_id = :workspace AND deleted_at IS NULL
        AND activity.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
}
