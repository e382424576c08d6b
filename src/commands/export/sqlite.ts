import { findCompany, listWorkspaceIds } from '../../access/company.ts'
import { ApiError, OperatorError } from '../../errors.ts'
import { notePasswordsMissing } from '../../features/mail/imap/source-reports.ts'
import { deactivateTransferred } from '../../features/webhooks/company-transfer.ts'
import { makePrivateDirectory } from '../../lib/make-directory.ts'
import { lookupMove } from '../../store/company-move.ts'
import { type BringContent, createCopy, openExisting } from '../../store/copy.ts'
import { copyCompany } from '../../store/copy-company.ts'
import { databasePath } from '../../store/directory.ts'
import { requireNone } from '../../store/give-name.ts'
import { requireWhole } from '../../store/move-state.ts'
import type { Store } from '../../store/store.ts'
import { schema, withConnection } from '../open-store.ts'
import type { Written } from './files.ts'

/** Tables that stay behind: sign-ins and links, which belong to the installation, responses to repeated requests, and deliveries. */
const left = [
  ...['session', 'invitation', 'calendar_feed', 'sign_in_place'],
  ...['idempotent_answer', 'idempotent_user_answer', 'webhook_delivery', 'mail_source_state'],
]

/**
 * Writes a company, both of its workspaces, as the database of a new data directory, which `kontor serve` opens (decision K1). Throws
 * NOT_FOUND, OperatorError.
 */
export async function exportCompany(original: Store, directory: string, given: Exporting): Promise<Written> {
  const { companyId } = given
  const file = databasePath(directory)
  findCompany(original.access, companyId)
  requireWhole(lookupMove(original.access, companyId))
  requireNone(file)
  makePrivateDirectory(directory)
  const inOriginal: InOriginal = (run) => run(original)
  return writeCompany({ ...given, file, inOriginal, without: left }, async (copy) => {
    for (const id of listWorkspaceIds(copy.access)) {
      await copy.write(id, (tx) => {
        deactivateTransferred(tx, original.access)
        notePasswordsMissing(tx)
      })
    }
  })
}

/** Calls a function with the store from which is exported. */
export type InOriginal = (run: (original: Store) => Promise<void>) => Promise<void>

export interface Exporting {
  /** The path of the database. */
  source: string
  companyId: string
  bringContent: BringContent
}

interface CompanyFile extends Exporting {
  file: string
  inOriginal: InOriginal
  /** The tables that stay behind. */
  without?: readonly string[]
}

/** Writes a company as a database, which `settle` completes. Throws OperatorError. */
export async function writeCompany(
  { source, companyId, bringContent, file, inOriginal, without = [] }: CompanyFile,
  settle: (copy: Store, original: Store) => Promise<void>,
): Promise<Written> {
  try {
    const make = (unfinished: string) =>
      inOriginal((original) => {
        copyCompany(source, unfinished, companyId, { ...schema, without })
        return withConnection(openExisting(unfinished), (copy) => settle(copy, original))
      })
    const { bytes } = await createCopy(file, make, { bringContent })
    return { file, bytes }
  } catch (error) {
    if (error instanceof ApiError || error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot write ${file}: ${(error as Error).message}.`, { cause: error })
  }
}
