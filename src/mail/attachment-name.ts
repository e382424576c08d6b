import { clean } from './clean-text.ts'

const bytesMax = 255
const extensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/vcard': 'vcf',
  'text/rfc822-headers': 'txt',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'message/disposition-notification': 'txt',
  'application/pdf': 'pdf',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/pgp-signature': 'asc',
  'application/pgp-encrypted': 'asc',
  'application/ms-tnef': 'dat',
  'application/zip': 'zip',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
}

/** What a file may be called (decision O2), from the name that the sender gave: the last part of a path, with its extension. */
export function nameOf(given: string | undefined, mediaType: string, index: number): string {
  const last = clean(given ?? '')
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  if (last !== '' && last !== '.' && last !== '..') return shortened(last)
  const extension = extensions[mediaType]
  return `attachment-${index + 1}${extension ? `.${extension}` : ''}`
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= bytesMax) return name
  const [extension = ''] = /\.[^. ]{1,16}$/.exec(name) ?? []
  let stem = ''
  let left = bytesMax - Buffer.byteLength(extension)
  for (const char of name.slice(0, name.length - extension.length)) {
    left -= Buffer.byteLength(char)
    if (left < 0) break
    stem += char
  }
  return `${stem.trimEnd()}${extension}`
}
