import { createHash } from 'node:crypto'
import type { Address } from './mail.ts'

interface Identified {
  readonly internetMessageId: string | null
  readonly sentAt: string | null
  readonly from: readonly Address[]
  readonly subject: string | null
  readonly bodies: readonly { readonly type: string; readonly text: string; readonly rest: string }[]
  readonly attachments: readonly { readonly sha256: string }[]
}

/**
 * What a message is recognized by, whatever way it took: the same for each way of encoding and of ending lines. It covers HTML as
 * it was sent, so that it survives changes of the sanitizer.
 */
export function identityOf({ internetMessageId, sentAt, from, subject, bodies, attachments }: Identified): string {
  const parts = bodies.map(({ type, text, rest }) => [type, text.replace(/\r\n?/g, '\n').trimEnd(), rest])
  const senders = from.map(({ address }) => address)
  const named = [internetMessageId, sentAt, senders, subject, parts, attachments.map(({ sha256 }) => sha256)]
  return createHash('sha256').update(JSON.stringify(named)).digest('hex')
}
