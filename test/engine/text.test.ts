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
  test(`${a} and ${b} fold alike`, () => {
    assert.equal(fold(a), fold(b))
  })
}

for (const [a, b] of [
  ['Muller', 'Müller'],
  ['a b', 'ab'],
  ['1', '१'],
] as const) {
  test(`${a} and ${b} do not fold alike`, () => {
    assert.notEqual(fold(a), fold(b))
  })
}

test('folding twice is folding once', () => {
  for (const text of ['İstanbul', 'ΟΔΥΣΣΕΥΣ', 'Straße', 'ŉ', 'e\u0301', '\u212b'])
    assert.equal(fold(fold(text)), fold(text))
})

test('what folds alike in a part folds alike in the whole', () => {
  for (const [whole, part] of [
    ['ΟΔΥΣΣΕΥΣ', 'οδυσ'],
    ['ΟΔΥΣΣΕΥΣ', 'σευς'],
    ['GROẞE MÜLLER', 'müll'],
  ] as const) {
    assert.ok(fold(whole).includes(fold(part)), `${part} in ${whole}`)
  }
})

test("a field's label is its name as words, the first letter large", () => {
  assert.equal(labelOf('first_name'), 'First name')
  assert.equal(labelOf('expected_close_date'), 'Expected close date')
  assert.equal(labelOf('title'), 'Title')
})
