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
  const joined: string[] = []
  let open = ''
  let isOpen = false
  for (const line of text.split('\n')) {
    const [, marks = '', rest = ''] = /^(>*)(?: ?)([\s\S]*)$/.exec(line)!
    const [, former = ''] = /^(>*)/.exec(open)!
    const shown = marks === '' ? rest : `${marks} ${rest}`
    const continues = isOpen && marks.length === former.length
    if (isOpen && !continues) joined.push(open)
    open = continues ? open + rest : shown
    isOpen = rest.endsWith(' ') && rest !== '-- '
    if (isOpen && deletesSpace) open = open.slice(0, -1)
    if (!isOpen) {
      joined.push(open)
      open = ''
    }
  }
  if (isOpen) joined.push(open)
  return joined.join('\n')
}
