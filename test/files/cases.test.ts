import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allCards, type Read, readFile } from './read.ts'

/** Files of the kinds that people bring, in `test/samples/cases`. */
function read(name: string, what = 'contacts'): Read {
  const bytes = readFileSync(new URL(`../samples/cases/${name}`, import.meta.url))
  return readFile(what, bytes, name.endsWith('.vcf') ? 'vcard' : 'csv')
}

const textsOf = ({ remarks }: Read) =>
  Object.values(remarks).flatMap((each) => each.map(({ line, text }) => `${line}: ${text}`))
const phonesOf = ({ records }: Read) =>
  records.flatMap(({ phones }) => phones as { phone_number: string; type: string }[]).map(({ type }) => type)

test('A line that is folded within a character is unfolded before it is decoded', () => {
  const [card] = read('fold-inside-character.vcf').records

  assert.equal((card!.metadata as { notes: string }).notes, `${'x'.repeat(69)}ß und mehr Text über Käse`)
})

test('The lines of a picture without indentation are skipped', () => {
  assert.deepEqual(read('picture-not-indented.vcf').records, [
    { first_name: 'Fritz', last_name: 'Foto', phones: [{ phone_number: '+4915112345', type: 'mobile' }] },
  ])
})

test('A malformed line concerns its card only, which has the line and what could be read', () => {
  const { records, faults } = read('one-bad-line.vcf')

  assert.deepEqual(
    records.map(({ first_name }) => first_name),
    ['Eva', 'Zoe', 'Dan'],
  )
  assert.deepEqual(faults, [{ line: 6, faults: ['Line 11 is not a property of a vCard'] }])
})

test('Text in an unknown charset is kept if it is ASCII, and otherwise concerns its card only', () => {
  const broken = 'BEGIN:VCARD\nVERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UNKNOWN-8BIT:=FF;Jane\nEND:VCARD\n'

  assert.deepEqual(
    read('unknown-charset.vcf').records.map(({ first_name, last_name }) => `${first_name} ${last_name}`),
    ['Jörg Müller', 'Вася Пупкин', 'Käthe Müller', 'Jane Smith'],
  )
  assert.deepEqual(
    allCards(broken + broken.replace('=FF', 'Smith')).map(
      ({ fault, cells }) => fault?.message ?? cells.get('Last name'),
    ),
    ['has text that is not UNKNOWN-8BIT', 'Smith'],
  )
})

test('Groups of an address book are no people, and are named', () => {
  const file = read('group-cards.vcf')

  assert.deepEqual(
    file.records.map(({ first_name }) => first_name),
    ['Ann'],
  )
  assert.deepEqual(textsOf(file), ['8: Team Nord', '17: Team Sued'])
})

test('Of a value in several languages, the preferred or first one is read', () => {
  const preferred = allCards(
    'BEGIN:VCARD\nVERSION:4.0\nFN;ALTID=1:A\nFN;ALTID=1;PREF=1:B\nTITLE;LANGUAGE=de:Chef\nTITLE;LANGUAGE=en:Boss\nEND:VCARD\n',
  )

  assert.deepEqual(read('altid.vcf').records, [
    { first_name: '太郎', last_name: '山田', job_title: 'Patron', emails: [{ email: 'taro@alt.example' }] },
  ])
  assert.deepEqual([...preferred[0]!.cells.values()], ['B', 'Chef'])
})

test('The type of a fax number says so, and that of a label in a parameter is the label', () => {
  assert.deepEqual(phonesOf(read('fax.vcf')), ['work', 'fax', 'fax'])
  const droid = allCards(readFileSync(new URL('../samples/cases/android-custom-type.vcf', import.meta.url)))[0]!.cells
  assert.deepEqual(
    ['Phone 1 - Label', 'Phone 2 - Label', 'Phone 3 - Label', 'NICKNAME'].map((name) => droid.get(name)),
    ['cell', 'Büro', 'Büro', 'Dori'],
  )
})

test('vCard 2.1 is unfolded to the space that belongs to the text', () => {
  assert.deepEqual(read('21-unfolding.vcf').records[0]!.metadata, { notes: 'an example' })
})

test('The delimiter is the one that makes all rows equally wide, whatever the header contains', () => {
  const [tie, many] = [read('comma-in-header-tie.csv'), read('many-commas-in-header.csv')]

  assert.deepEqual(tie.records, [{ first_name: 'Max', last_name: 'Muster', emails: [{ email: 'max@c1.example' }] }])
  assert.deepEqual(many.records[0]!.emails, [{ email: 'max@c2.example' }])
})

test('A number that may be two is decided by the other cells of its column, and otherwise refused', () => {
  const refused = readFile('deals', 'Titel;Wert\nA;1.500\nB;2,5\nC;1.5\nD;7\n')

  assert.deepEqual(
    read('german-thousands.csv', 'deals').records.map(({ value }) => value),
    [950, 1500, 12_000, 1500.5, 1_250_000],
  )
  assert.deepEqual(refused.faults, [{ line: 2, faults: ['value: 1.500 may be 1500 or 1.500: write one of them'] }])
})

test('Windows-1250 and Windows-1251 are recognized', () => {
  const { first_name, last_name, organization } = read('windows-1250.csv').records[0]!

  assert.deepEqual([first_name, last_name, organization], ['Łukasz', 'Świętochowski', { name: 'Žluťoučký s.r.o.' }])
  assert.deepEqual(read('windows-1251.csv').records, [{ first_name: 'Иван', last_name: 'Петров' }])
})

test('Lines above the header and below the table are no records, and are named', () => {
  const [above, below] = [read('notes-before-header.csv'), read('report-footer.csv')]

  assert.deepEqual([above.records.length, below.records.length], [1, 1])
  assert.deepEqual(above.records[0]!.organization, { name: 'Acme' })
  assert.deepEqual(
    textsOf(above).map((text) => text.slice(0, 20)),
    ['1: Notes:', '2: When you export y'],
  )
  assert.deepEqual(textsOf(below), ['4: Confidential - do not distribute', '5: Copyright 2026 acme, inc.'])
})

test('Addresses are read as people write them, and what means nothing is left empty', () => {
  const { records, left } = read('email-forms.csv')

  assert.deepEqual(
    records.map(({ emails = [] }) => (emails as { email: string }[]).map(({ email }) => email.split('@')[0]).join(' ')),
    ['ann', 'bob', 'cy', 'd1 d2', 'e1 e2', 'f1 f2', 'g', 'H', '', ''],
  )
  assert.deepEqual(left, ['n/a', '-'])
})

test('The headings of Thunderbird are recognized', () => {
  const { match, records, listed } = read('thunderbird.csv')

  assert.equal(match.source, 'Thunderbird')
  assert.deepEqual(
    (records[0]!.emails as { email: string }[]).map(({ email }) => email),
    ['tea@c17.example', 'tea2@c17.example'],
  )
  assert.deepEqual(phonesOf(read('thunderbird.csv')), ['work', 'home', 'mobile'])
  assert.ok(!listed.includes('Primary Email'))
})
