import type { Writer } from '../store/reader.ts'

/** Fields that every change sets, and fields that count usage: they are not changes (decision G1). */
const unlogged = new Set(['updated_at', 'last_used_at', 'last_used_ip', 'request_count'])

/** Fields whose former values the log does not lead to. The scopes that a key shows depend on the role of its user. */
export const unreplayed: readonly string[] = [...unlogged, 'scopes']

/** Selects the ids of the users or keys whose changes are in the log of the workspace (decision G1). */
export function loggedIds(resource: string): string {
  const own = resource === 'user' ? "'live'" : 'environment'
  return `SELECT id FROM workspace_${resource} WHERE workspace_id = :workspace
    AND ${own} = (SELECT environment FROM workspace WHERE id = :workspace)`
}

/** What changes of users name that their records do not show: a link to choose a password. */
export const namedApart: readonly string[] = ['password_link']

interface Target {
  resource: 'user' | 'api_key'
  id: string
  /** The workspace whose log shows the change. */
  workspaceId: number
}

/** Runs a write of a user or a key, and logs the fields that it changes. The log stores the record, because its usage is not logged. */
export function logged(access: Writer, { resource, id, workspaceId }: Target, write: () => void): void {
  const tx = access.inWorkspace(workspaceId)
  const sql = `SELECT record FROM workspace_${resource} WHERE workspace_id = :workspace AND id = ?`
  const before = tx.value<string>(sql, id)
  write()
  const data = tx.value<string>(sql, id)!
  const previous = before && formerOf(JSON.parse(before), JSON.parse(data))
  if (before === undefined) tx.log({ type: `${resource}.created`, recordId: id, data })
  else if (previous) tx.log({ type: `${resource}.updated`, recordId: id, previous: JSON.stringify(previous), data })
}

/** Logs a change of what the record does not show (`namedApart`). */
export function logApart(access: Writer, { resource, id, workspaceId }: Target, previous: Shown): void {
  const tx = access.inWorkspace(workspaceId)
  const data = tx.value<string>(
    `SELECT record FROM workspace_${resource} WHERE workspace_id = :workspace AND id = ?`,
    id,
  )!
  tx.log({ type: `${resource}.updated`, recordId: id, previous: JSON.stringify(previous), data })
}

type Shown = Readonly<Record<string, unknown>>

/** The former values of the changed fields; undefined if there are none. */
function formerOf(before: Shown, after: Shown): Shown | undefined {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const names = Object.keys(before).filter((name) => !unlogged.has(name) && isChanged(name))
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, before[name]]))
}
