import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectEncoding } from '../../src/files/whole-file.ts'
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

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
const windows = (text: string) => Buffer.from(text, 'latin1')
/** Text in an encoding that Node decodes but does not write, by a table of what it decodes. */
function encoded(encoding: string, text: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte]))
  return new Uint8Array([...text].map((character) => bytes.get(character)!))
}

const variations: Record<string, Variation> = {
  // Numbers
  'Swiss thousands': { what: 'deals', file: "Titel;Wert\nA;1'250.50\nB;1’000\n", records: ['A 1250.5', 'B 1000'] },
  'thousands with a narrow space': { what: 'deals', file: 'Titel;Wert\nA;1\u202f250,50\n', records: ['A 1250.5'] },
  'an English column': {
    what: 'deals',
    file: 'Title,Value\nA,"1,500"\nB,"2,000.25"\n',
    records: ['A 1500', 'B 2000.25'],
  },
  'a negative sum in parentheses': { what: 'deals', file: 'Titel;Wert\nA;(12,5)\n', records: ['A -12.5'] },
  'numbers that are only ambiguous': {
    what: 'deals',
    file: 'Titel;Wert\nA;1.500\nB;2.000\n',
    records: ['A 1.500', 'B 2.000'],
    faults: [
      '2 value: 1.500 may be 1500 or 1.500: write one of them',
      '3 value: 2.000 may be 2000 or 2.000: write one of them',
    ],
  },
  'a decimal of four digits before the point': {
    what: 'deals',
    file: 'Title,Value\nA,1500.125\n',
    records: ['A 1500.125'],
  },
  'a number without a digit': { what: 'deals', file: 'Titel;Wert\nA;-\n', records: ['A'], left: ['-'] },
  // Dates
  'days of a German month': {
    what: 'deals',
    file: 'Titel;Abschlussdatum\nA;31. Dezember 2026\n',
    records: ['A 2026-12-31'],
  },
  'an American column': {
    what: 'deals',
    file: 'Title,Close date\nA,03/04/2026\nB,12/31/2026\n',
    records: ['A 2026-03-04', 'B 2026-12-31'],
  },
  'days that are only ambiguous': {
    what: 'deals',
    file: 'Title,Close date\nA,03/04/2026\n',
    records: ['A 03/04/2026'],
    faults: ['2 expected_close_date: 03/04/2026 may be a day of two months: write it as 2026-12-31'],
  },
  'the same number for day and month': {
    what: 'deals',
    file: 'Title,Close date\nA,05/05/2026\n',
    records: ['A 2026-05-05'],
  },
  'a time of an American spreadsheet': {
    what: 'tasks',
    file: 'Title,Due date\nA,"Dec 31, 2026 2:05 PM"\n',
    records: ['A 2026-12-31T14:05:00'],
  },
  'a time with an offset': {
    what: 'tasks',
    file: 'Title,Due\nA,2026-12-31 14:05+0100\n',
    records: ['A 2026-12-31T14:05:00+01:00'],
  },
  'a day of a task': {
    what: 'tasks',
    file: 'Titel;Fällig\nA;31.12.2026\nB;20261231\n',
    records: ['A 2026-12-31', 'B 2026-12-31'],
  },
  'a weekday in front of a day': {
    what: 'deals',
    file: 'Title,Close date\nA,"Thursday, December 31, 2026"\nB,Do. 31.12.26\n',
    records: ['A 2026-12-31', 'B 2026-12-31'],
  },
  'a day that does not exist': {
    what: 'deals',
    file: 'Titel;Abschlussdatum\nA;31.02.2026\n',
    records: ['A 31.02.2026'],
  },
  // Tables
  'semicolons in a list within cells': {
    file: 'First name,Email\nA,a@x.example;b@x.example\n',
    records: ['A a@x.example b@x.example'],
  },
  'decimal commas in every row': { what: 'deals', file: 'Titel;Wert\nA;1,5\nB;2,5\n', records: ['A 1.5', 'B 2.5'] },
  'bars between cells': { file: 'First name|Email\nA|a@x.example\n', records: ['A a@x.example'] },
  'a sum below the table': {
    what: 'deals',
    file: 'Titel;Wert;Phase\nA;5;\n\nSumme;5;\n',
    records: ['A 5'],
    remarks: ['4 Summe 5'],
  },
  'a blank line within the table': { file: 'First name,Last name\nA,B\n\nCher,\n', records: ['A B', 'Cher'] },
  'a title and a date above the header': {
    file: 'Kontakte\nStand;26.11.2026\n\nVorname;Nachname;E-Mail\nA;B;a@x.example\n',
    records: ['A B a@x.example'],
    remarks: ['1 Kontakte', '2 Stand 26.11.2026'],
  },
  'a row with too many cells': {
    file: 'First name,Last name\nA,B,C\nD,E\n',
    records: ['A B', 'D E'],
    faults: ['2 The row has 3 cells, the header has 2'],
  },
  'text that a spreadsheet protected': {
    file: 'First name,Phone\nA,"=""0049 89 1"""\nB,\'0049 89 2\n',
    records: ['A 0049 89 1', 'B 0049 89 2'],
  },
  // Names and headings
  'a surname beside a first name': { file: 'Vorname;Name\nMax;Muster\n', records: ['Max Muster'] },
  'a full name beside a first name': {
    file: 'First Name,Name\nMax,Max Muster\nAnn,"Lee, Ann"\n',
    records: ['Max Muster', 'Ann Lee'],
  },
  'numbered headings': {
    file: 'Vorname;E-Mail-Adresse;E-Mail-Adresse 2;Telefonnummer;Telefonnummer 2\nA;a@x.example;b@x.example;089 111;089 222\n',
    records: ['A a@x.example b@x.example 089 111 089 222'],
  },
  'numbered English headings': {
    file: 'First name,Email Address 2,Phone Number 2\nA,b@x.example,089 222\n',
    records: ['A b@x.example 089 222'],
  },
  // Addresses and telephone numbers
  'a name with a comma in front of an address': {
    file: 'First name,Email\nA,"""Lee, Ann"" <ann@x.example>; bob@x.example"\n',
    records: ['A ann@x.example bob@x.example'],
  },
  'a slash and a zero within a number': {
    file: 'Vorname;Telefon\nA;089 / 123456\nB;089/123456\n',
    records: ['A 089 / 123456', 'B 089/123456'],
  },
  'two numbers in a cell': {
    file: 'Vorname;Telefon\nA;+49 89 123456 / +49 170 7654321\n',
    records: ['A +49 89 123456 +49 170 7654321'],
  },
  'a rounded number': {
    file: 'Vorname;Telefon\nA;4,91E+11\nB;k. A.\n',
    records: ['A', 'B'],
    left: ['4,91E+11', 'k. A.'],
  },
  'an address with words around it': {
    file: 'Vorname;E-Mail\nA;ann lee@x.example\n',
    records: ['A ann lee@x.example'],
  },
  // Encodings
  'French letters of Windows': { file: windows('First name;Last name\nHélène;Lefèvre\n'), records: ['Hélène Lefèvre'] },
  'Mac Roman': { file: encoded('macintosh', 'Vorname;Nachname\nJürgen;Groß\n'), records: ['Jürgen Groß'] },
  'Czech letters': { file: encoded('windows-1250', 'First name;Last name\nJiří;Dvořák\n'), records: ['Jiří Dvořák'] },
  'Ukrainian letters': { file: encoded('windows-1251', 'First name;Last name\nЇжак;Київ\n'), records: ['Їжак Київ'] },
  'Shift JIS': {
    file: Buffer.from('4669727374206e616d652c4c617374206e616d650a91be98592c8e5293630a', 'hex'),
    records: ['太郎 山田'],
  },
  // Cards
  'a card without an end': {
    format: 'vcard',
    file: `BEGIN:VCARD\r\nFN:Ada\r\n${card('FN:Bo Ek')}`,
    records: ['Ada', 'Bo Ek'],
    faults: ['1 Line 1 begins a card without END:VCARD'],
  },
  'a card within a card': {
    format: 'vcard',
    file: card('FN:Ada', 'AGENT:', card('FN:Eve').trim(), 'TITLE:Boss'),
    records: ['Ada Boss'],
  },
  'a card within a card, neither of which ends': {
    format: 'vcard',
    file: `BEGIN:VCARD\r\nFN:Ada\r\nAGENT:\r\nBEGIN:VCARD\r\nFN:Eve\r\n${card('FN:Bo')}${card('FN:Cy')}`,
    records: ['Ada', 'Bo', 'Cy'],
    faults: ['1 Line 1 begins a card without END:VCARD'],
  },
  'text between cards': {
    format: 'vcard',
    file: `${card('FN:Ada')}junk\r\nmore\r\n${card('FN:Bo')}`,
    records: ['Ada', '', 'Bo'],
    faults: ['4 Line 4 is not the beginning of a vCard'],
  },
  'a card in Latin-1 with its charset': {
    format: 'vcard',
    file: windows(card('VERSION:2.1', 'N;CHARSET=ISO-8859-1:M\xfcller;J\xf6rg', 'TEL;WORK;FAX:+49 89 1')),
    records: ['Müller Jörg +49 89 1 fax'],
  },
  'a card in UTF-16': {
    format: 'vcard',
    file: Buffer.from(`\uFEFF${card('FN:Jürgen Groß')}`, 'utf16le'),
    records: ['Jürgen Groß'],
  },
  'a sum right below the table': {
    what: 'deals',
    file: 'Title,Value,Currency\nA,100,EUR\nTotal,100,EUR\n',
    records: ['A 100 EUR'],
    remarks: ['3 Total 100 EUR'],
  },
  'a sum with a currency sign below a line': {
    what: 'deals',
    file: 'Titel;Wert\nA;100,00\n-----;-----\nSumme;100,00 €\n',
    records: ['A 100'],
    remarks: ['3 ----- -----', '4 Summe 100,00 €'],
  },
  'a deal that is called like a sum, and others below': {
    what: 'deals',
    file: 'Title,Value\nA,1\nTotal,5\nB,2\n',
    records: ['A 1', 'Total 5', 'B 2'],
  },
  'an organization that is called like a sum': {
    what: 'organizations',
    file: 'Name,Domain\nShell,shell.example\nTotal,total.example\n',
    records: ['Shell shell.example', 'Total total.example'],
  },
  'the header and the number of the page on each page': {
    file: 'First name,Last name,Email\nA,B,a@x.example\n\nPage 1 of 2\nFirst name,Last name,Email\nC,D,c@x.example\n',
    records: ['A B a@x.example', 'C D c@x.example'],
    remarks: ['4 Page 1 of 2', '5 First name Last name Email'],
  },
  'what a spreadsheet could not calculate': {
    what: 'organizations',
    file: 'Name,Domain,City\nAcme,#N/A,#REF!\nNordwind,nordwind.example,#WERT!\n',
    records: ['Acme', 'Nordwind nordwind.example'],
    left: ['#N/A', '#REF!', '#WERT!'],
  },
  'an extension in the URI of a number': {
    format: 'vcard',
    file: card('VERSION:4.0', 'FN:Ada Ek', 'TEL;VALUE=uri;TYPE=work:tel:+49-171-1234567;ext=5'),
    records: ['Ada Ek +49-171-1234567 ext. 5 work'],
  },
  'lines that end with a carriage return': {
    format: 'vcard',
    file: card('FN:Ada Ek').replaceAll('\r\n', '\r'),
    records: ['Ada Ek'],
  },
}

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

function valuesIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [value]
}

/** Names in encodings that are not recognized. */
const unknown: Record<string, Uint8Array> = {
  'KOI8-R': encoded('koi8-r', 'Иван,Петров\nАнна,Сидорова\nМария,Кузнецова'),
  'ISO-8859-2': encoded('iso-8859-2', 'Łukasz,Świętochowski\nŻaneta,Źródłowska'),
  Greek: encoded('windows-1253', 'Γιώργος,Παπαδόπουλος\nΜαρία,Νικολάου'),
  Turkish: encoded('windows-1254', 'İbrahim,Yıldız\nŞule,Gökçe\nÇağla,Öztürk'),
  'GB 18030': Buffer.from('d0a1c3f72ccdf50ac0f6bbaa2cc0ee0abda8b9fa2cd5c5', 'hex'), // 小明,王 …
  'code page 850': Buffer.from('J\x81rgen,M\x81ller\nZo\x89,Gro\xe1\nK\x84the,B\x94hm', 'latin1'),
}

for (const [name, bytes] of Object.entries(unknown)) {
  test(`A file in ${name}, which is not recognized, is not read without a question`, () => {
    const file = Buffer.concat([Buffer.from('First name,Last name\n'), bytes, Buffer.from('\n')])

    const { isCertain, candidates } = detectEncoding(file, 'csv')

    assert.equal(isCertain, false)
    assert.ok(candidates.length >= 3)
  })
}

test('The card of a company keeps its whole name', () => {
  const cards = [
    card('VERSION:4.0', 'KIND:org', 'FN:Acme GmbH', 'ORG:Acme GmbH'),
    card('VERSION:3.0', 'N:;;;;', 'FN:Nord & Co. KG', 'ORG:Nord & Co. KG;', 'X-ABShowAs:COMPANY'),
  ]

  const { records, listed } = readFile('contacts', cards.join(''), 'vcard')

  assert.deepEqual(records, [
    { first_name: 'Acme GmbH', organization: { name: 'Acme GmbH' } },
    { first_name: 'Nord & Co. KG', organization: { name: 'Nord & Co. KG' } },
  ])
  assert.deepEqual(listed, [])
})
