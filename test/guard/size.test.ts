import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesIn } from './sources.ts'

const linesMax = 250
const nameless = /(^|\/)(utils?|helpers?|common|misc|shared|manager|service|base)(\/|\.\w+$)/i

const sources = [...sourcesIn('src'), ...sourcesIn('test')]

test(`No file has more than ${linesMax} lines`, () => {
  const long = sources
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > linesMax)

  assert.deepEqual(long, [])
})

test('No folder or file has a name that does not describe its content', () => {
  const named = sources.map(({ path }) => path).filter((path) => nameless.test(path))

  assert.deepEqual(named, [])
})

test('Files and folders are named in kebab-case', () => {
  const named = sources.map(({ path }) => path).filter((path) => /[^a-z0-9./-]/.test(path))

  assert.deepEqual(named, [])
})
