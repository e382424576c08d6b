import { signal } from '@preact/signals'
import { recall, remember } from '../session/storage.ts'

/** Where this browser remembers that keys without Ctrl are off. */
const storageKey = 'kontor.keys'

/** Whether single letters and signs are keys of the console. Users of voice control turn them off. */
export const areKeysOn = signal(recall(storageKey) !== 'off')

export function turnKeys(on: boolean): void {
  areKeysOn.value = on
  remember(storageKey, on ? undefined : 'off')
}

const textInputs = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])'

/** Whether a key belongs to what the user types into, or to a dialog. */
export function isForInput({ target }: Event): boolean {
  return (target as Element).closest?.(textInputs) != null || document.querySelector('dialog[open]') !== null
}

/** Whether a key is pressed with another one that gives it a different meaning. AltGr only writes a sign. */
export function isCombined(event: KeyboardEvent): boolean {
  return event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph'))
}

/** Whether Ctrl+Z is pressed. */
export function isUndo(event: KeyboardEvent): boolean {
  return event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
}

/** Whether a key writes a letter or a sign, and those are turned off. */
export function isOff({ key }: KeyboardEvent): boolean {
  return !areKeysOn.value && [...key].length === 1
}

/** The `aria-keyshortcuts` of an element that a key of the console presses or focuses. */
export function keyFor(key: 'c' | '/'): string | undefined {
  return areKeysOn.value ? key : undefined
}

/** The option that an arrow key leads to; -1 if there is none. */
export function stepFrom(active: number, by: number, count: number): number {
  return count === 0 ? -1 : (active + by + count) % count
}
