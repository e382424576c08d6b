import { ignoredSender, lookupIgnoredSender } from '../../crm/ignored-sender.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { ApiError, type Detail, validationError } from '../../errors.ts'
import { lookupMailAddress } from '../../features/mail/lookup-address.ts'
import { lookupSameAddress, mailAddress } from '../../features/mail/mail-address.ts'
import type { Writer } from '../../store/reader.ts'

/** What the endpoints of mail addresses and ignored senders see to otherwise. Throws VALIDATION_ERROR, ALREADY_EXISTS. */
export function requireOnly(resource: Resource, tx: Writer, values: Row): void {
  if (resource === mailAddress) requireOnlyAddress(tx, values)
  if (resource === ignoredSender) requireOnlySender(tx, values)
}

function requireOnlyAddress(tx: Writer, { kind, user_id, deal_id, address }: Row): void {
  const same = lookupSameAddress(tx, kind, user_id, deal_id)
  if (same !== undefined) throw new ApiError('ALREADY_EXISTS', 'there is another address with the same owner')
  if (lookupMailAddress(tx.access, String(address))) throw new ApiError('ALREADY_EXISTS', 'the address is used twice')
}

function requireOnlySender(tx: Writer, { address, visibility, user_id = null }: Row): void {
  const isPersonal = visibility === 'personal'
  if (isPersonal !== (user_id !== null)) throw validationError([ownerOf(isPersonal)])
  const same = lookupIgnoredSender(tx, String(address), user_id as string | null)
  if (same !== undefined) throw new ApiError('ALREADY_EXISTS', 'the sender is ignored twice')
}

function ownerOf(isPersonal: boolean): Detail {
  const message = isPersonal ? 'user_id is required for a personal one' : 'user_id must be empty for a shared one'
  return invalid('user_id', message, isPersonal ? 'REQUIRED' : 'INVALID_VALUE')
}
