import { type Environment, environments, findWorkspaceId } from '../../access/company.ts'
import { isPrefix } from '../../access/key.ts'
import { isStoredHash } from '../../access/password.ts'
import { scopes as knownScopes } from '../../access/scopes.ts'
import { hasControls } from '../../access/text.ts'
import { verifyMade } from '../../changes/readers/batch-reader.ts'
import { verifyLog } from '../../changes/verify.ts'
import { findStaleKeys } from '../../engine/finding/list/stale-keys.ts'
import { findStaleValues } from '../../engine/records/declared/verify.ts'
import { hasWork } from '../../features/imports/run-batch.ts'
import { batchReaders, loggedResources, resources } from '../../features/index.ts'
import { verifyWebhooks } from '../../features/webhooks/company-transfer.ts'
import { isWithin, shortTextMax } from '../../lib/text.ts'
import type { Reader } from '../../store/reader.ts'
import type { Unverified } from './unverified.ts'

/** Finds users, keys, webhooks, changes and derived values of a company file that Kontor could not have written. One sentence each. */
export function* verifyContent({ access, inWorkspace, companyId }: Unverified): Generator<string> {
  yield* verifyNames(access)
  yield* verifyPasswords(access)
  for (const environment of environments) {
    const reader = inWorkspace(findWorkspaceId(access, companyId, environment))
    yield* verifyKeys(reader, environment)
    yield* verifyAuthors(reader)
    yield* verifyWebhooks(reader, access)
    if (hasWork(reader)) yield `an import into the ${environment} data has not ended`
    yield* verifyLog(loggedResources, reader)
    for (const resource of resources) {
      yield* findStaleKeys(resource, reader)
      yield* findStaleValues(resource, reader)
      yield* resource.verify?.(reader) ?? []
    }
    for (const each of batchReaders) yield* verifyMade(each, reader)
  }
}

/** Commands print them, and the operator copies lines of the output. */
function* verifyNames(access: Reader): Generator<string> {
  const names = access.rows<{ id: string; name: string }>(
    'SELECT id, name FROM company UNION ALL SELECT id, full_name FROM user',
  )
  for (const { id, name } of names) {
    const isName = name.trim() === name && name !== '' && isWithin(name, shortTextMax) && !hasControls(name)
    if (!isName) yield `the name of ${id} is not one that Kontor accepts`
  }
}

/** The cost of a password is paid by the server; its salt is that of other users with the same address. */
function* verifyPasswords(access: Reader): Generator<string> {
  const sql = 'SELECT id, password_hash FROM user WHERE password_hash IS NOT NULL'
  for (const { id, password_hash } of access.rows<{ id: string; password_hash: string }>(sql)) {
    if (!isStoredHash(password_hash)) yield `the password hash of the user ${id} is not one of Kontor`
  }
}

const author = /^(?:(?:api_key|user|import) [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|operator|system)$/

function* verifyAuthors(reader: Reader): Generator<string> {
  const sql = 'SELECT text FROM change_term WHERE id IN (SELECT actor FROM change WHERE workspace_id = :workspace)'
  for (const text of reader.values<string>(sql)) {
    if (!author.test(text)) yield `the log has changes by ${JSON.stringify(text)}, which is no author`
  }
}

interface StoredKey {
  id: string
  prefix: string
  scopes: string
}

/** The operator routes by the prefixes of keys. */
function* verifyKeys(reader: Reader, environment: Environment): Generator<string> {
  const sql = 'SELECT id, prefix, scopes FROM api_key WHERE workspace_id = :workspace'
  for (const { id, prefix, scopes } of reader.rows<StoredKey>(sql)) {
    if (!isPrefix(prefix, environment))
      yield `the prefix of the key ${id} is not that of a key of the ${environment} data`
    const isKnown = (JSON.parse(scopes) as unknown[]).every((scope) => knownScopes.some((known) => known === scope))
    if (!isKnown) yield `the key ${id} has a scope that does not exist`
  }
}
