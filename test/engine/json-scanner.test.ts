import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonScanner } from '../../src/lib/json-scanner.ts'
import { randomOf } from '../support/random.ts'

function elementsOf(text: string): string[] {
  const scanner = new JsonScanner(Buffer.from(text))
  const texts: string[] = []
  scanner.enter('[')
  while (scanner.hasNext(']')) texts.push(scanner.value())
  scanner.end()
  return texts
}

test('The scanner returns the text of every element of an array', () => {
  const texts = ['1', '-2.5e3', '"a,]}\\""', '"\\\\"', 'true', 'null', '{"a":[1,{"b":"]"}]}', '[]', '{}', '"ü😀"']

  assert.deepEqual(elementsOf(`[${texts.join(',')}]`), texts)
  assert.deepEqual(elementsOf(` [ ${texts.join(' ,\n\t')} ] `), texts)
  assert.deepEqual(elementsOf('[]'), [])
})

test('The scanner advances in steps of any size', () => {
  const text = JSON.stringify({ a: ['x'.repeat(50), { b: [1, 2, { c: '\\"' }] }], d: 12.5 })
  for (const step of [1, 2, 7, 1000]) {
    const scanner = new JsonScanner(Buffer.from(`${text}  `))
    scanner.begin()
    while (!scanner.advance(step));

    assert.equal(scanner.text(), text)
    scanner.end()
  }
})

test('Invalid JSON is refused, or returned as text that does not parse', () => {
  const broken = [
    '[1',
    '["a',
    '[1 2]',
    '[1]]',
    '{}',
    '',
    '[,1]',
    '[1,]',
    '[{"a":1}{"b":2}]',
    '[1:2]',
    '[}]',
    '["\\',
    '[{]',
  ]
  for (const text of broken) {
    assert.throws(() => elementsOf(text).map((each) => JSON.parse(each)), SyntaxError, text)
  }
})

test('The scanner limits the depth', () => {
  const nested = (depth: number) => new JsonScanner(Buffer.from('['.repeat(depth) + ']'.repeat(depth)), { depthMax: 5 })

  assert.equal(nested(5).value(), '[[[[[]]]]]')
  assert.throws(() => nested(6).value(), RangeError)
})

test('The scanner refuses randomly changed texts exactly when JSON.parse does', () => {
  const random = randomOf(7)
  const text = JSON.stringify([{ a: 1, b: ['x\n"', null] }, 'two', -3.25, [[], {}], { c: { d: true } }])
  for (let round = 0; round < 5_000; round++) {
    const at = random.below(text.length)
    const changed = text.slice(0, at) + '[]{},:"\\ 1e'[random.below(11)] + text.slice(at + random.below(2))
    const expected = outcomeOf(() => (JSON.parse(changed) as unknown[]).map((each) => JSON.stringify(each)))
    const found = outcomeOf(() => elementsOf(changed).map((each) => JSON.stringify(JSON.parse(each))))

    assert.deepEqual(found, expected, changed)
  }
})

function outcomeOf(read: () => string[]): string[] | 'refused' {
  try {
    return read()
  } catch {
    return 'refused'
  }
}
