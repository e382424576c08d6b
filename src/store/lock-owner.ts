import { readFileSync, statSync } from 'node:fs'

/** In the mask of a process's pending signals. */
const killBit = 1n << 8n
/** In its flags: it is ending (PF_EXITING). */
const exitingFlag = 4
const endedStates = ['Z', 'X']

/**
 * Whether the process that holds a lock on this file runs, and has not been killed. A process that has been killed holds its locks until its
 * memory has been freed and what it writes has ended. Undefined: that cannot be known, as on systems other than Linux.
 */
export function isOwnerRunning(path: string): boolean | undefined {
  try {
    const { ino } = statSync(path)
    const lock = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find((fields) => fields[1] === 'POSIX' && fields[3] === 'WRITE' && fields[5]?.endsWith(`:${ino}`))
    return lock && isRunning(lock[4]!)
  } catch {
    return undefined
  }
}

/** Undefined: there is no such process any more, or it is one of another container. */
function isRunning(pid: string): boolean | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const flags = Number(fields[5])
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const pending = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].map(([, mask]) => BigInt(`0x${mask}`))
  return !(endedStates.includes(state!) || flags & exitingFlag || pending.some((mask) => mask & killBit))
}
