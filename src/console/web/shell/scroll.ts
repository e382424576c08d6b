import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { recall, remember } from '../session/storage.ts'

/** Each entry of the browser's history has a key in its state. Its scroll position is stored under that key and survives a reload. */
const storageKey = 'kontor.scroll'
const positionsMax = 200

const positions = new Map<string, number>(JSON.parse(recall(storageKey, 'sessionStorage') ?? '[]'))
/** The key of the current entry. */
let shown: string | undefined
let restoring: AbortController | undefined

/** Shows a new page at its top, and an earlier entry of the history at its former scroll position. */
export function useScroll(): void {
  const { url, path } = useLocation()
  const before = useRef(path)
  useLayoutEffect(() => {
    restoring?.abort()
    const known = entryKey()
    shown = known ?? nameEntry()
    if (known) restore(positions.get(known) ?? 0)
    else if (before.current !== path) scrollTo(0, 0)
    if (!known) positions.set(shown, scrollY)
    before.current = path
  }, [url])
  useEffect(() => {
    history.scrollRestoration = 'manual'
    addEventListener('scroll', keep, { passive: true })
    addEventListener('click', keep, true) // before it follows the link: the last scroll event may still be pending
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('scroll', keep)
      removeEventListener('click', keep, true)
      removeEventListener('pagehide', save)
    }
  }, [])
}

function entryKey(): string | undefined {
  return history.state?.entry
}

function nameEntry(): string {
  const entry = String(performance.timeOrigin + performance.now())
  history.replaceState({ entry }, '')
  return entry
}

function keep(): void {
  if (shown && shown === entryKey() && !restoring) positions.set(shown, scrollY)
}

function save(): void {
  remember(storageKey, JSON.stringify([...positions].slice(-positionsMax)), 'sessionStorage')
}

/** Scrolls to a position. Repeats this whenever the page grows, until the position is reached or the user scrolls. */
function restore(top: number): void {
  const abort = new AbortController()
  restoring = abort
  const observer = new ResizeObserver(attempt)
  const { signal } = abort
  signal.addEventListener('abort', () => {
    observer.disconnect()
    restoring = undefined
  })
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    addEventListener(type, () => abort.abort(), { signal, passive: true })
  }
  observer.observe(document.body)
  attempt()

  function attempt() {
    scrollTo(0, top)
    if (scrollY >= top - 1) abort.abort()
  }
}
