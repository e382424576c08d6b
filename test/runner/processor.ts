import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

/** The seconds of processor time that a process, its descendants and those of them that have ended have taken; 0 where there is no `/proc`. */
export function processorSeconds(pid: number): number {
  const all = new Map(processes().map((each) => [each.pid, each]))
  let ticks = 0
  for (const each of all.values()) {
    let at: Process | undefined = each
    while (at && at.pid !== pid) at = all.get(at.parent)
    if (at) ticks += each.ticks
  }
  return ticks / ticksPerSecond
}

interface Process {
  pid: number
  parent: number
  ticks: number
}

function processes(): Process[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess)
  } catch {
    return []
  }
}

/** No process if it has ended meanwhile. The name, which may contain spaces, comes in parentheses. */
function readProcess(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent, ...rest] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = rest.slice(9, 13).reduce((sum, each) => sum + each, 0) // utime, stime, cutime, cstime
    return [{ pid: Number(pid), parent: parent!, ticks }]
  } catch {
    return []
  }
}
