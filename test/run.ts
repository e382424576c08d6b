// Runs tests in a few processes: `node test/run.ts [all|fast|slow|<files>] [--check] [--slowest 30] [--record]`.
// `--check` checks types and style beside them, `--slowest` prints where the time went, `--record` stores how long each file took.
// A file that fails is run once more, alone: if it passes then, the run passes, and its last lines name what was flaky.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checks } from './runner/checks.ts'
import { filesOf, longestFirst, recordTimes } from './runner/files.ts'
import { runFiles } from './runner/lanes.ts'
import type { FileResult } from './runner/process.ts'
import { failedIn, printCounts, printFailures, printLeftOut, printSlowest } from './runner/report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, slowest: { type: 'string' }, record: { type: 'boolean' } },
})
const selected = positionals.length > 0 ? positionals : ['all']
/** The fast tests run the contract over the resource with the most features. */
const env = selected.includes('fast') ? { KONTOR_TEST_RESOURCES: 'contact' } : {}

/** The file and name of each test that is known to be flaky, until it is mended. */
const known: string[] = JSON.parse(readFileSync(new URL('flaky.json', import.meta.url), 'utf8'))

const started = performance.now()
const first = await run(selected.flatMap(filesOf), values.check ? checks : [])
const failed = first.results.filter(({ failures }) => failures.length > 0)
const again = await runAlone(failed.map(({ file }) => file))
const isFailed = new Set(again.results.filter(({ failures }) => failures.length > 0).map(({ file }) => file))

if (values.slowest) printSlowest(first.results, Number(values.slowest))
if (values.record) recordTimes(first.results)
const final = first.results.map((result) => again.results.find(({ file }) => file === result.file) ?? result)
printCounts(final, (performance.now() - started) / 1000)
printLeftOut(final)
const faults = [...first.faults, ...again.faults, ...failedIn(final)]
for (const fault of faults) console.log(`✖ ${fault}`)
for (const result of failed.filter(({ file }) => !isFailed.has(file))) {
  for (const name of failedIn([result])) console.log(`FLAKY ${name}${known.includes(name) ? ' (known)' : ''}`)
}
process.exitCode = faults.length > 0 ? 1 : 0

async function run(files: string[], beside: typeof checks = []): Promise<{ results: FileResult[]; faults: string[] }> {
  const results: FileResult[] = []
  const onResult = (result: FileResult) => {
    results.push(result)
    printFailures(result)
    console.log(`${result.failures.length > 0 ? '✖' : '✔'} ${result.seconds.toFixed(1)} s  ${result.file}`)
  }
  return { results, faults: await runFiles(longestFirst(files), { env, beside, onResult }) }
}

async function runAlone(files: string[]): ReturnType<typeof run> {
  const runs = []
  for (const file of files) {
    console.log(`Once more, alone: ${file}`)
    runs.push(await run([file]))
  }
  return { results: runs.flatMap(({ results }) => results), faults: runs.flatMap(({ faults }) => faults) }
}
