import { useLayoutEffect } from 'preact/hooks'
import { creatable } from '../data/resource-views.ts'
import { isCombined, isForInput, isOff } from '../parts/key-presses.ts'
import { typeAhead } from '../parts/type-ahead.ts'
import { pageOf } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { panel, searched } from './open-panel.ts'

/** The keys of every page: Ctrl+K, c, l, / and ?. */
export function useGlobalKeys(): void {
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function press(event: KeyboardEvent): void {
  if (event.isComposing) return
  if (isSearch(event)) {
    event.preventDefault() // browsers search the web
    if (!panel.value && !document.querySelector('dialog[open]')) panel.value = { show: 'search' }
    return
  }
  if (event.defaultPrevented || isCombined(event) || isForInput(event)) return
  if (panel.value) {
    if (panel.value.show !== 'search' || [...event.key].length !== 1) return
    event.preventDefault() // the search may get the focus before the key is typed
    searched.value += event.key
    return
  }
  if (event.repeat || isOff(event)) return
  const act = actions[event.key]
  if (!act) return
  event.preventDefault() // the key is not typed into what it opens
  act()
}

function isSearch({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey
}

const actions: Readonly<Record<string, () => void>> = {
  c: create,
  l: () => {
    typeAhead()
    panel.value = { show: 'log' }
  },
  '/': search,
  '?': () => {
    panel.value = { show: 'keys' }
  },
}

/** Presses the page's button for it, or else shows the form of the page's resource. Pages without one offer all. */
function create(): void {
  const button = markedWith('c')
  const of = resourceHere()
  if (button || of) typeAhead()
  if (button) button.click()
  else panel.value = of ? { show: 'form', of } : { show: 'create' }
}

function search(): void {
  const box = markedWith('/')
  if (box) box.focus()
  else panel.value = { show: 'search' }
}

/** The element of the page that has this key. */
function markedWith(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main [aria-keyshortcuts="${key}"]`)
}

/** The resource that the page is about, if its records can be created. */
function resourceHere(): string | undefined {
  const here = `${pageOf(location.pathname)}/`
  return creatable().find((of) => here.startsWith(`${resourceOf(of).page}/`))
}
