// Runs tests again and again beside programs that keep the processors and the disk busy, each time in another order and with other
// random values: `npm run stress -- [all|fast|slow|<files>] [--times 20] [--seed 123]`. With the seed of a failure, it begins with that order.
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { filesOf } from './runner/files.ts'
import { startHogs } from './runner/hogs.ts'
import { runFiles } from './runner/lanes.ts'
import { failedIn, printFailures } from './runner/report.ts'
import { randomOf } from './support/random.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, seed: { type: 'string' } },
})
const [times, seed] = [Number(values.times), Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))]
if (!(times >= 1)) throw new Error('--times must be a number from 1')
if (!Number.isInteger(seed)) throw new Error('--seed must be an integer')
const files = (positionals.length > 0 ? positionals : ['all']).flatMap(filesOf)
const failures: string[] = []

process.env.TMPDIR ??= tmpdir() // the disk, as the programs beside the tests keep it busy
startHogs()
for (let round = 0; round < times; round++) {
  const own = seed + round
  let count = 0
  const faults = await runFiles(shuffled(files, own), {
    env: { KONTOR_TEST_SEED: String(own) },
    onResult(result) {
      printFailures(result)
      count += result.tests.length
      failures.push(...failedIn([result]).map((name) => `seed ${own}: ${name}`))
    },
  })
  failures.push(...faults.map((fault) => `seed ${own}: ${fault}`))
  console.log(`${round + 1} of ${times}, seed ${own}: ${count} tests, ${failures.length} failures so far`)
}
for (const failure of failures) console.log(`✖ ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0

function shuffled<T>(items: readonly T[], by: number): T[] {
  const random = randomOf(by)
  const keyed = items.map((item) => [random.below(2 ** 30), item] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item)
}
