import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Contents, Place } from '../../content/contents.ts'

/** How the content of each type that a browser may show begins, in Latin-1. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
  'image/avif': /^[\s\S]{4}ftypavi[fs]/,
  'application/pdf': /^%PDF-/,
}
const headBytes = 16

/** Text that no browser interprets. */
const plainTexts = new Set(['text/plain', 'text/csv', 'text/markdown'])

/** The media type with which content may be shown in a browser; undefined: it must be downloaded (decision O4). */
export async function inlineTypeOf(
  contents: Contents,
  place: Place,
  { media_type: type, bytes }: { media_type: string; bytes: number },
): Promise<string | undefined> {
  if (plainTexts.has(type)) return (await isText(contents, place, bytes)) ? `${type}; charset=utf-8` : undefined
  if (!Object.hasOwn(beginnings, type)) return undefined
  let head = ''
  for await (const part of contents.read(place, 0, Math.min(headBytes, bytes))) head += part.toString('latin1')
  return beginnings[type]!.test(head) ? type : undefined
}

/** Whether content is UTF-8 without U+0000. */
async function isText(contents: Contents, place: Place, bytes: number): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const part of contents.read(place, 0, bytes)) {
      if (decoder.decode(part, { stream: true }).includes('\0')) return false
      await nextTurn()
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
