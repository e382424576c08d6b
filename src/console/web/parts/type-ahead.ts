import { isCombined } from './key-presses.ts'

/** How long keys are kept for an input that does not appear, in milliseconds. */
const waitMs = 10_000

interface TypeAhead {
  /** Whether the user has ended it: what was to be opened is not wanted any more. */
  readonly isLeft: boolean
  end(): void
}

/**
 * Keeps what is typed until an input of a dialog has the focus, and types it there instead of what is in it. Otherwise the first keys after
 * a command would go to the page, and the next ones behind the former value. Escape, Tab and the pointer end it.
 */
export function typeAhead(): TypeAhead {
  let text = ''
  let isLeft = false
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), waitMs)
  const giveUp = () => {
    isLeft = true
    stop.abort()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') return giveUp()
    if (event.isComposing || isCombined(event)) return
    if (event.key === 'Backspace') text = [...text].slice(0, -1).join('')
    else if ([...event.key].length === 1) text += event.key
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  const focus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.closest('dialog .body')) return
    stop.abort()
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) typeInto(target, text)
  }
  const options = { capture: true, signal: stop.signal }
  addEventListener('keydown', press, options)
  addEventListener('pointerdown', giveUp, options)
  addEventListener('focusin', focus, options)
  return {
    get isLeft() {
      return isLeft
    },
    end() {
      clearTimeout(timer)
      stop.abort()
    },
  }
}

/** Selects the content, and replaces it by what was typed. Dates have no selection. */
function typeInto(input: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  input.select()
  if (text === '' || input.selectionStart === null) return
  input.setRangeText(text, 0, input.value.length, 'end')
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
