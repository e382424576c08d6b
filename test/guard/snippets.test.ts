import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('The code of docs/test-suites.md that names a file in examples/ is that file, which CI runs', () => {
  const page = read('docs/test-suites.md')
  const shown = [...page.matchAll(/^\[`(examples\/[^`]+)`\]\(\.\.\/\1\):\n\n```\w+\n([\s\S]*?)^```$/gm)]

  const paths = shown.map(([, path]) => path!)
  const named = [...page.matchAll(/^\[`([^`]+)`\]/gm)].map(([, path]) => path)
  assert.deepEqual(paths, named)
  assert.deepEqual(
    new Set(paths.map((path) => path.split('/')[1])),
    new Set(['node-test', 'vitest', 'playwright', 'pytest', 'go']),
  )
  for (const [, path = '', code] of shown) assert.equal(code, read(path), path)
})
