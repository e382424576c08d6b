import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardCell, unguardCell } from '../../src/lib/formula.ts'

const cells: [cell: string, guarded: string][] = [
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['-x', "'-x"],
  ['@now', "'@now"],
  ['\ttab', "'\ttab"],
  ['\rreturn', "'\rreturn"],
  ['-5', '-5'],
  ['-12.50', '-12.50'],
  ['-1e+308', '-1e+308'],
  ['-1.5E-7', '-1.5E-7'],
  ['-5+cmd', "'-5+cmd"],
  ['-1e+308+cmd', "'-1e+308+cmd"],
  ['-e5', "'-e5"],
  ["'-1e5", "''-1e5"],
  ["'=x", "''=x"],
  ["'tis", "'tis"],
  ['a=b', 'a=b'],
  ['', ''],
]

test('A cell that a spreadsheet could execute is prefixed with an apostrophe, which reading removes; a number is not', () => {
  for (const [cell, guarded] of cells) {
    assert.equal(guardCell(cell), guarded)
    assert.equal(unguardCell(guarded), cell)
  }
})
