import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSpan } from '../../src/lib/moment.ts'

const dayMs = 86_400_000

/** decision B10 */
const moments: [text: string, utc: string][] = [
  ['2026-06-15T12:00:00Z', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T12:00:00.123Z', '2026-06-15T12:00:00.123Z'],
  ['2026-06-15T12:00:00.1Z', '2026-06-15T12:00:00.100Z'],
  ['2026-06-15T12:00Z', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T12:00:00', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T12:00', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15t12:00:00z', '2026-06-15T12:00:00.000Z'],
  ['2026-06-15T12:00:00+02:00', '2026-06-15T10:00:00.000Z'],
  ['2026-06-15T12:00:00-0930', '2026-06-15T21:30:00.000Z'],
  ['2026-06-15T12:00:00+14:00', '2026-06-14T22:00:00.000Z'],
  ['2026-06-15T12:00:00-00:00', '2026-06-15T12:00:00.000Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  // Never rounded up: some programs end a day with its last nanosecond.
  ['2026-06-15T23:59:59.999999999Z', '2026-06-15T23:59:59.999Z'],
  ['2026-06-15T23:59:59,9999999+02:00', '2026-06-15T21:59:59.999Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
]
for (const [text, utc] of moments) {
  test(`${text} means ${utc}`, () => {
    const span = parseSpan(text)

    const start = Date.parse(utc)
    assert.deepEqual(span, { start, end: start + 1 })
  })
}

for (const date of ['2026-06-15', '2024-02-29', '2000-02-29', '1970-01-01', '0050-12-31', '9999-12-31']) {
  test(`${date} means the whole UTC day`, () => {
    const span = parseSpan(date)

    const start = Date.parse(`${date}T00:00:00Z`)
    assert.deepEqual(span, { start, end: start + dayMs })
  })
}

const outside = ['2026-02-29', '2026-02-30', '2100-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-06-00']
const clockFaults = ['T25:00:00Z', 'T12:60:00Z', 'T12:00:61Z', 'T12:00:00+25:00', 'T12:00:00+02:60', 'T24:30:00Z']
const yearFaults = ['9999-12-31T23:59:59-10:00', '0000-01-01T00:00:00+10:00', '10000-01-01', '-0001-01-01']
for (const text of [
  ...outside,
  ...clockFaults.map((time) => `2026-06-15${time}`),
  '2026-02-30T12:00:00Z',
  ...yearFaults,
]) {
  test(`${text} is not a calendar date`, () => {
    assert.equal(parseSpan(text), undefined)
  })
}

const noMoments = [
  '',
  'soon',
  '2026',
  '2026-06',
  '2026-6-1',
  '20260615',
  '15.06.2026',
  '2026-W25-1',
  '2026-166',
  '1781524800',
]
const badForms = [
  '2026-06-15 ',
  ' 2026-06-15',
  '2026-06-15T',
  '2026-06-15T12',
  '2026-06-15T12:00:00 Z',
  '2026-06-15T12:00:00.Z',
]
for (const text of [...noMoments, ...badForms, '2026-06-15T12:00:00CET', '2026-06-15T12:00:00Z\n', '٢٠٢٦-06-15']) {
  test(`${JSON.stringify(text)} is neither a timestamp nor a date`, () => {
    assert.equal(parseSpan(text), undefined)
  })
}
