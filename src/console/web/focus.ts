/** What had the focus when a dialog opened. */
const openers = new WeakMap<Element, Element>()
let last: Element | undefined
let waiting: AbortController | undefined

/** From now on, the focus never falls to the page when what has it is removed: it goes to what opened the dialog, or to the heading. */
export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    last = target as Element
  })
  new MutationObserver(recover).observe(document.body, { childList: true, subtree: true })
}

/** To be called before the dialog takes the focus. */
export function rememberOpener(dialog: Element): void {
  if (document.activeElement) openers.set(dialog, document.activeElement)
}

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
