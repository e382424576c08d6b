import { readFileSync } from 'node:fs'

const checkMs = 250

/** Calls `onEnd` when another process has ended, also if it had before. */
export function followParent(pid: number, onEnd: () => void): void {
  const begun = lifeOf(pid)
  const timer = setInterval(() => {
    const now = lifeOf(pid)
    if (now !== undefined && now === begun) return
    clearInterval(timer)
    onEnd()
  }, checkMs)
  timer.unref()
}

/**
 * Tells a process from a later one with the same number, on Linux by its start time; undefined: it has ended. A process whose parent has not
 * noticed its end yet (state Z) has ended.
 */
export function lifeOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return isRunning(pid) ? 'running' : undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // from the third on
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
