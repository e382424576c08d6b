import { useEffect, useRef } from 'preact/hooks'

/** Calls `run` when the user returns to the window or the network connection returns, but not during an earlier call. */
export function useReturn(run: () => unknown): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const left = new AbortController()
    let running = false
    const call = async () => {
      if (running || document.visibilityState === 'hidden') return
      running = true
      try {
        await latest.current()
      } finally {
        running = false
      }
    }
    const { signal } = left
    addEventListener('focus', call, { signal })
    addEventListener('online', call, { signal })
    document.addEventListener('visibilitychange', call, { signal })
    return () => left.abort()
  }, [])
}
