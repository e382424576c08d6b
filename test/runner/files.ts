import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'

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

/** The files of a selection (`all`, `fast`, `slow`), a pattern or a path. Ends the program with a message if there are none. */
export function filesOf(selected: string): string[] {
  const all = globSync('test/**/*.test.ts', { exclude: ['**/node_modules'] })
  const files = selections[selected] ? all.filter(selections[selected]) : globSync(selected)
  if (files.length > 0) return files
  console.error(
    `${selected}: no such test file. Name files or patterns, or one of: ${Object.keys(selections).join(', ')}`,
  )
  process.exit(1)
}

/** Sorts files by their recorded times; those without one come first. */
export function longestFirst(files: readonly string[]): string[] {
  const times = readTimes()
  const timeOf = (file: string) => times[file] ?? Number.POSITIVE_INFINITY
  return files.toSorted((a, b) => timeOf(b) - timeOf(a) || (a < b ? -1 : 1))
}

/** Files that did not run keep their times, unless they are gone. */
export function recordTimes(results: readonly { file: string; seconds: number }[]): void {
  const known = Object.entries(readTimes()).filter(([file]) => existsSync(file))
  const times = new Map([...known, ...results.map(({ file, seconds }) => [file, Number(seconds.toFixed(1))] as const)])
  const sorted = [...times].toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(timesPath, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

function readTimes(): Record<string, number> {
  return JSON.parse(readFileSync(timesPath, 'utf8'))
}
