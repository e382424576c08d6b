import type { ShownSession } from '../../../access/session.ts'
import { get, remove } from '../data/http.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Card } from '../parts/card.tsx'
import { ask } from '../parts/dialog.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { notify } from '../parts/notes.tsx'
import { Moment } from '../parts/value.tsx'
import { deleteDrafts } from '../session/drafts.ts'
import { inEnvironment } from '../session/place.ts'
import { t } from '../text/texts.ts'

/** Where the user is signed in, with sign-out of one, of all others, or of all. */
export function SessionSettings() {
  const loaded = useData((signal) => get<ShownSession[]>('/console/sessions', signal), [])
  useReturn(loaded.refresh)
  const sessions = loaded.data
  const end = async (path: string, message: string) => {
    try {
      await remove(path)
      notify(message)
    } catch (error) {
      notify((error as Error).message)
    }
    loaded.reload()
  }
  return (
    <Card label={t('Sessions')} heading={t('Where you are signed in')}>
      {(!sessions || loaded.error) && <LoadingBody of={loaded} />}
      {sessions && (
        <ul class="list">
          {sessions.map((each) => (
            <SessionRow
              key={each.id}
              of={each}
              onEnd={() => end(`/console/sessions/${each.id}`, t('The session has ended.'))}
            />
          ))}
        </ul>
      )}
      <div class="body actions">
        {sessions && sessions.length > 1 && (
          <button
            type="button"
            class="button"
            onClick={() => end('/console/other-sessions', t('You are signed out everywhere else.'))}
          >
            {t('Sign out everywhere else')}
          </button>
        )}
        <button type="button" class="button danger" onClick={askSignOut}>
          {t('Sign out everywhere')}
        </button>
      </div>
    </Card>
  )
}

function SessionRow({ of, onEnd }: { of: ShownSession; onEnd: () => void }) {
  const { user_agent, address, created_at, last_used_at, is_current } = of
  const device = deviceOf(user_agent)
  return (
    <li class="middle wraps">
      <div class="grow">
        <div>
          {device} {is_current && <span class="badge good">{t('This browser')}</span>}
        </div>
        <div class="muted small">
          {address && <span>{t('Signed in from {address}', { address })} · </span>}
          {t('Last used')} <Moment at={last_used_at ?? created_at} />
        </div>
      </div>
      {!is_current && (
        <button type="button" class="button small" aria-label={t('Sign out {device}', { device })} onClick={onEnd}>
          {t('Sign out')}
        </button>
      )}
    </li>
  )
}

function askSignOut(): void {
  ask({
    title: t('Sign out everywhere?'),
    body: t('You have to sign in again in every browser, including this one.'),
    verb: t('Sign out everywhere'),
    async run() {
      await remove('/console/sessions')
      deleteDrafts()
      location.assign(inEnvironment('/', 'live'))
    },
  })
}

/** The browsers that a user agent names, in the order in which they are looked for: most also name others. */
const browsers = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
] as const

/** What a user calls the device of a session: `Firefox, Linux`. */
function deviceOf(userAgent: string | null): string {
  if (!userAgent) return t('Unknown device')
  const named = [browsers, systems].flatMap((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [])
  return named.length > 0 ? named.join(', ') : userAgent.slice(0, 60)
}
