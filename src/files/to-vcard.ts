/** A contact as the API returns it with `include=emails,phones,organization`. */
interface CardSource {
  readonly id: string
  readonly first_name: string
  readonly last_name?: string | null
  readonly job_title?: string | null
  readonly updated_at?: string
  readonly organization?: { readonly name?: string | null } | null
  readonly contact_emails?: readonly { email: string; type: string | null; is_primary: boolean }[]
  readonly contact_phones?: readonly { phone_number: string; type: string | null; is_primary: boolean }[]
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** The maximum length of a line in bytes (RFC 6350, 3.2). */
const lineBytesMax = 75

/** The TYPE of a card for the types that have another name there. */
const cardTypes: Readonly<Record<string, string>> = { personal: 'home', mobile: 'cell' }

/** Writes a contact as a vCard 4.0 (RFC 6350), with CRLF after each line. Of the metadata, it has the text `notes`. */
export function toVCard(contact: CardSource): string {
  const { id, first_name, last_name, job_title, updated_at, organization, metadata } = contact
  const notes = metadata?.notes
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `UID:urn:uuid:${id}`,
    `FN:${escapeText([first_name, last_name].filter(Boolean).join(' '))}`,
    `N:${escapeText(last_name ?? '')};${escapeText(first_name)};;;`,
    ...(organization?.name ? [`ORG:${escapeText(organization.name)}`] : []),
    ...(job_title ? [`TITLE:${escapeText(job_title)}`] : []),
    ...(contact.contact_emails ?? []).map((each) => `EMAIL${parameters(each)}:${escapeText(each.email)}`),
    ...(contact.contact_phones ?? []).map((each) => `TEL${parameters(each)}:${escapeText(each.phone_number)}`),
    ...(typeof notes === 'string' && notes !== '' ? [`NOTE:${escapeText(notes)}`] : []),
    ...(updated_at ? [`REV:${updated_at.replace(/[-:]|\.\d+/g, '')}`] : []),
    'END:VCARD',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function parameters({ type, is_primary }: { type: string | null; is_primary: boolean }): string {
  const written = type ? `;TYPE=${parameter(cardTypes[type] ?? type)}` : ''
  return is_primary ? `${written};PREF=1` : written
}

/** Quotes a value that is not a plain token, with the escapes of RFC 6868. */
function parameter(value: string): string {
  if (/^[A-Za-z0-9-]+$/.test(value)) return value
  return `"${value
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n|[\r\n]/g, '^n')}"`
}

function escapeText(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n')
}

/** Splits a long line between characters. The parts begin with a space. */
function fold(line: string): string {
  let written = ''
  let bytes = 0
  for (const character of line) {
    const size = bytesOf(character.codePointAt(0)!)
    if (bytes + size > lineBytesMax) {
      written += '\r\n '
      bytes = 1
    }
    written += character
    bytes += size
  }
  return written
}

/** The size of a character in UTF-8. */
function bytesOf(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4
}
