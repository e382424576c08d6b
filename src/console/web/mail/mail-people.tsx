import { type Row, titleOf } from '../data/resource-views.ts'
import { t } from '../text/texts.ts'

export interface Mailbox {
  name: string | null
  address: string
}

/** A person by the name, or else by the address. */
export function nameOf(mailbox: Mailbox | null): string {
  return mailbox?.name || mailbox?.address || t('Unknown sender')
}

/** The subject of a message, which may have none. */
export function subjectText(subject: string | null): string {
  return subject || t('(no subject)')
}

/** People with their addresses. */
export function mailboxesText(mailboxes: readonly Mailbox[]): string {
  return mailboxes.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
}

/** Who sees a message. */
export function audienceText({ status, audience, users = [] }: Row): string {
  if (status === 'held') return t('Seen by: the claimed sender, the owner of the address, and admins')
  if (audience === 'team') return t('Seen by: the team')
  return t('Seen by: {names}', { names: users.map((user: Row) => titleOf('user', user)).join(', ') })
}

/** What a reader must know of a message before trusting it. */
export function Marks({ message: { status, is_verified, is_forwarded } }: { message: Row }) {
  return (
    <>
      {status === 'held' && <span class="badge warn">{t('Held')}</span>}{' '}
      {!is_verified && (
        <span class="badge" title={t('Nothing proves that the mail is from this address.')}>
          {t('Not verified')}
        </span>
      )}{' '}
      {is_forwarded && <span class="badge">{t('Forwarded')}</span>}{' '}
    </>
  )
}
