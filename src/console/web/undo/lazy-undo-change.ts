import { lazyPart } from '../parts/lazily.tsx'

/** In a script of its own, which is loaded when the first change is to be undone. */
export const UndoChange = lazyPart(() => import('./undo-change.tsx').then((part) => part.UndoChange))
