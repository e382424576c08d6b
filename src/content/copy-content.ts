import { createHash } from 'node:crypto'
import { OperatorError } from '../errors.ts'
import { openExisting } from '../store/copy.ts'
import { partialCompaniesSql } from '../store/move-state.ts'
import { arrivingMsMax, type Contents, type Place } from './contents.ts'

interface Referred extends Place {
  readonly bytes: number
}

/**
 * The content to which the files of the database at `path` refer, trash included, but not those of a company of which only a part is there. A
 * database before version 24 has none.
 */
export function listReferred(path: string): Referred[] {
  const db = openExisting(path)
  try {
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file'").get() === undefined) return []
    const hasMessages = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'message'").get()
    const originals = 'UNION SELECT workspace_id, original_sha256, original_bytes FROM message'
    const sql = `SELECT DISTINCT workspace_id AS workspaceId, sha256, bytes FROM (
      SELECT workspace_id, sha256, bytes FROM file ${hasMessages ? originals : ''}) WHERE length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*' AND typeof(workspace_id) = 'integer' AND workspace_id > 0 AND typeof(bytes) = 'integer'
      AND workspace_id NOT IN (SELECT id FROM workspace WHERE company_id IN (${partialCompaniesSql}))`
    return db.prepare(sql).all() as Referred[]
  } finally {
    db.close()
  }
}

export interface Copying {
  from: Contents
  to: Contents
  /** Whether content that is missing or damaged is left out; default: it is an error. */
  withoutFiles?: boolean | undefined
  /** Whether something still refers to content that is missing; default: yes. */
  isNeeded?: (place: Place) => boolean
  signal?: AbortSignal | undefined
  /** The workspace to which it is copied; default: of the same number. */
  workspaceOf?: (workspaceId: number) => number
}

export interface Copied {
  copied: number
  missing: number
}

/** Copies content that is not there yet, and removes what copies that were killed have left. Returns how much was copied. Throws OperatorError, or the signal's reason. */
export async function copyContent(
  referred: readonly Referred[],
  { from, to, withoutFiles = false, isNeeded = () => true, signal, workspaceOf = (id) => id }: Copying,
): Promise<Copied> {
  const done = { copied: 0, missing: 0 }
  await to.removeUnfinished(Date.now() - arrivingMsMax)
  for (const place of referred) {
    signal?.throwIfAborted()
    const workspaceId = workspaceOf(place.workspaceId)
    if ((await to.lookupBytes({ ...place, workspaceId })) === place.bytes) continue
    const fault = await copyOne(from, to, { place, workspaceId })
    if (fault === undefined) done.copied++
    else if (withoutFiles) done.missing++
    else if (isNeeded(place)) {
      throw new OperatorError(
        `The content ${place.sha256} of workspace ${place.workspaceId} ${fault}: "kontor check --files" lists all, and --without-files leaves it out.`,
      )
    }
  }
  return done
}

/** Returns what is wrong with the content, if something is. */
async function copyOne(
  from: Contents,
  to: Contents,
  { place, workspaceId }: { place: Referred; workspaceId: number },
): Promise<string | undefined> {
  const found = await from.lookupBytes(place)
  if (found === undefined) return 'is missing'
  if (found !== place.bytes) return 'has another length'
  const received = await to.receive(from.read(place, 0, place.bytes), place.bytes)
  try {
    if (received.sha256 !== place.sha256) return 'is damaged'
    await received.keep(workspaceId)
    return undefined
  } finally {
    await received.discard()
  }
}

/** A sentence for each content that is missing or damaged. */
export async function* findContentFaults(contents: Contents, referred: readonly Referred[]): AsyncIterable<string> {
  for (const place of referred) {
    const found = await contents.lookupBytes(place)
    const name = `the content ${place.sha256} of workspace ${place.workspaceId}`
    if (found === undefined) yield `${name} is missing`
    else if (found !== place.bytes) yield `${name} has ${found} bytes instead of ${place.bytes}`
    else if ((await digestOf(contents, place)) !== place.sha256) yield `${name} is damaged`
  }
}

/** Undefined: the disk cannot read it. */
async function digestOf(contents: Contents, place: Referred): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const part of contents.read(place, 0, place.bytes)) hash.update(part)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}
