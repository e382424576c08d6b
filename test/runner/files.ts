import { globSync, readFileSync, writeFileSync } from 'node:fs'

/** Recorded seconds of each test file, of which only the order matters: the longest start first. */
const timesPath = new URL('times.json', import.meta.url)
const fastFolders = ['contract', 'crm', 'engine', 'guard']

const selections: Record<string, (path: string) => boolean> = {
  all: () => true,
  fast: (path) => !isSlow(path) && fastFolders.some((folder) => path.startsWith(`test/${folder}/`)),
  slow: isSlow,
}

/** Whether a file is slow: those in e2e, and those with `.slow.` in their names. */
function isSlow(path: string): boolean {
  return path.startsWith('test/e2e/') || needsOwnProcess(path)
}

/** Whether a file needs a process of its own, since it loads or measures the process. */
export function needsOwnProcess(path: string): boolean {
  return path.endsWith('.slow.test.ts')
}

/** Whether only one such file may run at a time: servers that share a log lose it if they get too little time, and so the lead. */
export function takesTurns(path: string): boolean {
  return path.startsWith('test/cluster/')
}

/** The files of a selection (`all`, `fast`, `slow`), a pattern or a path. Throws if there are none. */
export function filesOf(selected: string): string[] {
  const all = globSync('test/**/*.test.ts', { exclude: ['**/node_modules'] })
  const files = selections[selected] ? all.filter(selections[selected]) : globSync(selected)
  if (files.length === 0)
    throw new Error(`${selected}: no such test file; or choose one of: ${Object.keys(selections).join(', ')}`)
  return files
}

/** Sorts files by their recorded times; those without one come first. */
export function longestFirst(files: readonly string[]): string[] {
  const times: Record<string, number> = JSON.parse(readFileSync(timesPath, 'utf8'))
  const timeOf = (file: string) => times[file] ?? Number.POSITIVE_INFINITY
  return files.toSorted((a, b) => timeOf(b) - timeOf(a) || (a < b ? -1 : 1))
}

export function recordTimes(results: readonly { file: string; seconds: number }[]): void {
  const times = results.map(({ file, seconds }) => [file, Number(seconds.toFixed(1))] as const)
  writeFileSync(timesPath, `${JSON.stringify(Object.fromEntries(times.sort()), undefined, 2)}\n`)
}
