import { findCompany, listWorkspaceIds } from '../../access/company.ts'
import { webhook } from '../../crm/webhook.ts'
import { ApiError, OperatorError } from '../../errors.ts'
import { makePrivateDirectory } from '../../lib/make-directory.ts'
import { createCopy, openExisting } from '../../store/copy.ts'
import { copyCompany } from '../../store/copy-company.ts'
import { databasePath } from '../../store/directory.ts'
import type { Store } from '../../store/store.ts'
import { settleCopied } from '../../webhooks/copied.ts'
import { schema, withConnection } from '../open-store.ts'
import { requireNone, type Written } from './files.ts'

/**
 * Writes a company, both of its workspaces, as the database of a new data directory, which `kontor serve` opens (decision K1). Throws
 * NOT_FOUND, OperatorError.
 */
export async function exportCompany(
  original: Store,
  source: string,
  companyId: string,
  directory: string,
): Promise<Written> {
  const file = databasePath(directory)
  findCompany(original.access, companyId)
  requireNone(file)
  makePrivateDirectory(directory)
  try {
    const { bytes } = await createCopy(file, async (unfinished) => {
      copyCompany(source, unfinished, companyId, schema)
      await withConnection(openExisting(unfinished), (copy) => settle(copy, original))
    })
    return { file, bytes }
  } catch (error) {
    if (error instanceof ApiError || error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot write ${file}: ${(error as Error).message}.`, { cause: error })
  }
}

async function settle(copy: Store, original: Store): Promise<void> {
  for (const id of listWorkspaceIds(copy.access)) {
    await copy.write(id, (tx) => settleCopied(webhook, tx, original.access))
  }
}
