import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { busyFor } from './busy.ts'
import { isGone } from './http.ts'

export interface Loaded<T> {
  data: T | undefined
  error: Error | undefined
  /** Also true while existing data is being reloaded. */
  loading: boolean
  reload(): void
  /**
   * Reloads unnoticed: if that fails, only the error that the record is gone is shown. Resolves when what was read after the call is shown,
   * also if another call has replaced it, or false if it could not be read.
   */
  refresh(): Promise<boolean>
}

/** Loads whenever one of `inputs` changes. The old data stays until the new data arrives. */
export function useData<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: Error; loading: boolean }>({ loading: true })
  const [turn, setTurn] = useState(0)
  const isQuiet = useRef(false)
  /** The calls of `refresh` that wait for a load that starts after them. */
  const waiting = useRef<((isRead: boolean) => void)[]>([])
  const latest = useRef(load)
  latest.current = load
  // Before the page shows the new inputs, so that it never shows the old data as loaded.
  useLayoutEffect(() => {
    const abort = new AbortController()
    const quiet = isQuiet.current
    isQuiet.current = false
    const told = waiting.current.splice(0)
    if (!quiet) setState((before) => ({ ...before, loading: true }))
    const fail = (error: Error) =>
      setState((before) => {
        const isHidden = quiet && before.data !== undefined && !before.loading && !isGone(error)
        return isHidden ? before : { ...before, error, loading: false }
      })
    const end = (isRead: boolean, put: () => void) => {
      if (abort.signal.aborted) return
      put()
      for (const tell of told.splice(0)) tell(isRead)
    }
    latest.current(abort.signal).then(
      (data) => end(true, () => setState({ data, loading: false })),
      (error) => end(false, () => fail(error)),
    )
    return () => {
      abort.abort()
      waiting.current.push(...told) // the next load tells them
    }
  }, [...inputs, turn])
  const reload = useCallback(() => {
    isQuiet.current = false
    setTurn((before) => before + 1)
  }, [])
  const refresh = useCallback(() => {
    reload()
    isQuiet.current = true
    return new Promise<boolean>((resolve) => {
      waiting.current.push(resolve)
    })
  }, [])
  useEffect(() => {
    if (!state.error) return
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [state.error])
  return { data: state.data, error: state.error, loading: state.loading, reload, refresh }
}

/** Returns a value once it has not changed for `ms` milliseconds, for search as you type. */
export function useSettled<T>(value: T, ms = 200): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => (value === settled ? undefined : busyFor(ms, () => setSettled(value))), [value, ms])
  return settled
}
