import { hostileHtml } from './hostile-html.ts'

const head = ['From: Eve <eve@evil.example>', 'To: ada@kontor.example', 'Subject: x', 'MIME-Version: 1.0']
const lines = (...parts: string[]) => parts.join('\r\n')
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

/** A hostile mail: what it is, its bytes, and whether it must be refused; undefined: either is right. */
export interface Hostile {
  readonly name: string
  readonly raw: string | Buffer
  readonly isRefused?: boolean
}

/** Multipart entities within one another. */
export function nested(levels: number): string {
  const open = times(levels, (index) => lines(`Content-Type: multipart/mixed; boundary=b${index}`, '', `--b${index}`))
  return lines(
    ...head,
    ...open,
    'Content-Type: text/plain',
    '',
    'x',
    ...times(levels, (index) => `--b${levels - 1 - index}--`),
  )
}

/** Messages attached to one another. */
export function attached(levels: number): string {
  return lines(...head, ...times(levels, () => lines('Content-Type: message/rfc822', '', 'From: a@b.example')), '', 'x')
}

export function withAttachments(count: number, content = 'x'): string {
  const parts = times(count, (index) =>
    lines('--b', `Content-Disposition: attachment; filename=f${index}`, '', content),
  )
  return lines(...head, 'Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--', '')
}

export function withHeaderLines(count: number): string {
  return lines(...head, ...times(count - head.length, (index) => `X-${index}: y`), '', 'x')
}

export function html(content: string): string {
  return lines(...head, 'Content-Type: text/html; charset=utf-8', '', content)
}

const part = (type: string, content: string | Buffer, ...more: string[]): Buffer =>
  Buffer.concat([Buffer.from(lines(...head, `Content-Type: ${type}`, ...more, '', '')), Buffer.from(content)])

const bytes = Buffer.from(times(4_096, (index) => (index * 131) % 256))

const charsets = [
  ...[
    'utf-7',
    'utf-16',
    'utf-16le',
    'utf-32',
    'x-unknown',
    'iso-2022-jp',
    'iso-2022-kr',
    'hz-gb-2312',
    'gb18030',
    'big5',
  ],
  ...[
    'shift_jis',
    'euc-kr',
    'macintosh',
    'x-user-defined',
    'replacement',
    'base64',
    'hex',
    '"',
    '\u00e9',
    'a'.repeat(5_000),
  ],
]

const headers = [
  'Subject: =?utf-8?B?////?=',
  `Subject: ${'=?utf-8?Q?=C3?= '.repeat(2_000)}`,
  `Subject: =?utf-8?Q?${'=00'.repeat(100)}?=`,
  `To: ${'a@b.example, '.repeat(20_000)}`,
  `To: ${'('.repeat(50_000)}`,
  `To: ${'<'.repeat(50_000)}`,
  `To: ${'"'.repeat(49_999)}`,
  `Cc: ${'a:'.repeat(10_000)}`,
  `From: ${'x'.repeat(100_000)}@evil.example`,
  'From: "\u202egnp.exe" <a@b.example>\r\nFrom:\0',
  `References: ${'<a@b> '.repeat(20_000)}`,
  `References: ${'<'.repeat(100_000)}`,
  `Message-ID: <${'a'.repeat(10_000)}>`,
  `Content-Type: ${'a/'.repeat(20_000)}`,
  `Content-Type: multipart/mixed; ${times(500, (index) => `boundary*${index}=b`).join('; ')}`,
  `Content-Type: text/plain; ${'x=y;'.repeat(10_000)}`,
  `Content-Disposition: attachment; filename*0*=utf-8''%00; filename*1=${'../'.repeat(5_000)}`,
  `Date: ${'1'.repeat(50_000)}`,
  `DKIM-Signature: ${'v=1; '.repeat(10_000)}`,
  `List-Post: <mailto:${'a'.repeat(50_000)}>`,
  '__proto__: x\r\nconstructor: y\r\nList-__proto__: z',
  ' folded at once\r\n\tand again',
  ':\r\n: :\r\n\r',
]

const boundaries = [
  '',
  '""',
  '-',
  '--',
  'b\r\n',
  'é',
  ' '.repeat(1_000),
  'b'.repeat(100_000),
  'b (comment',
  '=?utf-8?Q?b?=',
]

const encodings = ['base64', 'quoted-printable', 'x-uuencode', 'gzip', '8bit', 'binary', '"base64"', 'base64 (comment)']

/** 200 mails and more. */
export function* hostileMails(): Generator<Hostile> {
  for (const levels of [1, 10, 20]) yield { name: `${levels} levels of parts`, raw: nested(levels), isRefused: false }
  for (const levels of [21, 40, 300, 900])
    yield { name: `${levels} levels of parts`, raw: nested(levels), isRefused: true }
  for (const levels of [1, 5, 20])
    yield { name: `${levels} messages in one another`, raw: attached(levels), isRefused: false }
  for (const levels of [22, 100, 2_000])
    yield { name: `${levels} messages in one another`, raw: attached(levels), isRefused: true }
  for (const count of [0, 100]) yield { name: `${count} attachments`, raw: withAttachments(count), isRefused: false }
  for (const count of [101, 5_000]) yield { name: `${count} attachments`, raw: withAttachments(count), isRefused: true }
  yield { name: '1,000 header lines', raw: withHeaderLines(1_000), isRefused: false }
  for (const count of [1_001, 50_000])
    yield { name: `${count} header lines`, raw: withHeaderLines(count), isRefused: true }
  for (const raw of ['', '\r\n', '\n\n\nx', 'x', 'no header at all\r\n\r\nx', '\0\0\0', bytes])
    yield { name: `no message: ${JSON.stringify(raw.toString('latin1').slice(0, 20))}`, raw, isRefused: true }
  yield { name: 'a header of 2 MiB', raw: `X: ${'y'.repeat(2_097_152)}\r\n\r\n`, isRefused: true }
  for (const header of headers) yield { name: header.slice(0, 60), raw: `${header}\r\n${lines(...head)}\r\n\r\nx` }
  for (const charset of charsets)
    for (const type of ['text/plain', 'text/html'])
      yield {
        name: `${type} in ${charset.slice(0, 20)}`,
        raw: part(`${type}; charset=${charset}`, bytes),
        isRefused: false,
      }
  for (const boundary of boundaries)
    yield {
      name: `boundary ${JSON.stringify(boundary.slice(0, 20))}`,
      raw: part(`multipart/mixed; boundary=${boundary}`, `--${boundary}\r\n\r\nx\r\n--${boundary}--`),
    }
  for (const encoding of encodings)
    for (const content of [bytes, '=', '=='.repeat(10_000), 'A'.repeat(1_000_001)])
      yield {
        name: `${encoding} of ${content.length}`,
        raw: part('application/zip', content, `Content-Transfer-Encoding: ${encoding}`),
        isRefused: false,
      }
  for (const tag of ['b', 'div', 'table', 'a href=x', 'p', 'svg', 'style', '!--'])
    for (const count of [400, 100_000]) yield { name: `${count} times <${tag}>`, raw: html(`<${tag}>`.repeat(count)) }
  for (const content of hostileHtml) yield { name: content.slice(0, 60), raw: html(content), isRefused: false }
}
