import { hasWorkspace, listWorkspaceIds } from '../../access/company.ts'
import { arrivingMsMax, type Contents, type Found } from '../../content/contents.ts'
import { KeptDatabases } from '../../content/kept-databases.ts'
import { WorkspaceFailures } from '../../lib/workspace-failures.ts'
import type { Store } from '../../store/store.ts'
import { isUsed, listMarked, markUnused, type Removing, removeMarked } from './content-names.ts'
import { removeErased } from './erase.ts'

interface Sweep {
  /** The path of the database. */
  path: string
  /** What was stored later stays. In milliseconds by the system clock. */
  beforeMs: number
  isDryRun?: boolean
}

interface Swept {
  /** How much content was removed, and its bytes. */
  removed: number
  bytes: number
}

/**
 * Removes content to which no record refers, trash and databases that are kept beside this one included, and what broken uploads have left, but
 * nothing that an upload relies on.
 */
export async function sweepContent(
  store: Store,
  contents: Contents,
  { path, beforeMs, isDryRun = false }: Sweep,
): Promise<Swept> {
  const workspaces = new Set(listWorkspaceIds(store.access))
  const swept = { removed: 0, bytes: 0 }
  const kept = new KeptDatabases(path)
  try {
    for await (const found of contents.list()) {
      if (found.storedMs >= beforeMs) continue
      const isOrphan = !workspaces.has(found.workspaceId)
      if (!isOrphan && isUsed(store.workspace(found.workspaceId), found.sha256)) continue
      if (kept.refersTo(found)) continue
      if (!isDryRun && !(await removeUnused(store, contents, found, isOrphan))) continue
      swept.removed++
      swept.bytes += found.bytes
    }
  } finally {
    kept.close()
  }
  if (!isDryRun) swept.removed += await contents.removeUnfinished(Math.min(beforeMs, Date.now() - arrivingMsMax))
  return swept
}

/** False if something relies on it by now, or if others remove it. */
async function removeUnused(store: Store, contents: Contents, found: Found, isOrphan: boolean): Promise<boolean> {
  if (isOrphan) {
    // In a write: a server that follows another one may not have the workspace yet, and it may be new.
    if (await store.writeAccess((tx) => hasWorkspace(tx, found.workspaceId))) return false
    await contents.remove(found)
    return true
  }
  if (!(await store.write(found.workspaceId, (tx) => markUnused(tx, found.sha256)))) return false
  await removeMarked(removingIn(store, contents, found.workspaceId), found.sha256) // the server removes the rest
  return true
}

function removingIn(store: Store, contents: Contents, workspaceId: number): Removing {
  const reader = store.workspace(workspaceId)
  return { contents, workspaceId, reader, write: (run) => store.write(workspaceId, run) }
}

/** Removes the content that erasures of a workspace have left. If that fails, it is tried again in the background. */
export async function removeErasedOf(store: Store, contents: Contents | undefined, workspaceId: number): Promise<void> {
  if (contents) await removeErased(removingIn(store, contents, workspaceId))
}

/**
 * Removes what is marked, until `signal` aborts: an earlier attempt has failed, or its process has ended. A workspace that fails does not keep the
 * others back.
 */
export async function retryRemovals(store: Store, contents: Contents, signal?: AbortSignal): Promise<void> {
  const failures = new WorkspaceFailures()
  for (const workspaceId of new Set(listMarked(store.access).map((place) => place.workspaceId))) {
    if (signal?.aborted) break
    await removeMarked(removingIn(store, contents, workspaceId)).catch((error) => failures.note(workspaceId, error))
  }
  failures.log('content was not removed: it is tried again')
}
