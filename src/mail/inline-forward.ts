import { addressOf } from './addresses.ts'
import { clean } from './clean-text.ts'
import type { Address } from './mail.ts'
import { writtenDate } from './sent-date.ts'

/** The message inside a forward, by the lines of its header that the mail program has written above it. */
export interface Inline {
  readonly from: Address
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly subject: string | null
  readonly sentAt: string | null
  readonly text: string
}

const labels: Readonly<Record<string, 'from' | 'to' | 'cc' | 'date' | 'subject' | 'other'>> = {
  ...{ from: 'from', von: 'from', to: 'to', an: 'to', cc: 'cc', kopie: 'cc' },
  ...{ sent: 'date', gesendet: 'date', date: 'date', datum: 'date', subject: 'subject', betreff: 'subject' },
  ...{ 'reply-to': 'other', 'antwort an': 'other', 'antwort-an': 'other', bcc: 'other', attachments: 'other' },
  ...{ anlagen: 'other', importance: 'other', priorität: 'other', wichtigkeit: 'other', organization: 'other' },
  ...{ 'resent-from': 'other', sender: 'other', firma: 'other' },
}
const label = /^\s{0,3}\*?([\p{L}-]+(?: an)?)\s?\*?:\*?\s*(.*)$/iu

/** What programs write in front of the header of a message that is forwarded. */
const markers = [
  /^-{4,} ?(?:Forwarded message|Weitergeleitete Nachricht|Forwarded Message) ?-{4,}$/i,
  /^(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)):$/i,
]
/** Written in front of messages that are answered, too. */
const weakMarkers = [
  /^-{4,} ?(?:Original Message|Urspr(?:ü|ue)ngliche (?:Nachricht|Mail)|Originalnachricht|Original-Nachricht) ?-{4,}$/i,
]

export const forwardSubject =
  /^\s*(?:\[[^\]]{1,60}\]\s*)?(?:fwd?|wg|wtr?|weitergeleitet|weiterleitung)\s?(?:\[\d+\])?:/i
const answerSubject = /^\s*(?:re|aw|antw?)\s?(?:\[\d+\])?:/i
/** How many lines after its first one the header may have. */
const headLinesMax = 40
/** How much of a line of the header is read for addresses. */
const valueMax = 4_000

/** Undefined if the text has no header block that is recognized. `offset`: the zone of the forwarding message. */
export function inlineOf(text: string, subject: string | null, offset: number): Inline | undefined {
  if (answerSubject.test(subject ?? '')) return undefined
  const lines = text.split('\n')
  const isForward = forwardSubject.test(subject ?? '')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!.trim()
    const isMarker = markers.some((marker) => marker.test(line))
    const isWeak = isForward && weakMarkers.some((marker) => marker.test(line))
    if (isMarker || isWeak) {
      const found = blockAt(unquoted(lines.slice(index + 1)), 0, offset)
      if (found) return found
    } else if (isForward && labelOf(line)?.name === 'from') {
      const found = blockAt(lines, index, offset)
      if (found) return found
    }
  }
  return undefined
}

/** Apple Mail quotes what it forwards as plain text. */
function unquoted(lines: readonly string[]): readonly string[] {
  const begin = lines.slice(nextOf(lines, 0))
  return begin[0]?.startsWith('>') ? begin.map((line) => line.replace(/^> ?/, '')) : begin
}

function nextOf(lines: readonly string[], from: number): number {
  let index = from
  while (index < lines.length && lines[index]!.trim() === '') index += 1
  return index
}

function labelOf(line: string): { name: (typeof labels)[string]; value: string } | undefined {
  const [, written = '', value = ''] = label.exec(line) ?? []
  const name = Object.hasOwn(labels, written.toLowerCase()) ? labels[written.toLowerCase()] : undefined
  return name && { name, value: value.trim() }
}

function blockAt(lines: readonly string[], start: number, offset: number): Inline | undefined {
  const values = new Map<string, string>()
  let current: string | undefined
  let index = start
  for (; index < lines.length && index - start < headLinesMax; index += 1) {
    const line = lines[index]!
    const found = labelOf(line)
    if (found && !(found.name !== 'other' && values.has(found.name))) {
      current = found.name
      values.set(current, found.value)
    } else if (line.trim() === '') {
      const next = labelOf(lines[nextOf(lines, index)] ?? '')
      if (!next || values.has(next.name)) break
      current = undefined
    } else if (current !== undefined) values.set(current, `${values.get(current)} ${line.trim()}`)
    else break
  }
  const from = addressesIn(values.get('from') ?? '')[0]
  if (!from || values.size < 3) return undefined
  return {
    from,
    to: addressesIn(values.get('to') ?? ''),
    cc: addressesIn(values.get('cc') ?? ''),
    subject: values.get('subject') || null,
    sentAt: writtenDate(values.get('date') ?? '', offset),
    text: lines.slice(index).join('\n').trim(),
  }
}

/** `Erika Muster <erika@example.com>`, `Erika Muster [mailto:erika@example.com]`, `erika@example.com`, several of them. */
function addressesIn(value: string): Address[] {
  const found = value
    .slice(0, valueMax)
    .matchAll(
      /([^<>[\];@]{0,200}?)[ \t]*[<[(]?(?:mailto:)?([^\s<>[\]();,:"'*]{1,64}@[^\s<>[\]();,:"'*]{1,255})[>\])]?/g,
    )
  return [...found].slice(0, 100).flatMap(([, name = '', address = '']) => {
    const written = clean(name).replace(/^[\s,;:*"'<]+|[\s,;:*"'<]+$/g, '')
    return addressOf(written, address) ?? []
  })
}
