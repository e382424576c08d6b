import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '../../src/http/json.ts'

const length = 1_000_000

const nested = (inner: string) => `{${'"metadata":{'.repeat(500)}"a":${inner}${'}'.repeat(500)}}`

/** Texts of which a part might be read again and again. */
const texts: Record<string, string> = {
  'metadata within metadata': nested(`${' '.repeat(length)}1`),
  'metadata within metadata that is too large': nested(`"${'x'.repeat(length)}"`),
  'numbers below a long name': `{"${'n'.repeat(length)}":[${Array(500).fill('1.1111111111111111').join()}]}`,
  'numbers below a long name in metadata': `{"metadata":{"${'n'.repeat(60_000)}":{${Array.from({ length: 500 }, (_, n) => `"${n}":1.1111111111111111`).join()}}}}`,
}

for (const [what, text] of Object.entries(texts)) {
  test(`A body with ${what} is read a few times, however often they repeat`, () => {
    assert.doesNotThrow(() => JSON.parse(text))
    const read = charactersRead(() => parseJson(text))
    assert.ok(read < 20 * text.length, `${read / text.length} times`)
  })
}

/** How many characters of texts are looked at one by one, or parsed. */
function charactersRead(run: () => void): number {
  const { charCodeAt } = String.prototype
  const { parse } = JSON
  let read = 0
  String.prototype.charCodeAt = function (at) {
    read++
    return charCodeAt.call(this, at)
  }
  JSON.parse = (text, ...more) => {
    read += text.length
    return parse(text, ...more)
  }
  try {
    run()
  } finally {
    String.prototype.charCodeAt = charCodeAt
    JSON.parse = parse
  }
  return read
}
