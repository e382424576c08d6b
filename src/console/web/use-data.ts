import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export interface Loaded<T> {
  data: T | undefined
  error: Error | undefined
  /** Also true while existing data is being reloaded. */
  loading: boolean
  reload(): void
}

/** Loads whenever one of `inputs` changes. The old data stays until the new data arrives. */
export function useData<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: Error; loading: boolean }>({ loading: true })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const abort = new AbortController()
    setState((before) => ({ ...before, loading: true }))
    latest.current(abort.signal).then(
      (data) => abort.signal.aborted || setState({ data, loading: false }),
      (error) => abort.signal.aborted || setState((before) => ({ ...before, error, loading: false })),
    )
    return () => abort.abort()
  }, [...inputs, turn])
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  return { data: state.data, error: state.error, loading: state.loading, reload }
}

/** Returns a value once it has not changed for `ms` milliseconds, for search as you type. */
export function useSettled<T>(value: T, ms = 200): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
