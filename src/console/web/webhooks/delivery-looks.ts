import { useEffect, useRef } from 'preact/hooks'

/** When to look for how deliveries end, in milliseconds after the look before. The last one is repeated. */
const looksMs = [300, 700, 1_000, 2_000, 3_000, 4_000, 15_000]

/** Calls `look` again and again while the page is visible, first quickly, then slowly. Returns a function that begins again. */
export function useFollowing(look: () => unknown): () => void {
  const latest = useRef(look)
  latest.current = look
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const begin = () => {
    clearTimeout(timer.current)
    wait(0)
  }
  useEffect(() => {
    begin()
    return () => clearTimeout(timer.current)
  }, [])
  return begin

  function wait(count: number): void {
    timer.current = setTimeout(
      () => {
        if (document.visibilityState === 'visible') latest.current()
        wait(count + 1)
      },
      looksMs[Math.min(count, looksMs.length - 1)],
    )
  }
}
