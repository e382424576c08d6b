import { signal } from '@preact/signals'
import { type FunctionComponent, h } from 'preact'
import { useEffect } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { busyUntil } from '../data/busy.ts'
import { t } from '../text/texts.ts'
import { Broken } from './crash.tsx'

export type Lazy<P> = FunctionComponent<P> & { preload(): Promise<unknown> }

/** When the scripts of other pages begin to load, in milliseconds after the start. */
const preloadMs = 1_500

/**
 * A page in a script of its own, so that the first page loads little. The other pages' scripts load while the browser is idle; one that does not
 * arrive then is loaded again when it is needed.
 */
export function lazyPage<P>(load: () => Promise<FunctionComponent<P>>): Lazy<P> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  const attempt = () =>
    lazy(() =>
      load()
        .catch(() => Failed as FunctionComponent<P>)
        .finally(settle),
    )
  const loaded = signal(attempt())
  const retry = () => {
    isSettled = false
    loaded.value = attempt()
  }
  const Failed = () => <Unloaded retry={retry} />
  const preload = () => loaded.peek().preload()
  const loadEarly = () => preload().then((part) => part === Failed && retry())
  if (!savesData()) setTimeout(() => whenIdle(() => void loadEarly()), preloadMs)
  const Page = (props: P & object) => {
    const Attempt = loaded.value
    if (!isSettled) void busyUntil('script', preload())
    return h(Attempt, props)
  }
  return Object.assign(Page, { preload })
}

/** A part of a page, such as a dialog, in a script of its own. Nothing is shown until it has been loaded. */
export function lazyPart<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  const Part = lazyPage(load)
  return (props) => (
    <ErrorBoundary>
      <Part {...props} />
    </ErrorBoundary>
  )
}

/** Whether the user has asked the browser to load little. Only some browsers tell. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run)
  else run() // Safari
}

function Unloaded({ retry }: { retry: () => void }) {
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [])
  const message = t('its script cannot be loaded. Check the connection, or reload: Kontor may be newer')
  return <Broken error={new Error(message)} retry={retry} />
}
