import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UuidSequence } from '../../src/lib/generate-uuid.ts'
import { parseUuid } from '../../src/lib/uuid.ts'

const now = Date.UTC(2026, 5, 15, 12)
const shape = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const draw = (ids: UuidSequence, count: number, ms: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => ids.next(ms(n)))

test('Ids are UUIDs of version 7 that begin with the time in milliseconds', () => {
  for (const id of draw(new UuidSequence(), 1000, () => now)) {
    assert.match(id, shape)
    assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), now)
  }
})

test('Ids of one millisecond are ordered', () => {
  const ids = draw(new UuidSequence(), 10_000, () => now)

  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

test('Ids of many milliseconds are ordered', () => {
  const ids = draw(new UuidSequence(), 10_000, (n) => now + Math.floor(n / 7))

  assert.deepEqual([...ids].sort(), ids)
})

test('Ids stay unique when the clock goes back', () => {
  const ids = draw(new UuidSequence(), 1000, (n) => now - (n % 3))

  assert.equal(new Set(ids).size, ids.length)
})

test('Ids of two sequences differ in the same millisecond', () => {
  const ids = [...draw(new UuidSequence(), 1000, () => now), ...draw(new UuidSequence(), 1000, () => now)]

  assert.equal(new Set(ids).size, ids.length)
})

test('Ids are the same for the same random bytes', () => {
  const sequence = () => new UuidSequence(() => new Uint8Array(16).fill(7))

  assert.deepEqual(
    draw(sequence(), 5, () => now),
    draw(sequence(), 5, () => now),
  )
})

test('A UUID of any version is parsed case-insensitively, to lower case', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'

  for (const text of [id, id.toUpperCase()]) assert.equal(parseUuid(text), id)
  assert.equal(parseUuid('f47ac10b-58cc-4372-a567-0e02b2c3d479'), 'f47ac10b-58cc-4372-a567-0e02b2c3d479')
})

test('An invalid UUID is not parsed', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const invalid = [
    '',
    '7',
    `${id}0`,
    id.slice(1),
    ` ${id}`,
    `${id}\n`,
    `{${id}}`,
    `urn:uuid:${id}`,
    id.replaceAll('-', ''),
    id.replace('0', 'g'),
  ]

  for (const text of invalid) assert.equal(parseUuid(text), undefined, text)
})
