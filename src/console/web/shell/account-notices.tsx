import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { refreshSession } from '../data/load-session.ts'
import { useNews } from '../data/news.ts'
import { useReturn } from '../data/use-return.ts'
import { lazyPart } from '../parts/lazily.tsx'
import { session } from '../session/session.ts'

/** Rarely there is one, so it is in a script of its own. */
const NoticeCard = lazyPart(() => import('./panels.ts').then((panels) => panels.NoticeCard))

/** How long, in milliseconds, an open page shows other pages without asking again. */
const askedMs = 60_000

/** Tells on every page what others have done to the user's account, until the user has understood it. The pages follow a change of the role. */
export function AccountNotices() {
  const { notices, user } = session.value!
  const { path } = useLocation()
  const asked = useRef(performance.now())
  const ask = () => {
    asked.current = performance.now()
    return refreshSession()
  }
  useNews(({ record_id }) => record_id === user.id, ask)
  useReturn(ask) // a member's stream does not have the changes of users
  useEffect(() => {
    if (performance.now() - asked.current > askedMs) void ask()
  }, [path])
  return <div role="status">{notices.length > 0 && <NoticeCard notices={notices} />}</div>
}
