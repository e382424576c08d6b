import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentlyUsed } from '../../src/lib/recently-used.ts'

test('The size never exceeds the limit, and entries in regular use stay', () => {
  const bound = 1_000
  const kept = new RecentlyUsed<string>(bound, (text) => text.length)
  kept.put('often', 'x'.repeat(100))
  const sizeKept = (names: number) =>
    Array.from({ length: names }, (_, at) => kept.get(`once ${at}`)?.length ?? 0).reduce(
      (sum, length) => sum + length,
      0,
    )

  for (let at = 0; at < 200; at++) {
    kept.put(`once ${at}`, 'y'.repeat(1 + ((at * 37) % 400)))
    assert.equal(kept.get('often')?.length, 100)
  }

  assert.ok(sizeKept(200) + 100 <= bound)
})

test('A value that replaces another one of the same name counts only once', () => {
  const kept = new RecentlyUsed<string>(20, (text) => text.length)
  kept.put('first', 'x')

  for (let length = 1; length <= 8; length++) kept.put('grows', 'y'.repeat(length))

  assert.deepEqual([kept.get('first'), kept.get('grows')], ['x', 'y'.repeat(8)])
})
