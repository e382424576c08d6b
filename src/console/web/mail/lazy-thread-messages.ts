import { lazyPart } from '../parts/lazily.tsx'

/** The messages of a thread, in a script of their own. */
export const ThreadMessages = lazyPart(() => import('./thread-messages.tsx').then((part) => part.ThreadMessages))
