import { signal } from '@preact/signals'
import type { Row } from '../data/resource-views.ts'

const storageKey = 'kontor.board.folded'

const folded = signal<readonly string[]>(remembered())

/** Whether the column of a won or lost stage is folded, which this browser remembers, and a function that folds or unfolds it. */
export function useFolded({ id, kind }: Row): [isFolded: boolean, fold: (isFolded: boolean) => void] {
  const fold = (isFolded: boolean) => {
    folded.value = isFolded ? [...folded.value, id] : folded.value.filter((each) => each !== id)
    try {
      localStorage.setItem(storageKey, folded.value.join())
    } catch {
      // A browser without storage forgets the choice with the page.
    }
  }
  return [kind !== 'open' && folded.value.includes(id), fold]
}

function remembered(): string[] {
  try {
    return localStorage.getItem(storageKey)?.match(/[\w-]+/g) ?? []
  } catch {
    return []
  }
}
