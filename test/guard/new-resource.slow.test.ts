import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Run, run } from '../support/program.ts'
import { contributedResources, copyWith, subscription } from './new-resource.ts'

/** Slow tests and tests of certain resources, which a new resource does not affect. */
const excluded = /\.slow\.|^(?:bad-lists|list-search|list-search-same|search|search-bounds|search-short)\./

const contributed = contributedResources()
const added = [...contributed, subscription]
const names = added.map(({ name }) => name)

const tsc = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname

/** Runs tests of the copy in one process. */
function runTests(copy: string, args: string[]): Promise<Run> {
  const options = ['--test', '--test-isolation=none', '--test-reporter=tap']
  // With this variable of the outer run, Node would treat the tests as a part of it.
  const env = { KONTOR_TEST_RESOURCES: names.join(), NODE_TEST_CONTEXT: undefined, KONTOR_TEST_THREADS: undefined }
  return run([process.execPath, ...options], args, { cwd: copy, env })
}

function assertPassed({ code, stdout, stderr }: Run, testsMin: number): void {
  const failures = stdout.split('\n').filter((line) => /^\s*not ok|^\s+error:/.test(line))
  assert.equal(code, 0, [...failures, stderr].join('\n'))
  assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) >= testsMin, stdout.slice(-500))
}

test('The resources of CONTRIBUTING.md cost their tables, a migration step, definitions of under 80 lines and one line in crm/records.ts', async (t) => {
  const copy = copyWith(t, ...added)
  assert.deepEqual(
    contributed.map(({ name }) => name),
    ['course', 'booking'],
  )
  for (const { definition } of added) assert.ok(definition.split('\n').length < 80)

  const { code, stdout } = await run([process.execPath, tsc], ['--noEmit', '-p', copy])
  assert.equal(code, 0, stdout)
})

test('The guards of schema, query plans and tenancy cover new resources and pass', async (t) => {
  const guards = ['schema', 'plans', 'workspace', 'duplicate-plans', 'size'].map((name) => `test/guard/${name}.test.ts`)
  const pattern = `--test-name-pattern=${names.join('|')}|No file|schema`

  assertPassed(await runTests(copyWith(t, ...added), [pattern, ...guards]), 14)
})

test('The contract tests cover new resources and pass, and the OpenAPI document describes them', async (t) => {
  const copy = copyWith(t, ...added)
  const files = readdirSync(join(copy, 'test/contract')).filter((name) => !excluded.test(name))
  const contract = files.map((name) => `test/contract/${name}`)
  const others = ['test/guard/openapi.test.ts', 'test/engine/assert-definitions.test.ts']

  assertPassed(await runTests(copy, [...contract, ...others]), 600)
})

test('Imports and files know the items, references and related records of new resources, and sums follow parts', async (t) => {
  assertPassed(await runTests(copyWith(t, ...added), ['test/guard/subscription-cases.ts']), 4)
})

test('Agents, imports and merges work with new resources as before', async (t) => {
  const files = ['mcp/tools', 'mcp/recipes', 'merge/children', 'features/imports/submit']
  const paths = files.map((name) => `test/${name}.test.ts`)
  const pattern = '--test-name-pattern=search finds records|Log a call|What belongs to the others|A submit of'

  assertPassed(await runTests(copyWith(t, ...added), [pattern, ...paths]), 8)
})
