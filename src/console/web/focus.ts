/** The element that had the focus when a dialog opened, by dialog. */
const openers = new WeakMap<Element, Element>()
let last: Element | undefined
let waiting: AbortController | undefined

/** When the focused element is removed, moves the focus to the element that opened its dialog, or to the heading. */
export function restoreFocus(): void {
  addEventListener('focusin', ({ target }) => {
    last = target as Element
  })
  new MutationObserver(recover).observe(document.body, { childList: true, subtree: true })
}

/** Stores the element that has the focus. Call it before the dialog takes the focus. */
export function rememberOpener(dialog: Element): void {
  if (document.activeElement) openers.set(dialog, document.activeElement)
}

/** Moves the focus to the page's heading as soon as it exists and no dialog covers it, unless the user acts first. */
export function focusNewPage(): void {
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

/** Moves the focus to the heading. Returns whether the page has one. */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

function recover(): void {
  if (!last || last.isConnected || document.activeElement !== document.body) return
  const opener = openers.get(last.closest('dialog') ?? last)
  last = undefined
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
    opener.focus({ preventScroll: true })
  if (document.activeElement !== document.body) return
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1)
  if (dialog) dialog.focus()
  else focusHeading()
}
