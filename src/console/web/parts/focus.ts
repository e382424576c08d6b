/** The element that had the focus when a dialog opened, by dialog, and where it was. */
const openers = new WeakMap<Element, Opener>()

interface Opener {
  opener: Element
  spots: Spot[]
}

/** An element, and the index of the child that is or contains another one. */
interface Spot {
  parent: Element
  at: number
}

let last: Element | undefined
/** Where the focused element was: its ancestors within the page or dialog, from the inside out. */
let lastSpots: Spot[] = []
let waiting: AbortController | undefined

/** When the focused element is removed, moves the focus to the element that opened its dialog, to its neighbour, or to the heading; when it was disabled for a while, back to it. Scrolls what Tab focuses completely into view: browsers do not if a part of it is visible. */
export function restoreFocus(): void {
  addEventListener('focusin', ({ target }) => {
    last = target as Element
    lastSpots = last.matches('h1') ? [] : spotsOf(last)
  })
  addEventListener('keyup', ({ key }) => {
    if (key === 'Tab') document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const observer = new MutationObserver((records) => {
    recover()
    // A button that is enabled again. Browsers ignore this while it is disabled.
    const isBack = records.some(({ attributeName, target }) => attributeName && target === last)
    if (isBack && document.activeElement === document.body) (last as HTMLElement).focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}

/** Stores the element that has the focus: if the dialog replaces another one, what opened that one. Call it before the dialog takes the focus. */
export function rememberOpener(dialog: Element): void {
  recover()
  const { activeElement: opener } = document
  if (opener) openers.set(dialog, { opener, spots: spotsOf(opener) })
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
  const { opener, spots } = openerOf(last) ?? { opener: undefined, spots: lastSpots }
  last = undefined
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
    opener.focus({ preventScroll: true })
  if (document.activeElement !== document.body) return
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1)
  if (dialog) dialog.focus()
  else if (!focusNear(spots)) focusHeading()
}

/** What opened the dialog of a removed element; if that was in a dialog that is removed, too, what opened that one. */
function openerOf(removed: Element): Opener | undefined {
  const found = openers.get(removed.closest('dialog') ?? removed)
  const outer = found && !found.opener.isConnected ? openerOf(found.opener) : undefined
  return outer ?? found
}

function spotsOf(element: Element): Spot[] {
  const { parentElement: parent } = element
  if (!parent || parent.matches('main, dialog') || !parent.closest('main')) return []
  return [{ parent, at: [...parent.children].indexOf(element) }, ...spotsOf(parent)]
}

/** Moves the focus to what is now in the place of the removed element, best to a link, which Space does not press. */
function focusNear(spots: readonly Spot[]): boolean {
  for (const { parent, at } of spots) {
    const { children } = parent
    const place = parent.isConnected && children[Math.min(at, children.length - 1)]
    if (!place) continue
    const first = (what: string) => (place.matches(what) ? place : place.querySelector(what)) as HTMLElement | null
    const near = first('a[href]') ?? first('button, [type=checkbox], select')
    near?.focus({ preventScroll: true })
    if (document.activeElement !== document.body) return true
  }
  return false
}
