import { useState } from 'preact/hooks'

/** Runs something that may fail, and keeps the error until the next attempt. While it runs, further attempts are ignored. */
export function useAttempt() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const attempt = async (run: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await run()
    } catch (reason) {
      setError(reason as Error)
    }
    setBusy(false)
  }
  return { busy, error, attempt }
}
