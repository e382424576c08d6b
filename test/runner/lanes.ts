import { availableParallelism, cpus, tmpdir } from 'node:os'
import type { Check } from './checks.ts'
import { needsOwnProcess, takesTurns } from './files.ts'
import { memoryDirectory } from './memory.ts'
import { type FileResult, TestProcess } from './process.ts'
import { buildThreads } from './threads.ts'

/** How many files run at a time: many tests wait for a disk, a process or a browser, so more start while the processors have time. */
const [lanesMin, lanesMax] = [availableParallelism() + 1, 2 * availableParallelism() + 1]
const [idleMin, checkMs] = [0.3, 1_000]

interface Running {
  env: NodeJS.ProcessEnv
  /** Checks that run beside the files. */
  beside?: readonly Check[]
  onResult(result: FileResult): void
}

/** Runs test files in a few processes, in this order. Returns what was wrong beside the results: what a check found, a process that does not end. */
export async function runFiles(files: readonly string[], { env, beside = [], onResult }: Running): Promise<string[]> {
  const waiting = [...beside, ...files]
  const all = { KONTOR_TEST_THREADS: await buildThreads(), ...env }
  const inMemory = { ...all, TMPDIR: memoryDirectory() ?? tmpdir() }
  const faults: string[] = []
  const note = (fault: string | undefined) => {
    if (fault !== undefined) faults.push(fault)
  }
  let inTurn = false
  const lanes = Array.from({ length: Math.min(lanesMin, waiting.length) }, lane)
  const isIdle = idleWatch()
  const timer = setInterval(() => {
    if (isIdle() && lanes.length < lanesMax && waiting.length > 0) lanes.push(lane())
  }, checkMs)
  for (const each of lanes) await each // those that are added meanwhile, too
  clearInterval(timer)
  return faults

  async function lane(): Promise<void> {
    let shared: TestProcess | undefined
    for (let next = take(); next; next = take()) {
      if (typeof next === 'function') note(await next())
      else if (needsOwnProcess(next)) {
        const own = new TestProcess(all)
        onResult(await own.run(next))
        note(await own.end())
      } else {
        if (!shared?.isRunning) shared = new TestProcess(inMemory)
        onResult(await shared.run(next))
      }
      if (typeof next === 'string' && takesTurns(next)) inTurn = false
    }
    note(await shared?.end())
  }

  /** The next work, except that one file at a time is of those that take turns. */
  function take(): Check | string | undefined {
    const at = waiting.findIndex((next) => typeof next === 'function' || !inTurn || !takesTurns(next))
    const [next] = at === -1 ? [] : waiting.splice(at, 1)
    if (typeof next === 'string' && takesTurns(next)) inTurn = true
    return next
  }
}

/** Returns a function that tells whether the processors had time to spare since its last call. */
function idleWatch(): () => boolean {
  const read = () => {
    const times = cpus().map((cpu) => cpu.times)
    const idle = times.reduce((sum, each) => sum + each.idle, 0)
    return { idle, all: idle + times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0) }
  }
  let last = read()
  return () => {
    const now = read()
    const share = (now.idle - last.idle) / (now.all - last.all)
    last = now
    return share > idleMin
  }
}
