// Runs the tests in a few processes of several files each, since starting a process costs more than most files do.
// `node test/run.ts [all|fast|slow]`; a single file runs with `node --test <file>`.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname } from 'node:path'

const filesPerProcess = 8
/** The most that one test may take. */
const testTimeoutMs = 240_000
const compileCache = new URL('../node_modules/.cache/node', import.meta.url).pathname
/** Many tests wait for a disk, a process or a browser. */
const processes = availableParallelism() + 1
const selected = process.argv[2] ?? 'all'
const fastFolders = ['contract', 'crm', 'engine', 'guard']
/** The fast tests run the contract over the resource with the most features. */
const fastResources = 'contact'
const selections: Record<string, (path: string) => boolean> = {
  all: () => true,
  fast: (path) => !isSlow(path) && fastFolders.some((folder) => path.startsWith(`test/${folder}/`)),
  slow: isSlow,
}

/** Whether a file is slow: those in e2e, and those with `.slow.` in their names. */
function isSlow(path: string): boolean {
  return path.startsWith('test/e2e/') || path.endsWith('.slow.test.ts')
}

/** Files of one folder share a process; a slow file outside of e2e has its own, since it loads or measures the process. */
function groupsOf(files: string[]): string[][] {
  const folders = Map.groupBy(files, (file) => (file.endsWith('.slow.test.ts') ? file : dirname(file)))
  return [...folders.values()].flatMap((folder) => {
    const count = Math.ceil(folder.length / filesPerProcess)
    return Array.from({ length: count }, (_, group) => folder.filter((_, at) => at % count === group))
  })
}

interface Result {
  failed: boolean
  output: string
  name: string
  seconds: number
}

function runGroup(files: string[]): Promise<Result> {
  const started = performance.now()
  const options = ['--test', '--test-isolation=none', '--test-reporter=spec', `--test-timeout=${testTimeoutMs}`]
  const child = spawn(process.execPath, [...options, ...files], {
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...(selected === 'fast' && { KONTOR_TEST_RESOURCES: fastResources }),
      ...process.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({
        failed: code !== 0,
        output: Buffer.concat(chunks).toString(),
        name: `${dirname(files[0]!)}: ${files.map((file) => basename(file, '.test.ts')).join(', ')}`,
        seconds: (performance.now() - started) / 1000,
      }),
    )
  })
}

/** The failures, which the reporter prints last; the complete output if the process ended before. */
function failuresIn(output: string): string {
  return output.slice(Math.max(0, output.lastIndexOf('✖ failing tests:')))
}

/** The sum over all processes of a count that the reporter prints at the end. */
function totalOf(name: string): number {
  const counts = results.map(({ output }) => Number(output.match(new RegExp(`^ℹ ${name} (\\d+)$`, 'm'))?.[1] ?? 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

const selects = selections[selected]
if (!selects) throw new Error(`choose one of: ${Object.keys(selections).join(', ')}`)
// Slow files start first, so that none runs alone at the end.
const files = globSync('test/**/*.test.ts', { exclude: ['**/node_modules'] })
  .filter(selects)
  .sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || (a < b ? -1 : 1))
const waiting = groupsOf(files)
const results: Result[] = []

async function work(): Promise<void> {
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const result = await runGroup(group)
    results.push(result)
    if (result.failed) console.log(failuresIn(result.output))
    console.log(`${result.failed ? '✖' : '✔'} ${result.seconds.toFixed(1)} s  ${result.name}`)
  }
}

const started = performance.now()
await Promise.all(Array.from({ length: processes }, work))
const failed = results.filter((result) => result.failed)
for (const { name } of failed) console.log(`✖ failed: ${name}`)
for (const name of ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo']) console.log(`ℹ ${name} ${totalOf(name)}`)
console.log(`ℹ duration_ms ${Math.round(performance.now() - started)}`)
process.exitCode = failed.length > 0 ? 1 : 0
