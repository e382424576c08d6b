import { ShieldAlert } from 'lucide'
import type { Notice } from '../../../access/notice.ts'
import { post } from '../data/http.ts'
import { refreshSession } from '../data/load-session.ts'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { href } from '../session/place.ts'
import { session } from '../session/session.ts'
import { moment } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** What others have done to the user's account, with a button to say that it is understood. */
export function NoticeCard({ notices }: { notices: readonly Notice[] }) {
  return (
    <section class="account-notices" aria-label={t('Changes to your account')}>
      <Icon of={ShieldAlert} />
      <div class="stack tight grow">
        <ul>
          {notices.map((notice) => (
            <li key={`${notice.kind} ${notice.author.email}`}>{textOf(notice)}</li>
          ))}
        </ul>
        <p>
          {t('If you did not expect this: change your password, sign out everywhere else, and tell an owner.')}{' '}
          <a href={href('/settings/account')}>{t('Your account')}</a>
        </p>
      </div>
      <button type="button" class="button" onClick={() => confirm(notices)}>
        {t('Understood')}
      </button>
    </section>
  )
}

function textOf({ kind, created_at, former_email, author: { full_name, email } }: Notice): string {
  const values = { time: moment(created_at), author: `${full_name} (${email})` }
  if (kind === 'password_link')
    return t('{time}: {author} made a link with which your password can be replaced.', values)
  return t('{time}: {author} changed your email. It was {former_email} before.', {
    ...values,
    former_email: former_email ?? '',
  })
}

async function confirm(notices: readonly Notice[]): Promise<void> {
  try {
    await post('/console/notices/read', { until: notices.at(-1)!.created_at })
    session.value = { ...session.value!, notices: [] }
    document.getElementById('main')?.focus()
    await refreshSession()
  } catch (error) {
    notify((error as Error).message)
  }
}
