import { makeImage } from '../sandbox/make-image.ts'
import type { StartImages } from '../sandbox/start-images.ts'
import { schema } from './open-store.ts'
import { demoNow } from './seed/calendar.ts'
import { demoTime, seedDemo } from './seed/demo.ts'

/** When everything in a sandbox without records was created. */
const emptyMs = Date.UTC(2026, 0, 1)

/** Makes the images of a sandbox, always with the same bytes. */
export const madeImages: StartImages = {
  empty: () =>
    makeImage({
      schema,
      clock: { now: () => emptyMs, elapsed: () => 0 },
      start: { mode: 'real', nowMs: emptyMs },
    }),
  demo: () => {
    const { clock, ids } = demoTime()
    return makeImage({
      ...{ schema, clock, newId: (ms) => ids.next(ms) },
      fill: (store, { companyId, workspaceId }) => seedDemo(store, companyId, workspaceId),
      start: { mode: 'ticking', nowMs: demoNow },
    })
  },
}
