import type { Rights } from '../../access/author-rights.ts'
import { grants, missingScope } from '../../access/scopes.ts'
import type { Reader } from '../../store/reader.ts'
import type { Logged, UndoEntry } from '../logged.ts'

/** Throws INSUFFICIENT_PERMISSIONS if these rights do not allow to undo the changes of these records. */
export function requireRights(
  { resources, requireWrite, requireOwn }: Logged,
  reader: Reader,
  by: Rights,
  entries: readonly UndoEntry[],
): void {
  if (entries.some(({ byKey }) => byKey)) requireUndoOfKeys(by)
  const affected = Map.groupBy(entries, ({ resource }) => resource)
  for (const resource of resources) {
    const ids = affected.get(resource.name)?.map(({ recordId }) => recordId)
    if (!ids) continue
    requireWrite(by, resource)
    requireOwn(by, reader, resource, ids)
  }
}

/** Throws INSUFFICIENT_PERMISSIONS if these rights do not allow to undo what a key did. */
export function requireUndoOfKeys({ scopes }: Rights): void {
  if (!grants(scopes, 'admin:all')) throw missingScope('admin:all')
}
