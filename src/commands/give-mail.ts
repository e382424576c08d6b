import { readFile } from 'node:fs/promises'
import type { Give } from '../features/mail/spool.ts'
import { urlBelow } from '../lib/web-url.ts'

const msMax = 30_000

/**
 * Gives the mail that a server has accepted while it led to the one that leads now, at its address for mail without a key. If that has a message
 * already, it stores nothing. `leaderUrl`: undefined if no other server leads, as far as this one knows; then nothing is given.
 */
export function giveMailTo(leaderUrl: () => string | undefined): Give {
  return async (file, address, signal) => {
    const base = leaderUrl()
    if (base === undefined) return false
    const url = urlBelow(base, 'mail/in')
    url.searchParams.set('address', address)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: await readFile(file),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(msMax)]),
    })
    await response.body?.cancel()
    if (response.status === 202) return true
    throw new Error(`The leader at ${base} answered ${response.status}`)
  }
}
