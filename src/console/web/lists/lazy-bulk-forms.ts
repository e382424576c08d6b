import { lazyPart } from '../parts/lazily.tsx'

// The forms of a selection, each in a script of its own.

export const BulkField = lazyPart(() => import('./bulk-field.tsx').then((part) => part.BulkField))

export const BulkNeeded = lazyPart(() => import('./bulk-needed.tsx').then((part) => part.BulkNeeded))
