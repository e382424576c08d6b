import { ApiError } from '../../errors.ts'
import { lookupMove } from '../../store/company-move.ts'
import { unavailable } from '../../store/constraint.ts'
import type { Reader, Writer } from '../../store/reader.ts'

/** An address or a mailbox at which mail arrives, and the workspace it is of. */
export interface MailPlace {
  readonly companyId: string
  readonly workspaceId: number
  readonly id: string
  readonly kind: 'company' | 'user' | 'deal' | 'source'
  readonly userId: string | null
  readonly dealId: string | null
  readonly audience: 'team' | 'participants'
  /** As it is shown. */
  readonly address: string
  /** Whether it is a folder with what its user has sent. */
  readonly isSent?: boolean
}

/** An address of any workspace; undefined: there is none, its deal is deleted or its user is not active (decision P2). */
export function lookupMailAddress(access: Reader, address: string): MailPlace | undefined {
  return access.row<MailPlace>(
    `SELECT company_id AS companyId, mail_address.workspace_id AS workspaceId, mail_address.id, kind, user_id AS userId,
        deal_id AS dealId, audience, mail_address.address
      FROM workspace CROSS JOIN mail_address INDEXED BY mail_address_address ON mail_address.workspace_id = workspace.id
      WHERE mail_address.address = ? AND mail_address.deleted_at IS NULL
        AND (user_id IS NULL OR EXISTS (SELECT 1 FROM user WHERE user.id = user_id AND is_active = 1))
        AND (deal_id IS NULL OR EXISTS (SELECT 1 FROM deal
          WHERE deal.workspace_id = mail_address.workspace_id AND deal.id = deal_id AND deal.deleted_at IS NULL))`,
    address.trim().toLowerCase(),
  )
}

/**
 * Throws SERVICE_UNAVAILABLE if an address or a mailbox has been removed, or is for others by now: a message takes a while to be read and stored.
 * What tries again finds out.
 */
export function requirePlaces(tx: Writer, places: readonly MailPlace[]): void {
  for (const place of places) {
    const now = place.kind === 'source' ? lookupMailbox(tx, place.id) : lookupMailAddress(tx.access, place.address)
    if (now?.id === place.id && now.userId === place.userId && now.audience === place.audience) continue
    throw new ApiError('SERVICE_UNAVAILABLE', 'The address has changed: try again', { headers: { 'Retry-After': '1' } })
  }
}

/** A mailbox; undefined: it is gone, or its user is not active. One that is paused has brought the message before. */
function lookupMailbox(reader: Reader, id: string): Pick<MailPlace, 'id' | 'userId' | 'audience'> | undefined {
  const sql = `SELECT id, user_id AS userId, audience FROM mail_source
    WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL
      AND (user_id IS NULL OR EXISTS (SELECT 1 FROM user WHERE user.id = user_id AND is_active = 1))`
  return reader.row(sql, id)
}

/**
 * Whether an address exists. Throws SERVICE_UNAVAILABLE if its company is moved or has moved: a sender that tries again reaches it where it is by
 * then.
 */
export function takesMailFor(access: Reader, address: string): boolean {
  const place = lookupMailAddress(access, address)
  if (place && lookupMove(access, place.companyId)) throw unavailable('This company is not served here')
  return place !== undefined
}
