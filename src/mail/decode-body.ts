import type { Body } from './parse-mail.ts'

/** The text of a part. An unknown encoding is taken as UTF-8, and what is not UTF-8 without a name as Windows-1252. */
export function decodeBody({ bytes, charset, isFlowed, deletesSpace }: Body): string {
  const text = decode(bytes, charset?.trim().toLowerCase()).replace(/\r\n/g, '\n')
  return isFlowed ? unflowed(text, deletesSpace) : text
}

function decode(bytes: Buffer, charset: string | undefined): string {
  const isNamed = charset !== undefined && !/^(us-)?ascii$/.test(charset)
  const decoder = isNamed ? decoderOf(charset) : undefined
  if (decoder) return decoder.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}

/** Joins the lines of a paragraph (RFC 3676). Quoted lines keep their marks. */
function unflowed(text: string, deletesSpace: boolean): string {
  const paragraphs: string[] = []
  let parts: string[] = []
  /** Of the paragraph that goes on, how deep it is quoted. */
  let depth: number | undefined
  for (const line of text.split('\n')) {
    const [, marks = '', rest = ''] = /^(>*)(?: ?)([\s\S]*)$/.exec(line)!
    const goesOn = rest.endsWith(' ') && rest !== '-- '
    const part = goesOn && deletesSpace ? rest.slice(0, -1) : rest
    if (depth !== undefined && depth !== marks.length) {
      paragraphs.push(parts.join(''))
      parts = []
    }
    parts.push(parts.length > 0 || marks === '' ? part : `${marks} ${part}`)
    depth = goesOn ? marks.length : undefined
    if (goesOn) continue
    paragraphs.push(parts.join(''))
    parts = []
  }
  if (parts.length > 0) paragraphs.push(parts.join(''))
  return paragraphs.join('\n')
}
