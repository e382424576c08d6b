import { notify } from '../parts/notes.tsx'

interface Reloading {
  /** Runs a change. What was requested before it is not shown. */
  change<T>(run: () => Promise<T>): Promise<T>
  /** Reloads. A call during a reload starts one more after it. */
  refresh(): Promise<void>
  /** Prevents reloads until the returned function is called. */
  hold(): () => void
}

/** Reloads what users change meanwhile. `read` requests everything anew, and returns what shows it. */
export function createReloading(read: () => Promise<() => void>): Reloading {
  /** Each starts a new version. */
  const changes = new Set<Promise<unknown>>()
  let version = 0
  let refreshing: Promise<void> | undefined
  return {
    change,
    refresh() {
      version++
      refreshing ??= reload()
        .catch((error) => notify(error.message))
        .finally(() => {
          refreshing = undefined
        })
      return refreshing
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      void change(() => promise)
      return resolve
    },
  }

  async function change<T>(run: () => Promise<T>): Promise<T> {
    version++
    const changed = run()
    changes.add(changed)
    return changed.finally(() => changes.delete(changed))
  }

  async function reload(): Promise<void> {
    for (;;) {
      while (changes.size > 0) await Promise.allSettled(changes)
      const asked = version
      const show = await read()
      if (asked !== version) continue
      show()
      return
    }
  }
}
