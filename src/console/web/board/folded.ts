import { signal } from '@preact/signals'
import type { Row } from '../data/resource-views.ts'
import { recall, remember } from '../session/storage.ts'

const storageKey = 'kontor.board.folded'

const folded = signal<readonly string[]>(recall(storageKey)?.match(/[\w-]+/g) ?? [])

/** Whether the column of a won or lost stage is folded, which this browser remembers, and a function that folds or unfolds it. */
export function useFolded({ id, kind }: Row): [isFolded: boolean, fold: (isFolded: boolean) => void] {
  const fold = (isFolded: boolean) => {
    folded.value = isFolded ? [...folded.value, id] : folded.value.filter((each) => each !== id)
    remember(storageKey, folded.value.join())
  }
  return [kind !== 'open' && folded.value.includes(id), fold]
}
