import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { planted } from '../mutants/mutant.ts'
import { mutants } from '../mutants/mutants.ts'

const root = new URL('../../', import.meta.url).pathname

test('There are 40 planted faults, each with a name of its own', () => {
  assert.equal(new Set(mutants.map(({ name }) => name)).size, 40)
})

test('Each planted fault has its place in the present code exactly once, and changes it', () => {
  for (const mutant of mutants) {
    const source = readFileSync(join(root, mutant.file), 'utf8')
    assert.notEqual(planted(source, mutant), source, mutant.name)
  }
})

test('Each planted fault names test files that exist', () => {
  const missing = mutants.flatMap(({ name, tests }) =>
    tests.filter((glob) => globSync(glob, { cwd: root }).length === 0).map((glob) => `${name}: ${glob}`),
  )

  assert.deepEqual(missing, [])
})
