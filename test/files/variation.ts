import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFile } from './read.ts'

/** What a file holds, in short: the records, the faults of rows, and what was left out. */
interface Variation {
  file: string | Uint8Array
  what?: string
  format?: 'csv' | 'vcard'
  /** The values of the records, without their names. */
  records: string[]
  faults?: string[]
  left?: string[]
  remarks?: string[]
}

export const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
/** Text in an encoding that Node decodes but does not write, by a table of what it decodes. */
export function encoded(encoding: string, text: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte]))
  return new Uint8Array([...text].map((character) => bytes.get(character)!))
}

/** Tests what becomes of files, by what is odd about them. */
export function testVariations(variations: Readonly<Record<string, Variation>>): void {
  for (const [name, { file, what = 'contacts', format = 'csv', ...right }] of Object.entries(variations)) {
    test(`A file with ${name} is read as it was meant, or its rows say why not`, () => {
      const read = readFile(what, file, format)

      assert.deepEqual(
        {
          records: read.records.map((record) => valuesIn(record).join(' ')),
          faults: read.faults.map(({ line, faults }) => `${line} ${faults.join('; ')}`),
          left: read.left,
          remarks: Object.values(read.remarks).flatMap((each) => each.map(({ line, text }) => `${line} ${text}`)),
        },
        { faults: [], left: [], remarks: [], ...right },
      )
    })
  }
}

function valuesIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [value]
}
