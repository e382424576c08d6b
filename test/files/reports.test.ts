import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectEncoding } from '../../src/files/whole-file.ts'
import { readFile } from './read.ts'
import { card, encoded, testVariations } from './variation.ts'

testVariations({
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
  'the state and the number of records below the table': {
    file: 'Vorname;Nachname;E-Mail\nRe;Port;re@x.example\n\nStand: 31.12.2026\nAnzahl: 1\n1 Datensatz\nEnde der Liste\n',
    records: ['Re Port re@x.example'],
    remarks: ['4 Stand: 31.12.2026', '5 Anzahl: 1', '6 1 Datensatz', '7 Ende der Liste'],
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
})

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
