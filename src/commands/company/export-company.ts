import { environments, findCompany, findWorkspaceId } from '../../access/company.ts'
import { eraseStoredOfUsers } from '../../access/idempotency.ts'
import { lookupSampleRequest, storeMovedCompany, storeSampleRequest } from '../../access/setting.ts'
import { logIdOf, storeLogId } from '../../changes/log-name.ts'
import { OperatorError } from '../../errors.ts'
import { hasWork } from '../../features/imports/run-batch.ts'
import { reencryptPasswords } from '../../features/mail/imap/source-state.ts'
import { listWaiting } from '../../features/mail/spool-files.ts'
import { reencryptSecrets } from '../../features/webhooks/company-transfer.ts'
import { lookupMove, storeMove } from '../../store/company-move.ts'
import { refuseMoved, requireWhole } from '../../store/move-state.ts'
import type { Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import type { Written } from '../export/files.ts'
import { type Exporting, type InOriginal, writeCompany } from '../export/sqlite.ts'

/**
 * Stops serving a company, so that the export `by` has everything (decision A14). Returns the export since which it is not served. Throws
 * NOT_FOUND, OperatorError.
 */
export function stopServing(store: Store, companyId: string, by: string): Promise<string> {
  return store.writeAccess((tx) => leave(tx, companyId, by))
}

/** Serves a company again whose export `by` has failed, unless there is another one, whose file may have been imported. */
export function serveAgain(store: Store, companyId: string, by: string): Promise<void> {
  return store.writeAccess((tx) => {
    const move = lookupMove(tx, companyId)
    if (move?.state === 'leaving' && move.by === by && !move.again) storeMove(tx, companyId, undefined)
  })
}

/** Throws OperatorError unless the company has been refused since the export `since`: a file of that time has everything. */
export function requireLeaving(store: Store, companyId: string, since: string): Promise<void> {
  return store.writeAccess((tx) => {
    const move = lookupMove(tx, companyId)
    if (move?.state === 'leaving' && move.by === since) return
    throw new OperatorError(
      '"kontor company move" was run during this export: its file was removed, because writes may be missing.',
    )
  })
}

/**
 * Throws OperatorError if mail for a company is accepted and not delivered: the removal would drop it. Of a company that is not served, no more
 * is accepted.
 */
export async function requireDelivered(store: Store, companyId: string, mailDirectory: string): Promise<void> {
  const [first, ...others] = await listWaiting(mailDirectory, store.access, companyId)
  if (first === undefined) return
  const files = others.length === 0 ? first : `${first} and ${others.length} other files`
  throw new OperatorError(
    `Mail for this company waits to be delivered (${files}): try again when the server has done so, or move what cannot be delivered away.`,
  )
}

/** Notes that a company that is not served has a file. */
export function noteDone(store: Store, companyId: string): Promise<void> {
  return store.writeAccess((tx) => {
    const move = lookupMove(tx, companyId)
    if (move?.state === 'leaving') storeMove(tx, companyId, { ...move, done: true })
  })
}

/** Writes everything of a company that is not served to a file for another cell. Throws OperatorError. */
export function exportCompany(inOriginal: InOriginal, file: string, given: Exporting): Promise<Written> {
  return writeCompany({ ...given, file, inOriginal }, (copy, original) =>
    copy.writeAccess((tx) => complete(tx, original, given.companyId)),
  )
}

/** From this commit on, nothing writes the company's rows. */
function leave(tx: Writer, companyId: string, by: string): string {
  findCompany(tx, companyId)
  const move = lookupMove(tx, companyId)
  if (move?.state === 'leaving') {
    const { by: since = by } = move
    storeMove(tx, companyId, { ...move, by: since, again: true }) // also if the first export fails after all
    return since
  }
  requireWhole(move)
  refuseMoved(move)
  for (const environment of environments) {
    if (hasWork(tx.inWorkspace(findWorkspaceId(tx, companyId, environment)))) {
      throw new OperatorError(
        `An import into the ${environment} data of this company has not ended: try again when it has.`,
      )
    }
  }
  storeMove(tx, companyId, { state: 'leaving', by })
  return by
}

/**
 * Adds what is not in the company's tables: the names of its logs, its settings, and the secrets of its webhooks under a key of the file.
 * Responses that are stored for users cannot be decrypted elsewhere; their requests stay known.
 */
function complete(tx: Writer, { access }: Store, companyId: string): void {
  storeMovedCompany(tx, companyId)
  for (const environment of environments) {
    const id = findWorkspaceId(tx, companyId, environment)
    storeLogId(tx, id, logIdOf(access, id))
    storeSampleRequest(tx, id, lookupSampleRequest(access, id) ?? null)
    reencryptSecrets(tx.inWorkspace(id), access)
    reencryptPasswords(tx.inWorkspace(id), access)
    eraseStoredOfUsers(tx.inWorkspace(id))
  }
}
