import type { FileResult } from './process.ts'
import type { EndedTest } from './protocol.ts'

/** The most of a log that is printed, from its end. */
const outputLinesMax = 60

/** Prints each failure with the end of its servers' logs, and what its process wrote meanwhile. */
export function printFailures({ file, failures }: FileResult): void {
  for (const { name, error, output, log = [] } of failures.filter((failure) => failure.error !== undefined)) {
    console.log(`✖ ${file}: ${name}\n${indented(error!)}`)
    const lines = output.trimEnd().split('\n').slice(-outputLinesMax)
    if (log.length > 0) console.log(`  Log of its servers:\n${indented(log.join('\n'))}`)
    if (output.trim() !== '') console.log(`  Output during this test:\n${indented(lines.join('\n'))}`)
  }
}

/** The file and name of each test that failed, without those that only contain such a test. */
export function failedIn(results: readonly FileResult[]): string[] {
  const own = ({ failures }: FileResult) => failures.filter(({ error }) => error !== undefined)
  return results.flatMap((result) => own(result).map(({ name }) => `${result.file} ${name}`))
}

/** Prints the counts as node:test does. */
export function printCounts(results: readonly FileResult[], seconds: number): void {
  const tests = results.flatMap((result) => result.tests).filter(({ isSuite }) => !isSuite)
  const count = (selects: (test: EndedTest) => boolean) => tests.filter(selects).length
  console.log(`ℹ tests ${tests.length}`)
  console.log(`ℹ pass ${count(({ passed, skip }) => passed && !skip)}`)
  console.log(`ℹ fail ${count(({ passed }) => !passed)}`)
  console.log(`ℹ skipped ${count(({ skip }) => skip !== undefined)}`)
  console.log(`ℹ duration_ms ${Math.round(seconds * 1000)}`)
}

/** Prints how many tests were left out, in one line for each reason. */
export function printLeftOut(results: readonly FileResult[]): void {
  const skipped = results.flatMap(({ tests }) => tests).filter(({ skip }) => skip !== undefined)
  for (const [reason, tests] of Map.groupBy(skipped, ({ skip }) => skip))
    console.log(`left out ${tests.length}: ${reason}`)
}

/** Prints the folders and files that took most processor time, and the files and outermost tests that took longest. */
export function printSlowest(results: readonly FileResult[], count: number): void {
  const files = results.map(({ file, seconds }) => ({ seconds, text: file }))
  const busiest = results.map((result) => ({ seconds: result.processorSeconds, text: result.file }))
  const folders = [...Map.groupBy(results, ({ file }) => file.split('/').slice(0, 2).join('/'))].map(
    ([text, within]) => ({
      text,
      seconds: within.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0),
    }),
  )
  const tests = results.flatMap(({ file, tests }) =>
    tests.filter(({ nesting }) => nesting === 0).map(({ seconds, name }) => ({ seconds, text: `${file}: ${name}` })),
  )
  for (const [title, all] of [
    ['busiest folders, in seconds of processor time, with that of browsers', folders],
    ['busiest files, in seconds of processor time', busiest],
    ['slowest files, in seconds', files],
    ['slowest tests, in seconds', tests],
  ] as const) {
    console.log(`The ${title}:`)
    for (const { seconds, text } of all.toSorted((a, b) => b.seconds - a.seconds).slice(0, count))
      console.log(`${seconds.toFixed(1).padStart(7)}  ${text}`)
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
