import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openConnection } from '../../src/store/open.ts'
import { Statements } from '../../src/store/statements.ts'

test('A statement is planned once, and not again for each value', () => {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  let calls = 0
  db.function('five', { deterministic: true }, () => {
    calls++ // once for each run, and once for each plan, because the planner asks the statistics about it
    return 5
  })
  db.exec('CREATE TABLE number (half, value); CREATE INDEX number_half ON number (half, value)')
  const insert = db.prepare('INSERT INTO number VALUES (?, ?)')
  for (let value = 0; value < 100; value++) insert.run(value % 2, value)
  db.exec('ANALYZE')
  const sql = 'SELECT value FROM number WHERE half = ? AND value > five() ORDER BY value LIMIT ?'
  const statement = new Statements(db, () => {}).value(sql)

  const found = [0, 1, 0].map((half) => statement.all(half, 2))

  assert.deepEqual(found, [
    [6, 8],
    [7, 9],
    [6, 8],
  ])
  assert.equal(calls, 3)
})
