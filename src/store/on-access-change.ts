import type { Store } from './store.ts'

const everyMs = 1_000

const looks = new Set<() => void>()
let timer: NodeJS.Timeout | undefined

/**
 * Calls `look` within a second after companies, users, keys or what they have may have changed, in any process. If `look` throws, `failed` gets
 * the error, and `look` is called again a second later. One timer serves all callers. Returns a function that ends these calls.
 */
export function onAccessChange(store: Store, look: () => void, failed: (error: unknown) => void): () => void {
  let seen = store.accessVersion
  const lookIfChanged = () => {
    try {
      if (seen === store.accessVersion) return
      look()
      seen = store.accessVersion
    } catch (error) {
      failed(error)
    }
  }
  looks.add(lookIfChanged)
  timer ??= setInterval(() => {
    for (const each of looks) each()
  }, everyMs).unref()
  return () => {
    looks.delete(lookIfChanged)
    if (looks.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
