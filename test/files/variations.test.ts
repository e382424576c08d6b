import { card, encoded, testVariations } from './variation.ts'

const windows = (text: string) => Buffer.from(text, 'latin1')

testVariations({
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
  'signs and names of a currency beside its code in a heading': {
    what: 'deals',
    file: 'Titel;Betrag (EUR);Währung\nA;5;€\nB;6;Euro\nC;7;-\nD;;€\nE;8;eur\nF;9;usd\nG;10;$\nH;11;Taler\n',
    records: ['A 5 EUR', 'B 6 EUR', 'C 7 EUR', 'D EUR', 'E 8 EUR', 'F 9 usd', 'G 10 $', 'H 11 Taler'],
    faults: [
      '7 currency: usd contradicts the heading, which says EUR',
      '8 currency: $ contradicts the heading, which says EUR',
      '9 currency: Taler contradicts the heading, which says EUR',
    ],
  },
  'a sign that the currency of the heading shares with others': {
    what: 'deals',
    file: 'Title,Amount (CAD),Currency\nA,5,$\nB,6,Dollars\n',
    records: ['A 5 CAD', 'B 6 CAD'],
  },
  'signs and names of a currency without its code': {
    what: 'deals',
    file: 'Titel;Betrag;Währung\nA;5;€\nB;6;US-Dollar\nC;7;Yen\nD;8;$\nE;9;chf\nF;1;£\n',
    records: ['A 5 EUR', 'B 6 USD', 'C 7 JPY', 'D 8 $', 'E 9 chf', 'F 1 GBP'],
  },
  'texts where an object or a list belongs, and columns that add to it': {
    file: 'first_name,metadata,metadata.size,emails,emails[1].email\nA,red,5,,\nB,[1],5,,\nC,"{""a"":1}",5,x,c@x.example\nD,,5,,\n',
    records: ['A 5', 'B 5', 'C 1 5 c@x.example', 'D 5'],
    faults: [
      '2 metadata: red must be a JSON object',
      '3 metadata: [1] must be a JSON object',
      '4 emails: x must be a JSON list',
    ],
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
  'lines that end with a carriage return': {
    format: 'vcard',
    file: card('FN:Ada Ek').replaceAll('\r\n', '\r'),
    records: ['Ada Ek'],
  },
})
