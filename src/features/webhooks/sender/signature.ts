import { createHmac } from 'node:crypto'

/** What a signature covers (Standard Webhooks): the bytes of the body as they are sent. */
interface Signed {
  /** `webhook-id` */
  id: string
  /** `webhook-timestamp`, in seconds */
  seconds: number
  body: string
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces (decision H2). */
export function signatures(secrets: readonly { secret: string }[], { id, seconds, body }: Signed): string {
  return secrets.map(({ secret }) => `v1,${hmac(secret, `${id}.${seconds}.${body}`)}`).join(' ')
}

function hmac(secret: string, content: string): string {
  return createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest('base64')
}
