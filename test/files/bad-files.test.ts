import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DuplicateFinder } from '../../src/files/duplicates.ts'
import { phonesIn } from '../../src/files/items.ts'
import { unguardCell } from '../../src/lib/formula.ts'
import { allCards, decode, readCards, readCells, readFile } from './read.ts'

const sizes = [1, 3, 100_000]

/** Reads a text in chunks of several sizes, which must not matter. */
function cellsOf(text: string): string[][] {
  const [first, ...others] = sizes.map((size) => readCells(text, size))
  for (const other of others) assert.deepEqual(other, first)
  return first!
}

const tables: Record<string, [text: string, rows: string[][]]> = {
  'doubled quotes and line breaks in cells': ['a,"x ""y""\nz"\r\n', [['a', 'x "y"\nz']]],
  'quotes that are not doubled': [
    'a,b\n"5" monitor",say "hi"\n',
    [
      ['a', 'b'],
      ['5" monitor', 'say "hi"'],
    ],
  ],
  'one column': ['name\rAda\rGrace', [['name'], ['Ada'], ['Grace']]],
  'a quoted cell after a carriage return': ['a\r"b"\nc\n', [['a'], ['b'], ['c']]],
  'a byte order mark in the middle': [
    '\uFEFF"a";b\n\uFEFF"x";y\n',
    [
      ['a', 'b'],
      ['x', 'y'],
    ],
  ],
  'a line that names the delimiter': ['sep=|\r\na|b,c\r\n', [['a', 'b,c']]],
  'rows without any data': [
    'a;b\n;;\n\n ; \nx;y',
    [
      ['a', 'b'],
      ['x', 'y'],
    ],
  ],
  'formulas with a protecting quote': ["a\n'=1+1\n'+49\n'quoted\n", [['a'], ['=1+1'], ['+49'], ["'quoted"]]],
  'a zero character': ['a\nx\0y\n', [['a'], ['x\0y']]],
}

for (const [what, [text, rows]] of Object.entries(tables)) {
  test(`CSV with ${what} is read the same in chunks of any size`, () => {
    assert.deepEqual(cellsOf(text), rows)
  })
}

test('An empty file has no rows, and a file with only a header has one', () => {
  assert.deepEqual([cellsOf(''), cellsOf('\uFEFF'), cellsOf('a,b\r\n')], [[], [], [['a', 'b']]])
})

test('A quote that is never closed is reported with the line where its row begins', () => {
  for (const size of sizes) {
    assert.throws(() => readCells('a,b\n1,2\n3,"x\ny\n', size), { message: 'a quote is never closed', line: 3 })
  }
})

test('Of 50 MB behind a quote that is never closed, not more than 16 Mi characters are read', () => {
  const part = 'x'.repeat(2 ** 20)
  let parts = 0
  const endless = {
    get length() {
      return 50 * part.length
    },
    slice() {
      parts++
      return parts === 1 ? `a\n"${part}` : part
    },
  }

  assert.throws(() => readCells(endless as unknown as string, part.length), { message: 'a quote is never closed' })
  assert.equal(parts, 17)
})

test('A million columns are rejected', () => {
  assert.throws(() => readCells(`${'a,'.repeat(1_000_000)}\n`), { message: 'has more than 2000 columns' })
})

const text = 'name;ort\nJürgen;Köln – „Süd“\n'
const utf16be = Buffer.from(text, 'utf16le').swap16()
const encoded: Record<string, Buffer> = {
  'UTF-8': Buffer.from(text),
  'UTF-16 LE without a byte order mark': Buffer.from(text, 'utf16le'),
  'UTF-16 BE without a byte order mark': utf16be,
  'UTF-16 LE': Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 BE': Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be]),
  'Windows-1252': Buffer.from('name;ort\nJ\xfcrgen;K\xf6ln \x96 \x84S\xfcd\x93\n', 'latin1'),
}

for (const [what, bytes] of Object.entries(encoded)) {
  test(`${what} is detected, in chunks of any size`, () => {
    for (const size of sizes) assert.equal(decode(bytes, size), text)
  })
}

test('A file that changes its encoding is rejected, whichever comes first', () => {
  const utf8 = Buffer.from('Jürgen\n')
  const windows = Buffer.from('Jürgen\n', 'latin1')
  for (const bytes of [Buffer.concat([utf8, windows]), Buffer.concat([windows, utf8])]) {
    assert.throws(() => decode(bytes), { message: /^contains both UTF-8 and Windows-1252 text/ })
  }
})

test('A workbook is rejected with what to do', () => {
  assert.throws(() => decode(Buffer.from('PK\x03\x04rest')), { message: /save the sheet as CSV/ })
})

test('The same email three times, and the same row, are found with the row that they repeat', () => {
  const { rows, records } = readFile(
    'contacts',
    'Name,Email\nAda,A@x.example\nBo,b@x.example\nAnn,a@X.example\nAl,c@x.example;a@x.example\nCy,\nCy,\n',
  )
  const finder = new DuplicateFinder()

  assert.deepEqual(
    rows.flatMap((cells, row) => finder.add(row, cells, records[row]!) ?? []),
    [
      { row: 2, of: 0, by: 'email' },
      { row: 3, of: 0, by: 'email' },
      { row: 5, of: 4, by: 'row' },
    ],
  )
})

test('A card that never ends, one that is too long, and text that is no card are rejected', () => {
  assert.throws(() => readCards('BEGIN:VCARD\nFN:Ada\n'), { message: 'begins a card without END:VCARD', line: 1 })
  assert.throws(() => readCards(`BEGIN:VCARD\nNOTE:${'x'.repeat(2 ** 21)}\nEND:VCARD\n`), { message: /too long/ })
  assert.throws(() => readCards('name\nAda\n'), { message: 'is not the beginning of a vCard' })
})

test('Texts that are made to be slow are read in time proportional to their length', () => {
  const cells = [
    `<${'a@'.repeat(400_000)}`,
    `(${'a@'.repeat(400_000)}`,
    `${'a@x.example '.repeat(60_000)}b`,
    `-${' '.repeat(800_000)}-x`,
    `089 ${'/ '.repeat(400_000)}`,
    `31.12.2026${' '.repeat(800_000)}x`,
  ]
  const cards = ['TEL;'.padEnd(900_000, ';'), `TEL;TYPE="${'a,'.repeat(400_000)}":1`, `N:${'\\;'.repeat(400_000)}`]
  const began = performance.now()

  for (const cell of cells) {
    for (const column of ['Email', 'Phone', 'Name']) readFile('contacts', `First name\t${column}\nA\t${cell}\n`)
    for (const column of ['Value', 'Close date']) readFile('deals', `Title\t${column}\nA\t${cell}\n`)
  }
  for (const line of cards) allCards(`BEGIN:VCARD\n${line}\nEND:VCARD\n`)

  assert.ok(performance.now() - began < 60_000, 'a quadratic one takes hours')
})

test('A picture of 4 MB in a card is not read, and does not make it too long', () => {
  const picture = ` ${'A'.repeat(74)}\r\n`.repeat(55_000)

  const cards = readCards(`BEGIN:VCARD\r\nPHOTO;ENCODING=b:\r\n${picture}FN:Ada\r\nEND:VCARD\r\n`, 65_536)

  assert.deepEqual(cards, [{ 'Full name': 'Ada' }])
})

test('Cells of millions of characters are read, and exhaust no expression', () => {
  const long = 'a'.repeat(3_000_000)
  const breaks = '\r'.repeat(3_000_000)

  assert.equal(unguardCell(`="${long}"`).length, long.length + 3)
  assert.deepEqual(phonesIn(breaks), [breaks])
})
