import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInexactNumbers, lookupInexact, parseJson } from '../../src/engine/records/kinds/exact-numbers.ts'

const exact = [
  '0.1',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740994',
  '12345678901234567000',
  '1000000000000000000000000',
  '1.0000000000000000000000',
  '0.10000000000000000000',
  '0.00000000000000000000000000000000',
  '-0.0000000000000000',
  '1.7976931348623157e308',
  '1797693134862315700000e287',
  '5e-324',
  '0.1234567890123456',
  '3.141592653589793',
  '123456.78901234567e-5',
]

const inexact = [
  '9007199254740993',
  '-9007199254740993',
  '1.2345678901234567890',
  '0.1000000000000000055511151231257827',
  '12345678.123456789012',
  '100000000000000000000001',
  '12345678901234567890e-3',
  '9'.repeat(400),
]

for (const source of exact) {
  test(`${source} is exact`, () => assert.deepEqual(findInexactNumbers(`{"metadata":{"n":${source}}}`), []))
}

for (const source of inexact) {
  test(`${source.slice(0, 40)} is reported as inexact`, () => {
    assert.deepEqual(findInexactNumbers(`{"metadata":{"n":${source}}}`), [{ path: ['metadata'], source }])
  })
}

const [, big] = ['', '9007199254740993']

const texts: [what: string, text: string, paths: (string | number)[][]][] = [
  ['deep in metadata', `{"metadata":{"a":[1,{"b":[[${big}]]}]}}`, [['metadata']]],
  ['after strings with quotes and braces', `{"name":"\\"}{[\\\\","metadata":{"a":"]","b":${big}}}`, [['metadata']]],
  ['with white space around', `{ "metadata" :\n { "n" :\t${big} } }`, [['metadata']]],
  ['under a name that is written with escapes', `{"met\\u0061data":{"n":${big}}}`, [['metadata']]],
  ['once for each metadata', `{"metadata":{"a":${big},"b":${big}}}`, [['metadata']]],
  [
    'in the records of a bulk import',
    `{"records":[{"metadata":{"n":${big}}},{"metadata":{"n":1}},5,{"a":[1,2],"metadata":{"n":${big}}}]}`,
    [
      ['records', 0, 'metadata'],
      ['records', 3, 'metadata'],
    ],
  ],
  ['in an array of records', `[{"metadata":{}},{"metadata":[${big}]}]`, [[1, 'metadata']]],
  ['of the outermost metadata', `{"metadata":{"metadata":{"n":${big}}}}`, [['metadata']]],
  ['outside of metadata', `{"value":${big},"other":{"n":${big}}}`, [['value'], ['other', 'n']]],
  ['in a list, or deeper than the fields of a record', `{"list":[${big},[[[{"metadata":{"n":${big}}}]]]]}`, []],
  ['in a string', `{"metadata":{"n":"${big}","${big}":1}}`, []],
  ['in a text that is only a number', big!, []],
]

for (const [what, text, paths] of texts) {
  test(`An inexact number is ${paths.length > 0 ? '' : 'not '}found ${what}`, () => {
    JSON.parse(text)
    assert.deepEqual(
      findInexactNumbers(text).map(({ path }) => path),
      paths,
    )
  })
}

test('Parsed metadata remembers its inexact number', () => {
  const body = parseJson(`{"metadata":{"n":${big}}}`) as { metadata: object }
  const twice = parseJson(`{"metadata":{"n":${big}},"metadata":5}`)

  assert.equal(lookupInexact(body.metadata), big)
  assert.deepEqual(twice, { metadata: 5 })
})
