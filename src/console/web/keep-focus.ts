/** What had the focus when a dialog opened. */
const openers = new WeakMap<Element, Element>()
let last: Element | undefined

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

export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function recover(): void {
  if (!last || last.isConnected || document.activeElement !== document.body) return
  const opener = openers.get(last.closest('dialog') ?? last)
  last = undefined
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
    opener.focus({ preventScroll: true })
  if (document.activeElement === document.body) focusHeading()
}
