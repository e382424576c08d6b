// What is right for each mail of test/samples/mail. They are written after public descriptions of what programs send.

/** People are written `Name <address>`, files `name type bytes`. What is not named is empty, or null. */
export interface Expected {
  subject?: string
  from?: string
  to?: string
  cc?: string
  sentAt?: string
  internetMessageId?: string
  inReplyTo?: string
  references?: string
  text: string
  html?: string
  files?: readonly string[]
  severalFrom?: true
  original?: Expected
}

const ada = 'ada@kontor.example'
const adaNamed = 'Ada Lovelace <ada@kontor.example>'
const erika = 'Erika <erika@example.com>'
const grace = 'Grace Hopper <grace@customer.example>'
const eleven = '2026-03-03T10:00:00.000Z'
const sent = '2026-03-03T09:11:12.000Z'
const common = { from: erika, to: ada, sentAt: eleven }

const original: Expected = {
  ...{ subject: 'Körbe', from: grace, to: ada, sentAt: '2026-03-02T09:00:00.000Z' },
  internetMessageId: '<orig@customer.example>',
  text: 'Please send 200.',
  files: ['order.pdf application/pdf 14'],
}

/** A forward whose text begins with these lines; its other lines are in the original. */
function forward(program: string, subject: string, inner: Partial<Expected>): [string, Expected] {
  const german = subject !== 'Hampers'
  const named = { subject, from: grace, to: adaNamed, sentAt: '2026-03-02T09:00:00.000Z' }
  return [
    `forward-${program}`,
    { text: '…', original: { ...named, text: german ? 'Bitte 200 schicken.' : 'Please send 200.', ...inner } },
  ]
}

const team = { to: `${adaNamed}, sales@kontor.example`, cc: 'Bob <bob@customer.example>' }

export const expected: Readonly<Record<string, Expected>> = {
  gmail: {
    ...{ subject: 'Angebot für Präsentkörbe', from: 'Jürgen Grün <juergen@example.com>', sentAt: sent },
    ...{ to: `${adaNamed}, Team, Sales <sales@kontor.example>`, cc: 'grace@example.net' },
    internetMessageId: '<CAF=abc+1@mail.gmail.com>',
    text: 'Hallo Ada,\n\nwir möchten 200 Körbe.\n\n-- \nJürgen',
    html: '<div dir="ltr">Hallo Ada,<div><br /></div><div>wir möchten <b>200</b> Körbe.</div></div>\n',
  },
  outlook: {
    ...{ subject: 'RE: Offer', from: 'Muster, Erika <erika@example.com>', to: ada, sentAt: '2026-03-02T16:30:00.000Z' },
    internetMessageId: '<DB7PR04MB1@EURP.example.com>',
    inReplyTo: '<two@kontor.example>',
    references: '<one@kontor.example> <two@kontor.example>',
    text: 'Dear Ada,\n\nthat is 1.200 £ too much.\n\nFrom: Ada Lovelace <ada@kontor.example>\nSent: Monday, March 2, 2026 9:00 AM\nTo: Muster, Erika <erika@example.com>\nSubject: Offer\n\nHere it is.',
    html: '<p>Dear Ada,</p><p>that is 1.200 £ too much.</p><img width="1" data-attachment="6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0" /><img data-remote-src="https://track.example.com/open.gif" />',
    files: ['image001.png image/png 70'],
  },
  'apple-mail': {
    ...{
      ...common,
      from: 'Erika Muster <erika@example.com>',
      subject: 'Plan',
      internetMessageId: '<A1B2@example.com>',
    },
    text: 'Before the file.\n\nAfter the file.',
    files: ['Büro Plan.pdf application/pdf 13'],
  },
  'thunderbird-flowed': {
    ...{ ...common, subject: 'Flowed', internetMessageId: '<f1@example.com>' },
    text: 'This line is continued by the next one.\n> A quoted line that goes on.\nFrom here, and\nstuffed.\n-- \nErika',
  },
  'iphone-html-only': {
    ...{ ...common, subject: 'Kurz', internetMessageId: '<i1@example.com>' },
    text: 'Ja, passt & danke.\n\neins\nzwei\n\na b\n\nVon meinem iPhone gesendet',
    html: '<div>Ja,\u00a0passt &amp; danke.</div><div><br /></div><ul><li>eins</li><li>zwei</li></ul><table><tr><td>a</td><td>b</td></tr></table>Von meinem iPhone gesendet\n',
  },
  'calendar-reply': {
    ...{ ...common, subject: 'Accepted: Meeting', internetMessageId: '<c1@example.com>' },
    text: 'Erika has accepted.',
    files: ['attachment-1.ics text/calendar 44'],
  },
  'smime-signed': {
    ...{ ...common, subject: 'Signed' },
    text: 'Signed text.',
    files: ['smime.p7s application/pkcs7-signature 3'],
  },
  winmail: {
    ...{ ...common, subject: 'TNEF' },
    text: 'See the file.',
    files: ['winmail.dat application/ms-tnef 3'],
  },
  'no-headers-to-speak-of': { from: 'erika@example.com', text: 'No date, no id, no subject.' },
  'raw-latin1': {
    ...{ subject: 'Grüße aus Köln', from: 'Jürgen Grün <juergen@example.com>', to: ada, sentAt: sent },
    text: 'Schöne Grüße',
  },
  'raw-utf8': {
    ...{ subject: 'Grüße 日本', from: 'Jürgen <juergen@example.com>', to: ada, sentAt: sent },
    text: 'Schöne Grüße',
  },
  'iso-2022-jp': {
    ...{ subject: '見積書の件', from: '山田 <yamada@example.jp>', to: ada, sentAt: '2026-03-03T01:11:12.000Z' },
    text: 'よろしくお願いします',
  },
  'koi8-r': { subject: 'Привет', from: 'x@example.ru', sentAt: '2026-03-03T10:11:00.000Z', text: 'Как дела' },
  'split-words': { subject: 'Grüße', from: 'x@example.com', text: 'x' },
  'two-senders': { subject: 'Who', from: 'one@example.com', to: ada, severalFrom: true, text: 'x' },
  'senders-in-one': { from: 'one@example.com, two@example.org', to: ada, severalFrom: true, text: 'x' },
  names: {
    ...{ subject: 'Names', from: 'x@example.com', text: 'x' },
    files: [
      'passwd application/octet-stream 1',
      'offer.pdf application/pdf 1',
      'invoicefdp.exe application/octet-stream 1',
      'ab c.txt text/plain 1',
      ...['same.txt text/plain 1', 'same.txt text/plain 1'],
      ...['attachment-7 application/octet-stream 1', 'attachment-8 application/octet-stream 1'],
      `${'x'.repeat(251)}.pdf application/pdf 1`,
    ],
  },
  'mbox-line': { subject: 'Piped', from: 'erika@example.com', sentAt: sent, text: 'x' },
  'unix-lines': { subject: 'Lines', from: 'erika@example.com', to: ada, sentAt: sent, text: 'one\ntwo' },
  bounce: {
    ...{ subject: 'Undelivered Mail Returned to Sender', from: 'mailer-daemon@example.com', to: ada, sentAt: sent },
    text: 'I could not deliver it.',
    files: ['attachment-1.txt message/delivery-status 33', 'attachment-2.eml message/rfc822 49'],
  },
  original,
  'forward-attached-thunderbird': { text: '…', original },
  'forward-attached-outlook': { text: '…', original },
  ...Object.fromEntries([
    forward('gmail-en', 'Hampers', team),
    forward('gmail-de', 'Körbe', { to: ada }),
    forward('outlook-en', 'Hampers', { ...team, to: `${adaNamed}, Sales <sales@kontor.example>` }),
    forward('outlook-de', 'Körbe', {}),
    forward('outlook-old-de', 'Körbe', { to: ada }),
    forward('apple-en', 'Hampers', {}),
    forward('apple-de', 'Körbe', { text: 'Bitte 200 schicken.\n\nVon meinem iPhone gesendet' }),
    forward('thunderbird-en', 'Hampers', { to: ada }),
    forward('thunderbird-de', 'Körbe', { to: ada }),
    forward('outlook-phone-de', 'Körbe', {}),
  ]),
  'forward-unrecognized': { text: '…' },
  'forward-of-an-answer': { text: '…' },
}
