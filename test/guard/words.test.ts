import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../', import.meta.url).pathname

/** So that a reader gets through. Who adds a page shortens another one, or raises the number with a reason. */
const limits = [
  { what: 'The README', files: ['README.md'], wordsMax: 600 },
  { what: 'The documents', files: ['docs/*.md', 'CONTRIBUTING.md', 'SECURITY.md'], wordsMax: 31_000 },
  { what: 'The decisions', files: ['docs/decisions/*.md'], wordsMax: 26_000 },
]

for (const { what, files, wordsMax } of limits) {
  test(`${what} can be read: at most ${wordsMax} words`, () => {
    const texts = globSync(files, { cwd: root }).map((path) => readFileSync(`${root}${path}`, 'utf8'))
    const words = texts.flatMap((text) => text.split(/\s+/).filter((word) => word !== '')).length

    assert.ok(words > wordsMax / 10 && words <= wordsMax, `${words} words`)
  })
}
