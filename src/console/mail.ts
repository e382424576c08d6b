import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import { viewerOf } from '../access/role.ts'
import type { Session } from '../access/session.ts'
import { waits } from '../crm/ignored-sender.ts'
import type { Mailroom } from '../mail/mailroom.ts'
import type { Reader } from '../store/reader.ts'
import { type ConsoleRoute, data, isAdmin, type MemberCall } from './route.ts'

/** What the server has for mail. */
export interface MailDoors {
  /** Of its addresses; null: it has none. */
  domain: string | null
  smtp: boolean
  /** Whether mail comes with a key alone, as in a sandbox: by no other door, and from no mailbox. */
  isKeyOnly: boolean
}

/** The number in the menu stops here. */
const countedMax = 100
/** So many messages are looked at, the newest. */
const examinedMax = 1_000

/** `mail`: undefined if the server cannot keep mail. */
export function mailRoutes(mail: Mailroom | undefined): ConsoleRoute[] {
  const doors: MailDoors | null = mail
    ? { domain: mail.domain ?? null, smtp: mail.smtp, isKeyOnly: mail.isKeyOnly }
    : null
  return [
    { method: 'GET', path: '/console/mail-doors', for: 'member', run: () => data(doors) },
    { method: 'GET', path: '/console/inbox', for: 'member', run: countWaiting },
  ]
}

/** `{waiting}`: how many messages wait in the inbox, at most 100 (decision P11). */
function countWaiting({ store, session, environment }: MemberCall) {
  const reader = readerOf(store, session, environment)
  const sql = `SELECT count(*) FROM (SELECT 1 FROM (SELECT id FROM main.message INDEXED BY message_status
      WHERE workspace_id = :workspace AND status_key > 0 AND deleted_at IS NULL ORDER BY id DESC LIMIT ${examinedMax}) AS newest
    CROSS JOIN message ON message.workspace_id = :workspace AND message.id = +newest.id WHERE ${waits} LIMIT ${countedMax})`
  return data({ waiting: reader.value<number>(sql, session.userId) })
}

/** The workspaces that have mail as far as the user sees: a message, an address or a mailbox. */
export function withMail(store: MemberCall['store'], session: Session): Environment[] {
  const sql = `SELECT EXISTS (SELECT 1 FROM mail_address WHERE workspace_id = :workspace AND deleted_at IS NULL AND (? OR ifnull(user_id = ?, TRUE)))
    OR EXISTS (SELECT 1 FROM mail_source WHERE workspace_id = :workspace AND deleted_at IS NULL AND (? OR user_id = ?))
    OR EXISTS (SELECT 1 FROM main.message INDEXED BY message_audience
      WHERE workspace_id = :workspace AND audience_key = 0 AND deleted_at IS NULL AND status <> 'held')
    OR EXISTS (SELECT 1 FROM message_user WHERE workspace_id = :workspace AND user_id = ?)
    OR EXISTS (SELECT 1 FROM message WHERE workspace_id = :workspace AND status_key = 2 AND deleted_at IS NULL)`
  const caller = [isAdmin(session) ? 1 : 0, session.userId]
  return environments.filter(
    (environment) => readerOf(store, session, environment).value(sql, ...caller, ...caller, session.userId) === 1,
  )
}

function readerOf(store: MemberCall['store'], session: Session, environment: Environment): Reader {
  const { companyId, userId, role } = session
  return store.workspace(findWorkspaceId(store.access, companyId, environment), { view: viewerOf(userId, role) })
}
