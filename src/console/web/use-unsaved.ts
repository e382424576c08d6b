import { useLayoutEffect, useRef } from 'preact/hooks'

interface Guard {
  href: string
  state: unknown
  /** Asks, and answers whether what was typed may be lost. */
  mayLeave(): Promise<boolean>
}

let guard: Guard | undefined

/** Handles the way back before the router does, which listens later: with an unsaved form on the page, it asks first. */
export function guardWayBack(): void {
  addEventListener('popstate', (event) => {
    if (!guard) return
    event.stopImmediatePropagation()
    history.pushState(guard.state, '', guard.href)
    void guard.mayLeave().then((may) => {
      if (!may) return
      guard = undefined
      history.back()
    })
  })
}

/** While something typed is not saved: asks before a reload, a closed window or the way back loses it. */
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
