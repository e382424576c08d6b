import { type FunctionComponent, h } from 'preact'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { busyUntil } from '../data/busy.ts'
import { t } from '../text/texts.ts'
import { Broken } from './crash.tsx'

export type Lazy<P> = FunctionComponent<P> & { preload(): Promise<unknown> }

/** When the scripts of other pages begin to load, in milliseconds after the start. */
const preloadMs = 1_500

/** A page in a script of its own, so that the first page loads little. The other pages' scripts load while the browser is idle. */
export function lazyPage<P>(load: () => Promise<FunctionComponent<P>>): Lazy<P> {
  let isLoaded = false
  const loaded = lazy(() =>
    load()
      .catch(() => Unloaded as FunctionComponent<P>)
      .finally(() => {
        isLoaded = true
      }),
  )
  if (!savesData()) setTimeout(() => whenIdle(() => void loaded.preload()), preloadMs)
  const Page = (props: P & object) => {
    if (!isLoaded) void busyUntil('script', loaded.preload())
    return h(loaded, props)
  }
  return Object.assign(Page, { preload: loaded.preload })
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

function Unloaded() {
  return (
    <Broken error={new Error(t('its script cannot be loaded. Check the connection, or reload: Kontor may be newer'))} />
  )
}
