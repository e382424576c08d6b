import { CircleQuestionMark } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import type { Environment } from '../../access/company.ts'
import { Invitation, routes, Setup } from './pages/routes.ts'
import { Crash } from './parts/crash.tsx'
import { Questions } from './parts/dialog.tsx'
import { Empty } from './parts/empty.tsx'
import { focusNewPage } from './parts/focus.ts'
import { Notes } from './parts/notes.tsx'
import { useTitle } from './parts/use-title.ts'
import { environmentOf, inEnvironment, pageOf } from './session/place.ts'
import { ended, session } from './session/session.ts'
import { useScroll } from './shell/scroll.ts'
import { Shell } from './shell/shell.tsx'
import { SignIn, SignInAgain } from './sign-in/sign-in-page.tsx'
import { t } from './text/texts.ts'

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

/** The pages for users who cannot sign in yet. */
const gates: Readonly<Record<string, typeof Setup>> = { '/setup': Setup, '/invitation': Invitation }

/** Those, and all others. Anyone who is not signed in is asked to sign in first. */
function Front() {
  const { path } = useLocation()
  useScroll()
  const Gate = gates[pageOf(path)]
  const environment = session.value && !Gate ? environmentOf(path) : undefined
  const before = useRef(environment)
  useEffect(() => {
    if (environment && before.current !== environment) focusNewPage() // the new router has seen no route change
    before.current = environment
  }, [environment])
  if (Gate) return <Gate />
  return environment ? <Inside environment={environment} /> : <SignIn />
}

/** The pages for signed-in users. */
function Inside({ environment }: { environment: Environment }) {
  const at = (page: string) => inEnvironment(page, environment)
  return (
    <Shell environment={environment}>
      <Crash>
        <Router key={environment} onRouteChange={focusNewPage}>
          {routes().map(({ path, component, of = '' }) => (
            <Route key={path} path={at(path)} component={component} of={of} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Crash>
    </Shell>
  )
}

function NotFound() {
  useTitle(t('Not found'))
  return (
    <div class="page">
      <h1 class="unseen">{t('Not found')}</h1>
      <Empty
        icon={CircleQuestionMark}
        title={t('Page not found')}
        actions={<a href={inEnvironment('/', environmentOf(location.pathname))}>{t('Back to home')}</a>}
      >
        {t('The link may be outdated, or the address misspelled.')}
      </Empty>
    </div>
  )
}
