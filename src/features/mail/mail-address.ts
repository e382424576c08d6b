import { deal } from '../../crm/deal.ts'
import { user } from '../../crm/user.ts'
import { resource } from '../../engine/records/define.ts'
import type { Change } from '../../engine/records/definition/change.ts'
import { byService, chosen, fixed, reference, required, unlogged } from '../../engine/records/kinds/fields.ts'
import { caselessText, choice } from '../../engine/records/kinds/text-kinds.ts'
import { timestamp } from '../../engine/records/kinds/value-kinds.ts'
import { ApiError, type Detail } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import { reserveFormer } from './former-addresses.ts'

const kinds = ['company', 'user', 'deal'] as const
const owners = { user: 'user_id', deal: 'deal_id' } as const

/** An address at which the server takes mail for a workspace (decision P2). */
export const mailAddress = resource('mail_address', {
  path: 'api-v1-mail-addresses',
  scope: 'messages',
  counted: false,
  operations: [], // address-routes.ts
  changesReadBy: () => ['admin:all'],
  fields: {
    kind: fixed(required(choice(kinds), `Kind must be one of: ${kinds.join(', ')}`)),
    user_id: fixed(reference(user)),
    deal_id: fixed(reference(deal)),
    address: byService(chosen(caselessText())),
    audience: fixed(choice(['team', 'participants'], { default: 'team' })),
    last_message_at: unlogged(timestamp()),
  },
  filters: ['kind', 'user_id', 'deal_id', 'created_at'],
  sorts: ['created_at'],
  pageSize: { default: 50, max: 100 },
  check: checkOwner,
  afterWrite: reserveFormer,
  beforeRestore: requireOnly,
  about: {
    summary: 'An address at which the server takes mail: of the company, of a user, or of a deal.',
    fields: {
      user_id: 'The user of an address of a user. Default: the caller.',
      deal_id: 'The deal of an address of a deal.',
      address: 'Nobody can guess it; whoever knows it can send mail to it. Compared without case.',
      audience: 'Who sees what arrives: `team`, or only the users who have sent or received it.',
      last_message_at: 'When the newest message arrived that the team sees.',
    },
    example: { kind: 'company', user_id: null, deal_id: null, audience: 'team' },
    shown: { address: 'aebagbafaydqqcikbmga2dqpca@in.example.com', last_message_at: null },
  },
})

/** The id of the address that has the same owner. */
export function lookupSameAddress(reader: Reader, kind: unknown, userId: unknown, dealId: unknown): string | undefined {
  const sql = `SELECT id FROM mail_address INDEXED BY mail_address_owner
    WHERE workspace_id = :workspace AND kind = ? AND user_id IS ? AND deal_id IS ? AND deleted_at IS NULL`
  return reader.value<string>(sql, String(kind), (userId ?? null) as string | null, (dealId ?? null) as string | null)
}

/** Fields that an address of one kind must have, and others must not. */
function checkOwner(values: Readonly<Record<string, unknown>>): Detail[] {
  return Object.entries(owners).flatMap(([kind, field]): Detail[] => {
    const isOwn = values.kind === kind
    if (isOwn === ((values[field] ?? null) !== null)) return []
    const label = field === 'user_id' ? 'User id' : 'Deal id'
    return isOwn
      ? [{ field, message: `${label} is required for an address of a ${kind}`, code: 'REQUIRED' }]
      : [{ field, message: `${label} must be empty for an address of another kind`, code: 'INVALID_VALUE' }]
  })
}

function requireOnly({ tx, after: { kind, user_id, deal_id } }: Change): void {
  if (lookupSameAddress(tx, kind, user_id, deal_id) === undefined) return
  throw new ApiError('CONFLICT', 'There is another address of the same kind by now: delete it first')
}
