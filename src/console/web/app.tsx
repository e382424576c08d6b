import { CircleQuestionMark } from 'lucide'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { focusNewPage } from './focus.ts'
import { Home } from './pages/home.tsx'
import { Invitation } from './pages/invitation.tsx'
import { KeyPage } from './pages/key.tsx'
import { Keys } from './pages/keys.tsx'
import { List } from './pages/list.tsx'
import { Pipeline } from './pages/pipeline.tsx'
import { Record } from './pages/record.tsx'
import { Settings } from './pages/settings.tsx'
import { Setup } from './pages/setup.tsx'
import { SignIn, SignInAgain } from './pages/sign-in.tsx'
import { Tasks } from './pages/tasks.tsx'
import { Trash } from './pages/trash.tsx'
import { Crash } from './parts/crash.tsx'
import { Questions } from './parts/dialog.tsx'
import { Empty } from './parts/empty.tsx'
import { Notes } from './parts/notes.tsx'
import { Shell } from './parts/shell.tsx'
import { environmentOf, inEnvironment, pageOf } from './place.ts'
import { useScroll } from './scroll.ts'
import { ended, resourceOf, session } from './session.ts'
import { useTitle } from './use-title.ts'
import { listed } from './views.ts'

/** Resources with their own list instead of the generic one. */
const lists: Readonly<Record<string, () => JSX.Element>> = { task: Tasks }

const Duplicates = lazy(() => import('./pages/duplicates.tsx').then(({ Duplicates }) => Duplicates))
const Import = lazy(() => import('./pages/import.tsx').then(({ Import }) => Import))
const ImportResult = lazy(() => import('./pages/import-result.tsx').then(({ ImportResult }) => ImportResult))
const Webhooks = lazy(() => import('./pages/webhooks.tsx').then(({ Webhooks }) => Webhooks))
const WebhookPage = lazy(() => import('./pages/webhook.tsx').then(({ WebhookPage }) => WebhookPage))

export function App() {
  return (
    <LocationProvider>
      <Crash>
        <ErrorBoundary>
          <Front />
        </ErrorBoundary>
      </Crash>
      <Questions />
      <Notes />
      {ended.value && <SignInAgain />}
    </LocationProvider>
  )
}

/** The pages for users who cannot sign in yet, and all others. */
function Front() {
  const { path } = useLocation()
  useScroll()
  const page = pageOf(path)
  if (page === '/setup') return <Setup />
  return page === '/invitation' ? <Invitation /> : <Inside />
}

/** The pages for signed-in users. Anyone else is asked to sign in first. */
function Inside() {
  const { path } = useLocation()
  const environment = environmentOf(path)
  const before = useRef(environment)
  useEffect(() => {
    if (before.current !== environment) focusNewPage() // the new router has seen no route change
    before.current = environment
  }, [environment])
  if (!session.value) return <SignIn />
  const at = (page: string) => inEnvironment(page, environment)
  return (
    <Shell environment={environment}>
      <Crash>
        <Router key={environment} onRouteChange={focusNewPage}>
          <Route path={at('/')} component={Home} />
          <Route path={at('/pipeline')} component={Pipeline} />
          <Route path={at('/import')} component={Import} />
          <Route path={at('/import/:id')} component={ImportResult} />
          <Route path={at('/keys')} component={Keys} />
          <Route path={at('/keys/:id')} component={KeyPage} />
          <Route path={at('/webhooks')} component={Webhooks} />
          <Route path={at('/webhooks/:id')} component={WebhookPage} />
          <Route path={at('/trash')} component={Trash} />
          <Route path={at('/settings')} component={Settings} />
          <Route path={at('/settings/:section')} component={Settings} />
          {listed().flatMap((of) => {
            const { page, mergeable } = resourceOf(of)
            const duplicates = at(`${page}/duplicates`)
            return [
              ...(mergeable ? [<Route key={duplicates} path={duplicates} component={Duplicates} of={of} />] : []),
              <Route key={page} path={at(page)} component={lists[of] ?? List} of={of} />,
              <Route key={`${page}/:id`} path={at(`${page}/:id`)} component={Record} of={of} />,
            ]
          })}
          <Route default component={NotFound} />
        </Router>
      </Crash>
    </Shell>
  )
}

function NotFound() {
  useTitle('Not found')
  return (
    <div class="page">
      <h1 class="unseen">Not found</h1>
      <Empty
        icon={CircleQuestionMark}
        title="Page not found"
        actions={<a href={inEnvironment('/', environmentOf(location.pathname))}>Back to home</a>}
      >
        The link may be outdated, or the address misspelled.
      </Empty>
    </div>
  )
}
