import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold, labelOf } from '../../src/lib/text.ts'

const pairs: [a: string, b: string][] = [
  ['MÜLLER', 'müller'],
  ['Ärzte', 'ÄRZTE'],
  ['ÅNGSTRÖM', 'ångström'],
  ['ЖЁЛТЫЙ', 'жёлтый'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['ΣΊΣΥΦΟΣ Α', 'σίσυφος α'],
  ['Mu\u0308ller', 'Müller'],
  ['\uff21cme', '\uff41CME'],
]
for (const [a, b] of pairs) {
  test(`${a} and ${b} are equal after folding`, () => {
    assert.equal(fold(a), fold(b))
  })
}

for (const [a, b] of [
  ['Muller', 'Müller'],
  ['a b', 'ab'],
  ['1', '१'],
] as const) {
  test(`${a} and ${b} are different after folding`, () => {
    assert.notEqual(fold(a), fold(b))
  })
}

test('Folding is idempotent', () => {
  for (const text of ['İstanbul', 'ΟΔΥΣΣΕΥΣ', 'Straße', 'ŉ', 'e\u0301', '\u212b'])
    assert.equal(fold(fold(text)), fold(text))
})

test('Equal parts are equal in a longer text', () => {
  for (const [whole, part] of [
    ['ΟΔΥΣΣΕΥΣ', 'οδυσ'],
    ['ΟΔΥΣΣΕΥΣ', 'σευς'],
    ['GROẞE MÜLLER', 'müll'],
  ] as const) {
    assert.ok(fold(whole).includes(fold(part)), `${part} in ${whole}`)
  }
})

test('The label of a field is its name as words, with a capital letter', () => {
  assert.equal(labelOf('first_name'), 'First name')
  assert.equal(labelOf('expected_close_date'), 'Expected close date')
  assert.equal(labelOf('title'), 'Title')
})
