import { useLayoutEffect, useRef } from 'preact/hooks'

interface Guard {
  href: string
  state: unknown
  /** Asks the user. Resolves to whether unsaved input may be discarded. */
  mayLeave(): Promise<boolean>
}

let guard: Guard | undefined

/** Handles the Back button and links before the router does, and asks first if the page has an unsaved form. */
export function guardUnsavedForms(): void {
  addEventListener('popstate', (event) => {
    if (!guard) return
    event.stopImmediatePropagation()
    history.pushState(guard.state, '', guard.href)
    askThen(() => history.back())
  })
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.getAttribute('href')?.startsWith('#')
    if (!guard || !link || link.target || link.origin !== location.origin || isElsewhere) return
    event.preventDefault()
    event.stopImmediatePropagation()
    askThen(() => link.click())
  })
}

function askThen(leave: () => void): void {
  void guard!.mayLeave().then((may) => {
    if (!may) return
    guard = undefined
    leave()
  })
}

/** While a form has unsaved input: asks before a reload, closing the window or the Back button discards it. */
export function useUnsaved(isUnsaved: boolean, mayLeave: () => Promise<boolean>): void {
  const latest = useRef(mayLeave)
  latest.current = mayLeave
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const held = new AbortController()
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: held.signal })
    guard = { href: location.href, state: history.state, mayLeave: () => latest.current() }
    return () => {
      held.abort()
      guard = undefined
    }
  }, [isUnsaved])
}
