import { useLayoutEffect, useRef } from 'preact/hooks'
import { askBeforeClosing } from '../data/unfinished.ts'

interface Guard {
  href: string
  state: unknown
  /** Asks the user. Resolves to whether unsaved input may be discarded. */
  mayLeave(): Promise<boolean>
}

/** The last one is of the dialog in front. */
const guards: Guard[] = []

/** Handles the Back button and links before the router does, and asks first if the page has an unsaved form. */
export function guardUnsavedForms(): void {
  addEventListener('popstate', (event) => {
    const [guard] = guards
    if (!guard) return
    event.stopImmediatePropagation()
    history.pushState(guard.state, '', guard.href)
    void leavePage(() => history.back())
  })
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
    // A link to the same path keeps the page, such as a tab of a record.
    const isStaying = link?.pathname === location.pathname
    const isElsewhere =
      isStaying || event.ctrlKey || event.metaKey || event.shiftKey || link?.getAttribute('href')?.startsWith('#')
    if (guards.length === 0 || !link || link.target || link.origin !== location.origin || isElsewhere) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void leavePage(() => link.click())
  })
}

/** Leaves the page. If something on it is unsaved, asks first. */
export async function leavePage(leave: () => void): Promise<void> {
  for (const each of guards.toReversed()) if (!(await each.mayLeave())) return
  guards.length = 0
  leave()
}

/** While something is unsaved: asks before a reload, closing the window or the Back button discards it. */
export function useUnsaved(isUnsaved: boolean, mayLeave: () => Promise<boolean>): void {
  const latest = useRef(mayLeave)
  latest.current = mayLeave
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const mayClose = askBeforeClosing()
    const guard = { href: location.href, state: history.state, mayLeave: () => latest.current() }
    guards.push(guard)
    return () => {
      mayClose()
      if (guards.includes(guard)) guards.splice(guards.indexOf(guard), 1)
    }
  }, [isUnsaved])
}
