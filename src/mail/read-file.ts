import { unlink } from 'node:fs/promises'
import { beginningOf, shortTextMax } from '../lib/text.ts'
import { addressesOf } from './addresses.ts'
import { messageIdMax, Refusal, referencesMax, textMax } from './bounds.ts'
import { clean, cleanLines, shortText } from './clean-text.ts'
import { decodeBody } from './decode-body.ts'
import { valuesOf } from './head.ts'
import { htmlOf, roughTextOf, textOf } from './html-text.ts'
import { identityOf } from './identity.ts'
import { forwardSubject, type Inline, inlineOf } from './inline-forward.ts'
import type { ReadMail } from './mail.ts'
import { type Attachment, checkLevels, type Files, type Parsed, parseMail } from './parse-mail.ts'
import { safeHtml } from './safe-html.ts'
import { sentAtOf, zoneOf } from './sent-date.ts'

/** A message without what only the network tells. */
export type Unverified = Omit<ReadMail, 'isVerified' | 'original'> & { readonly original: Unverified | null }

/** Reads the message in a file. Throws Refusal. */
export async function readFile(file: string, files: Files): Promise<{ mail: Unverified; head: Parsed['head'] }> {
  const parsed = await parseMail(file, files)
  await checkLevels(parsed.attachments, files)
  const mail = compose(parsed)
  const messages = parsed.attachments.filter(({ isMessage }) => isMessage)
  const attached = messages.length === 1 ? await readAttached(messages[0]!, files) : undefined
  if (attached) return { mail: withOriginal(mail, attached), head: parsed.head }
  const inline = inlineOf(mail.text, mail.subject, zoneOf(valuesOf(parsed.head, 'date')[0]))
  return { mail: inline ? { ...mail, original: inlineMail(mail, inline), saysForward: true } : mail, head: parsed.head }
}

function compose({ head, headers, bodies, attachments }: Parsed): Unverified {
  const texts = bodies.map((body) => ({ ...body, text: decodeBody(body) }))
  const ids = new Map(attachments.flatMap(({ contentId, sha256 }) => (contentId ? [[contentId, sha256] as const] : [])))
  const html = texts
    .filter(({ type }) => type === 'text/html')
    .map((body) => ({ body, safe: safeHtml(body.text, ids) }))
  const hasPlain = texts.some(({ type, text }) => type === 'text/plain' && text.trim() !== '')
  const texted = texts.map((body) => {
    if (body.type === 'text/plain')
      return cleanLines(body.text)
        .replace(/^\s*\n/, '')
        .trimEnd()
    if (body.isAlternative && hasPlain) return ''
    const safe = html.find((one) => one.body === body)?.safe ?? null
    return safe === null ? roughTextOf(body.text) : textOf(safe)
  })
  const [messageId = ''] = messageIds(headers.get('message-id'))
  const from = addressesOf(headers.get('from'))
  const subject = shortText(textOrNone(headers.get('subject')), shortTextMax)
  const sentAt = sentAtOf(valuesOf(head, 'date')[0])
  const internetMessageId = messageId || null
  return {
    subject,
    from,
    to: addressesOf(headers.get('to')),
    cc: addressesOf(headers.get('cc')),
    sentAt,
    internetMessageId,
    inReplyTo: messageIds(headers.get('in-reply-to')),
    references: messageIds(headers.get('references')),
    text: beginningOf(texted.filter((text) => text !== '').join('\n\n'), textMax),
    html: htmlFor(
      texts,
      html.map(({ safe }) => safe),
    ),
    attachments: attachments.map(({ name, mediaType, bytes, sha256, file }) => ({
      name,
      mediaType,
      bytes,
      sha256,
      file,
    })),
    identity: identityOf({ internetMessageId, sentAt, from, subject, bodies: texts, attachments }),
    severalFrom: valuesOf(head, 'from').length > 1 || from.length > 1,
    original: null,
    saysForward: false,
  }
}

interface Text {
  readonly type: string
  readonly text: string
  readonly isAlternative: boolean
}

/** The HTML parts, and the plain ones that no HTML part is an alternative to. Null without HTML. */
function htmlFor(texts: readonly Text[], safe: readonly (string | null)[]): string | null {
  const left = [...safe]
  const parts = texts.flatMap(({ type, text, isAlternative }) => {
    if (type === 'text/html') return left.shift() ?? []
    return isAlternative || text.trim() === '' ? [] : htmlOf(cleanLines(text))
  })
  return safe.some((part) => part !== null) ? cleanLines(parts.join('\n')) : null
}

/** Undefined if what is attached cannot be read. */
async function readAttached({ file }: Attachment, files: Files): Promise<Unverified | undefined> {
  try {
    return compose(await parseMail(file, files))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function withOriginal(mail: Unverified, original: Unverified): Unverified {
  const plain = (subject: string | null) => (subject ?? '').replace(forwardSubject, '').trim().toLowerCase()
  const saysForward =
    forwardSubject.test(mail.subject ?? '') ||
    plain(mail.subject) === '' ||
    plain(mail.subject) === plain(original.subject) ||
    mail.text === ''
  return { ...mail, original, saysForward }
}

/** The attachments of an inline forward are those of the outer message. Its HTML would repeat what the forwarding person wrote. */
function inlineMail({ attachments }: Unverified, { from, to, cc, subject, sentAt, text }: Inline): Unverified {
  const named = { internetMessageId: null, sentAt, from: [from], subject: shortText(subject ?? '', shortTextMax) }
  const bodies = [{ type: 'text/plain', text, rest: '' }]
  return {
    ...{ ...named, to, cc, inReplyTo: [], references: [], text, html: null, attachments },
    ...{
      identity: identityOf({ ...named, bodies, attachments }),
      severalFrom: false,
      original: null,
      saysForward: false,
    },
  }
}

function messageIds(given: unknown): string[] {
  const text = [given]
    .flat()
    .filter((one) => typeof one === 'string')
    .join(' ')
  const found = [...text.matchAll(/<[^<>\s]+>/g)].map(([id]) => clean(id)).filter((id) => id.length <= messageIdMax)
  return [...new Set(found)].slice(-referencesMax)
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Removes temporary files that were created, or not yet. */
export async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => unlink(path).catch(() => undefined)))
}
