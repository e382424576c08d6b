import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecords } from '../../src/http/bulk-body.ts'

const mib = 2 ** 20
const [spaces, letters] = [' '.repeat(4 * mib), 'x'.repeat(4 * mib)]

const bounds = { depthMax: 64, recordBytesMax: mib, recordsMax: 10_000 }
/** It takes more than one turn. */
const short = `{"a":[${'1,'.repeat(mib / 3)}1],"records":[]}`

for (const [what, body] of [
  ['white space before the body', `${spaces}{"records":[{}]}`],
  ['white space before a name', `{${spaces}"records":[{}]}`],
  ['white space after a name', `{"records"${spaces}:[{}]}`],
  ['white space before a value', `{"records":${spaces}[{}]}`],
  ['white space in a list', `{"records":[${spaces}{}${spaces}]}`],
  ['white space after the body', `{"records":[{}]}${spaces}`],
  ['white space in short parts', `{"records":[{}]${`,${' '.repeat(mib / 4)}"a":1`.repeat(16)}}`],
  ['a long name', `{"${letters}":1,"records":[{}]}`],
  ['a long text', `{"a":"${letters}","records":[{}]}`],
  ['many short members', `{${'"a":1,'.repeat(50_000)}"records":[{}]}`],
] as const) {
  test(`A short bulk body is read while one with ${what} is`, async () => {
    const read: string[] = []
    const long = readRecords(Buffer.from(body), bounds).finally(() => read.push('long'))
    await readRecords(Buffer.from(short), bounds).finally(() => read.push('short'))

    assert.deepEqual(await long, { records: ['{}'] })
    assert.deepEqual(read, ['short', 'long'])
  })
}

test('A record of the largest size is read, and of a larger one only its size', async () => {
  const [largest, larger] = [mib, mib + 1].map((bytes) => `{"a":"${'x'.repeat(bytes - 8)}"}`)

  const { records } = await readRecords(Buffer.from(`{"records":[${largest},${larger}]}`), bounds)

  assert.deepEqual(records, [largest, String(mib + 1)])
})
