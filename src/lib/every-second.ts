const runs = new Set<() => void>()
let timer: NodeJS.Timeout | undefined

/** Runs a function, which must not throw, about once a second: one timer runs all of them. Returns a function that ends it. */
export function everySecond(run: () => void): () => void {
  runs.add(run)
  timer ??= setInterval(() => {
    for (const each of runs) each()
  }, 1_000).unref()
  return () => {
    runs.delete(run)
    if (runs.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
