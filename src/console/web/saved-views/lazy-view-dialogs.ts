import { lazyPart } from '../parts/lazily.tsx'

// The dialogs of views, in a script of their own.

export const EditViewDialog = lazyPart(() => import('./view-dialogs.tsx').then((part) => part.EditViewDialog))

export const SaveViewDialog = lazyPart(() => import('./view-dialogs.tsx').then((part) => part.SaveViewDialog))
