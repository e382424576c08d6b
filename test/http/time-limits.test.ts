import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitDefinitions } from '../../src/config/limits.ts'
import { readConfig } from '../../src/config.ts'

type Name = keyof typeof limitDefinitions

const names = (Object.keys(limitDefinitions) as Name[]).filter((name) => /<time>/.test(limitDefinitions[name].flag))

test('A time limit that a timer cannot wait for is refused, instead of ending at once', () => {
  assert.ok(names.length > 0)
  for (const name of names) {
    const read = (text: string) => readConfig([name], {}, { [limitDefinitions[name].env]: text })[name]
    assert.throws(() => read('25d'), /^ConfigError: KONTOR_[A-Z_]+ must be .*at most 24d/, name)
    assert.equal(read('24d'), 24 * 86_400_000, name)
  }
})
