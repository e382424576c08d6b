/** The browser asks before it closes or reloads the page, until the returned function is called. */
export function askBeforeClosing(): () => void {
  const over = new AbortController()
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: over.signal })
  return () => over.abort()
}

/** While something is under way that closing the page would end, the browser asks first. */
export function unfinished<T>(work: Promise<T>): Promise<T> {
  return work.finally(askBeforeClosing())
}
