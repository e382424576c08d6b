import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesIn } from './sources.ts'

const own = 'test/guard/waits.test.ts'
/** The modules that have timers: one for limits, one for times that are simulated. */
const timed = ['test/support/wait.ts', 'test/support/fault-times.ts']

/** What waits for a time instead of a state, and what to use instead. */
const forbidden: readonly [pattern: RegExp, instead: string][] = [
  [
    /\bset(?:Timeout|Interval|Immediate)\b|timers\/promises|\bnode:timers\b|\bAtomics\.wait\b|\bsleep \d/,
    'wait for a state with until() of support/wait.ts; a simulated time is in support/fault-times.ts',
  ],
  [/\bwaitForTimeout\b|networkidle/, 'wait for the page with idle() of support/page.ts'],
  [
    /\bwaitForFunction\b/,
    'wait with until() of support/wait.ts: the policy of the pages stops it unless it is true at once',
  ],
  [/\bdelay: \d/, 'type with typeSlowly() of support/page.ts'],
  [
    /\bwhile \((?!.*\brunBatch\b).*\bawait\b.*\) ?;|\bwhile \(.*\) await (?:turn\(\)|Promise\.race)/,
    'wait with until() of support/wait.ts',
  ],
]
/** Replaced timers pass when the test says so. */
const replacing = /timers\.enable\(/

/** Programs that measure or run tests, which limit the time of processes. */
const notTests = ['test/bench/', 'test/runner/', 'test/mutants/']

const sources = sourcesIn('test').filter(
  ({ path }) => !notTests.some((folder) => path.startsWith(folder)) && /\.m?[jt]s$|\.sh$/.test(path),
)

test('No test waits for a fixed time', () => {
  const found = sources
    .filter(({ path }) => ![own, ...timed].includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          forbidden
            .filter(([pattern]) => pattern.test(line) && !replacing.test(line))
            .map(([, instead]) => `${path}:${at + 1} ${line.trim()}: ${instead}`),
        ),
    )

  assert.deepEqual(found, [])
})
