import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold, labelOf, phoneKey, withoutCase } from '../../src/lib/text.ts'

const pairs: [a: string, b: string][] = [
  ['MÜLLER', 'müller'],
  ['Ärzte', 'ÄRZTE'],
  ['ÅNGSTRÖM', 'ångström'],
  ['ЖЁЛТЫЙ', 'жёлтый'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['ΣΊΣΥΦΟΣ Α', 'σίσυφος α'],
  ['Mu\u0308ller', 'Müller'],
  ['MÜLLER', 'muller'],
  ['Straße', 'STRASSE'],
  ['GROẞ', 'gross'],
  ['Ærø', 'aero'],
  ['Œuvre', 'oeuvre'],
  ['Łódź', 'lodz'],
  ['Đorđe', 'dorde'],
  ['Eyjafjörður', 'eyjafjordur'],
  ['Þór', 'thor'],
  ['İstanbul', 'ISTANBUL'],
  ['Diyarbakır', 'diyarbakir'],
  ['Nguyễn', 'nguyen'],
  ['Ｋontor', 'kontor'],
  ['ﬁsch', 'fisch'],
  ['\uff21cme', '\uff41CME'],
]
for (const [a, b] of pairs) {
  test(`${a} and ${b} are equal after folding`, () => {
    assert.equal(fold(a), fold(b))
  })
}

for (const [a, b] of [
  ['Mueller', 'Müller'],
  ['a b', 'ab'],
  ['1', '१'],
  ['ħ', 'h'],
] as const) {
  test(`${a} and ${b} are different after folding`, () => {
    assert.notEqual(fold(a), fold(b))
  })
}

test('Folding any character twice is folding it once', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const folded = fold(String.fromCodePoint(code))
    if (fold(folded) !== folded) assert.fail(`U+${code.toString(16)}`)
  }
})

test('Texts that differ in accents are different without case', () => {
  assert.equal(withoutCase('ÜBER'), withoutCase('u\u0308ber'))
  assert.notEqual(withoutCase('Über'), withoutCase('Uber'))
})

for (const [number, key] of [
  ['+49 89 123', '+4989123'],
  ['0049 (0)89 / 12-3', '+4989123'],
  ['(+49) 89.123', '+4989123'],
  ['089 123', '089123'],
  ['(0)89 123', '089123'],
  ['089 123 ext. 5', '089123ext5'],
  ['＋４９ ８９', '+4989'],
  ['---', '---'],
] as const) {
  test(`The telephone number ${number} is compared as ${key}`, () => {
    assert.equal(phoneKey(number), key)
  })
}

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
