import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentlyUsed } from '../../src/lib/recently-used.ts'

test('The size never exceeds the limit, and entries in regular use stay', () => {
  const bound = 1_000
  const cache = new RecentlyUsed<string>(bound, (text) => text.length)
  cache.put('often', 'x'.repeat(100))
  const sizeKept = (names: number) =>
    Array.from({ length: names }, (_, at) => cache.get(`once ${at}`)?.length ?? 0).reduce(
      (sum, length) => sum + length,
      0,
    )

  for (let at = 0; at < 200; at++) {
    cache.put(`once ${at}`, 'y'.repeat(1 + ((at * 37) % 400)))
    assert.equal(cache.get('often')?.length, 100)
  }

  assert.ok(sizeKept(200) + 100 <= bound)
})

test('A value that replaces another one of the same name counts only once', () => {
  const cache = new RecentlyUsed<string>(20, (text) => text.length)
  cache.put('first', 'x')

  for (let length = 1; length <= 8; length++) cache.put('grows', 'y'.repeat(length))

  assert.deepEqual([cache.get('first'), cache.get('grows')], ['x', 'y'.repeat(8)])
})
