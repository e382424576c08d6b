import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CursorValue, openCursor, sealCursor } from '../../src/lib/cursor.ts'

const secret = 'a secret'
const context = '7 contact ["name",[]]'
const place = ['müller "&"', null, -1.5, '01890a5d']

test('A sealed cursor opens to the same values', () => {
  const places: CursorValue[][] = [place, [''], [null], [0], ['\u2028\0😀']]
  for (const each of places) assert.deepEqual(openCursor(secret, context, sealCursor(secret, context, each)), each)
})

test('A cursor is deterministic and safe in a URL', () => {
  const cursor = sealCursor(secret, context, place)

  assert.equal(sealCursor(secret, context, place), cursor)
  assert.match(cursor, /^[\w-]+$/)
})

test('A cursor does not open with another secret or context', () => {
  const cursor = sealCursor(secret, context, place)

  assert.equal(openCursor('another', context, cursor), undefined)
  assert.equal(openCursor(secret, '8 contact ["name",[]]', cursor), undefined)
  assert.equal(openCursor(`${secret}7`, context.slice(1), cursor), undefined)
  assert.equal(openCursor('', `${secret}${context}`, cursor), undefined)
})

test('A cursor with one changed character does not open', () => {
  const cursor = sealCursor(secret, context, place)

  for (let at = 0; at < cursor.length; at++) {
    const forged = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    assert.equal(openCursor(secret, context, forged), undefined, `character ${at}`)
  }
})

test('A cursor that is shortened or extended does not open', () => {
  const cursor = sealCursor(secret, context, place)

  for (let length = 0; length < cursor.length; length++) {
    assert.equal(openCursor(secret, context, cursor.slice(0, length)), undefined, `${length} characters`)
  }
  for (const more of ['A', '=', ' ', '\0']) assert.equal(openCursor(secret, context, cursor + more), undefined)
})

test('A made-up cursor does not open', () => {
  const payload = Buffer.from('["x"]').toString('base64url')

  for (const token of ['', 'null', '{}', payload, `${'A'.repeat(22)}${payload}`, 'ü'.repeat(40)]) {
    assert.equal(openCursor(secret, context, token), undefined)
  }
})
