import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { resources } from '../../src/features/index.ts'
import { eventTypes } from '../../src/features/webhooks/webhook.ts'
import { pluralOf } from '../../src/lib/plural.ts'

// Lists in prose, compared with what the program has.

const root = new URL('../../', import.meta.url).pathname
const read = (path: string) => readFileSync(root + path, 'utf8')

function foldersIn(path: string): string[] {
  const entries = readdirSync(root + path, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

test('docs/changes.md names every type of change', () => {
  const line = /^- `type`: .*$/m.exec(read('docs/changes.md'))![0]
  const named = [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  const common = named.map((name) => name.replace('<resource>', '')).filter((name) => name.startsWith('.'))
  const isNamed = (type: string) => named.includes(type) || common.some((end) => type.endsWith(end))

  assert.deepEqual(
    eventTypes.filter((type) => !isNamed(type)),
    [],
    'name these types in the line `type` of docs/changes.md',
  )
  for (const end of ['.created', '.updated', '.merged', '.deleted', '.restored', '.erased']) {
    assert.ok(
      named.some((name) => name.endsWith(end)),
      end,
    )
  }
})

test('docs/api.md names every resource', () => {
  const text = read('docs/api.md')

  const missing = resources
    .map(pluralOf)
    .filter((name) => !text.includes(`\`${name}\``) && !text.includes(`api-v1-${name}`))

  assert.deepEqual(missing, [], 'name these resources in the list of docs/api.md')
})

test('docs/architecture.md names every folder of src and of its features', () => {
  const text = read('docs/architecture.md')

  const missing = [...foldersIn('src'), ...foldersIn('src/features')].filter((name) => !text.includes(`${name}/`))

  assert.deepEqual(missing, [])
})
