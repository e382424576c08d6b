import { createHash } from 'node:crypto'
import { OperatorError } from '../errors.ts'
import { openExisting } from '../store/copy.ts'
import { partialCompaniesSql } from '../store/move-state.ts'
import type { Connection } from '../store/open.ts'
import { arrivingMsMax, type Contents, type Place } from './contents.ts'

interface Referred extends Place {
  readonly bytes: number
}

/**
 * The content to which the files of the database at `path` refer, trash included, but not those of a company of which only a part is there. A
 * database before version 24 has none.
 */
export function listReferred(path: string): Referred[] {
  return readReferred(path, (db, referred) => db.prepare(referred).all() as Referred[], [])
}

/** Whether it is still one of these: it may have been erased since. */
export function isReferred(path: string, { workspaceId, sha256 }: Place): boolean {
  const look = (db: Connection, referred: string) =>
    db.prepare(`SELECT 1 FROM (${referred}) WHERE workspaceId = ? AND sha256 = ?`).get(workspaceId, sha256) !==
    undefined
  return readReferred(path, look, false)
}

function readReferred<T>(path: string, read: (db: Connection, sql: string) => T, none: T): T {
  const db = openExisting(path)
  try {
    const hasTable = (name: string) => db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined
    if (!hasTable('file')) return none
    const originals = 'UNION SELECT workspace_id, original_sha256, original_bytes FROM message'
    const sql = `SELECT DISTINCT workspace_id AS workspaceId, sha256, bytes FROM (
      SELECT workspace_id, sha256, bytes FROM file ${hasTable('message') ? originals : ''}) WHERE length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*' AND typeof(workspace_id) = 'integer' AND workspace_id > 0 AND typeof(bytes) = 'integer'
      AND workspace_id NOT IN (SELECT id FROM workspace WHERE company_id IN (${partialCompaniesSql}))`
    return read(db, sql)
  } finally {
    db.close()
  }
}

export interface Copying {
  from: Contents
  to: Contents
  /** The folder beside a copied file, for the advice to copy it, too; default: none. */
  folder?: string
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
  { from, to, folder, withoutFiles = false, isNeeded = () => true, signal, workspaceOf = (id) => id }: Copying,
): Promise<Copied> {
  const done = { copied: 0, missing: 0 }
  await to.removeUnfinished(Date.now() - arrivingMsMax)
  for (const place of referred) {
    signal?.throwIfAborted()
    const workspaceId = workspaceOf(place.workspaceId)
    if ((await to.lookupBytes({ ...place, workspaceId })) === place.bytes) continue
    const fault = await copyOne(from, to, { place, workspaceId }).catch((error) => {
      if (isNeeded(place)) throw error
      return 'is missing'
    })
    if (fault === undefined) done.copied++
    else if (withoutFiles) done.missing++
    else if (isNeeded(place)) {
      const advice =
        folder === undefined
          ? '"kontor check --files" lists all'
          : `copy the folder that was beside the file to ${folder}`
      throw new OperatorError(
        `The content ${place.sha256} of workspace ${place.workspaceId} ${fault}: ${advice}, and --without-files leaves it out.`,
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

/** A sentence for each content that is missing or damaged, of those to which the database at `path` refers. */
export async function* findContentFaults(contents: Contents, path: string): AsyncIterable<string> {
  for (const place of listReferred(path)) {
    const fault = await faultOf(contents, place).catch((error: Error) => error)
    if (fault === undefined || !isReferred(path, place)) continue
    if (fault instanceof Error) throw fault
    yield `the content ${place.sha256} of workspace ${place.workspaceId} ${fault}`
  }
}

async function faultOf(contents: Contents, place: Referred): Promise<string | undefined> {
  const found = await contents.lookupBytes(place)
  if (found === undefined) return 'is missing'
  if (found !== place.bytes) return `has ${found} bytes instead of ${place.bytes}`
  return (await digestOf(contents, place)) === place.sha256 ? undefined : 'is damaged'
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
