import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRawNumber, parseExact } from '../../src/lib/exact-json.ts'

const big = '9007199254740993'

for (const text of [
  big,
  `-${big}`,
  `[1,${big},{"a":[[${big}.5]],"b":"x"},-1e-400]`,
  `{"__proto__":${big},"constructor":{"__proto__":[${big}]}}`,
  `{"${big}":"${big}","a\\"${big}":"\\\\","b":${big}}`,
  `["0198a2b0-0000-7000-8000-000000000001","1e-700",${big},0.1,true,null]`,
]) {
  test(`All digits of the numbers in ${text} are kept`, () => {
    assert.equal(JSON.stringify(parseExact(text)), text)
  })
}

test('Only numbers that a double would change are kept as texts, and of members with the same name the last', () => {
  const [changed, ...others] = parseExact(`[${big}, 9007199254740992, 1.0000000000000000, 5, "${big}"]`) as unknown[]

  assert.ok(isRawNumber(changed))
  assert.deepEqual(others, [9007199254740992, 1, 5, big])
  assert.deepEqual(parseExact(`{"a":${big},"b":${big},"a":1,"b":{"c":2}}`), { a: 1, b: { c: 2 } })
})

test('A text with long numbers that is no JSON is refused as JSON.parse refuses it', () => {
  for (const text of [`{${big}:1}`, `[${big}.1.2]`, `[0${big}]`, `["${big}`, `[${big}]]`, `[-${big}+1]`]) {
    const { message } = faultOf(() => JSON.parse(text))
    assert.throws(() => parseExact(text), { name: 'SyntaxError', message })
  }
})

test('Nothing is called for each value of a text, whether it seems to have long numbers or has one', (t) => {
  const { mock } = t.mock.method(JSON, 'parse')
  const numbers = Array(1_000).fill(1).join()

  for (const last of ['"1e-700"', big]) assert.equal((parseExact(`[${numbers},${last}]`) as unknown[]).length, 1_001)

  assert.ok(mock.calls.length > 0 && mock.calls.every((call) => call.arguments[1] === undefined))
})

function faultOf(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('It is no fault')
}
