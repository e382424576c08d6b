import { open } from 'node:fs/promises'
import { headBytesMax, headerLinesMax, Refusal, rawBytesMax } from './bounds.ts'

/** A header field with its line ends. */
interface Field {
  /** In lower case. */
  readonly name: string
  readonly raw: Buffer
}

/** The header of a message, without what precedes it: a byte order mark, or the first line of the mbox format. */
export interface Head {
  readonly fields: readonly Field[]
  /** Where the body begins in the file. */
  readonly bodyAt: number
}

const lf = 0x0a
const cr = 0x0d

/** Throws Refusal for what is too large, or is no message. */
export async function readHead(file: string): Promise<Head> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > rawBytesMax) throw new Refusal(`The message is larger than ${rawBytesMax / 1_048_576} MiB`, 'TOO_LARGE')
  const buffer = Buffer.alloc(Math.min(size, headBytesMax))
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
  const start = startOf(buffer)
  const { lines, end } = linesOf(buffer.subarray(0, bytesRead), start)
  if (end === undefined && size > bytesRead) throw new Refusal('The header of the message is too long')
  if (lines.length > headerLinesMax) throw new Refusal(`The header has more than ${headerLinesMax} lines`)
  const fields = fieldsOf(lines)
  if (fields.length === 0) throw new Refusal('This is no message: it does not begin with a header')
  return { fields, bodyAt: end ?? size }
}

/** The values of the fields with a name, unfolded, as Latin-1. */
export function valuesOf({ fields }: Head, name: string): string[] {
  return fields
    .filter((field) => field.name === name)
    .map(({ raw }) =>
      raw
        .toString('latin1')
        .replace(/^[^:]*:/, '')
        .replace(/\r?\n/g, '')
        .trim(),
    )
}

/** The header in UTF-8: fields in another encoding are taken as Windows-1252, which no standard allows, but old programs send. */
export function repairedHead({ fields }: Head): Buffer {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const latin = new TextDecoder('windows-1252')
  const repaired = fields.map(({ raw }) => {
    try {
      utf8.decode(raw)
      return raw
    } catch {
      return Buffer.from(latin.decode(raw))
    }
  })
  return Buffer.concat([...repaired, Buffer.from('\r\n')])
}

function startOf(buffer: Buffer): number {
  const start = buffer.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  if (!/^>?From [^\s:]{1,250} +[A-Z]/.test(buffer.toString('latin1', start, start + 300))) return start
  const end = buffer.indexOf(lf, start)
  return end === -1 ? start : end + 1
}

/** The lines up to the first empty one; `end`: what follows it. */
function linesOf(buffer: Buffer, start: number): { lines: Buffer[]; end: number | undefined } {
  const lines: Buffer[] = []
  let at = start
  while (at < buffer.length) {
    const found = buffer.indexOf(lf, at)
    const next = found === -1 ? buffer.length : found + 1
    const isEmpty = found === at || (found === at + 1 && buffer[at] === cr)
    if (isEmpty) return { lines, end: next }
    lines.push(buffer.subarray(at, next))
    at = next
  }
  return { lines, end: undefined }
}

/** Lines that are no part of a field are left out. */
function fieldsOf(lines: readonly Buffer[]): Field[] {
  const fields: { name: string; parts: Buffer[] }[] = []
  for (const line of lines) {
    const last = fields.at(-1)
    const [, name] = /^([!-9;-~]{1,200})[ \t]*:/.exec(line.toString('latin1', 0, 250)) ?? []
    if (line[0] === 0x20 || line[0] === 0x09) last?.parts.push(line)
    else if (name !== undefined) fields.push({ name: name.toLowerCase(), parts: [line] })
  }
  return fields.map(({ name, parts }) => ({ name, raw: ended(Buffer.concat(parts)) }))
}

/** The last line of a file may have no end. */
function ended(raw: Buffer): Buffer {
  return raw.at(-1) === lf ? raw : Buffer.concat([raw, Buffer.from('\r\n')])
}
