/** What the keyboard and screen readers find after a navigation: the focus is at the new page's heading. */

let waiting: AbortController | undefined

/** Moves the focus to the page's heading as soon as there is one and no dialog is in front of it, unless the user acts first. */
export function arrive(): void {
  waiting?.abort()
  const abort = new AbortController()
  waiting = abort
  const observer = new MutationObserver(settle)
  observer.observe(document.body, { childList: true, subtree: true })
  abort.signal.addEventListener('abort', () => observer.disconnect())
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, () => abort.abort(), { signal: abort.signal })
  settle()

  function settle() {
    if (!document.querySelector('dialog[open]') && focusHeading()) abort.abort()
  }
}

/** Where the focus goes when what had it is gone; answers whether the page has a heading. */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}
