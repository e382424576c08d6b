import { lazyPart } from '../parts/lazily.tsx'

/** `RecordForm` and what it needs, in a script of its own. */
export const RecordForm = lazyPart(() => import('./record-form.tsx').then((part) => part.RecordForm))
