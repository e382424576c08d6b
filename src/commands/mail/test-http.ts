import { testHeader } from '../../features/mail/test-token.ts'
import type { Steps } from './steps.ts'
import { type TestMessage, textOf } from './test-message.ts'

const timeoutMs = 30_000

/** Takes a message through the HTTP door, as a mail worker does. */
export async function testHttp(steps: Steps, url: string, message: TestMessage): Promise<void> {
  await steps.run(
    {
      door: 'http',
      step: `POST ${url}/mail/in`,
      advice:
        'Start the server with --mail-domain, and give this command --url or the settings of the server. A proxy in front must pass on /mail/in with bodies of 40 MiB.',
    },
    () => post(`${url}/mail/in?address=${encodeURIComponent(message.address)}`, message),
    (outcome) => `accepted; nothing is stored, the outcome would be ${outcome}`,
  )
}

/** Returns the outcome. */
async function post(url: string, message: TestMessage): Promise<string> {
  const headers = { 'Content-Type': 'message/rfc822', [testHeader]: message.token }
  const body = textOf(message)
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' }).catch((error) => {
    throw new Error(error.cause?.message || error.message)
  })
  const text = await response.text()
  if (response.status !== 202) throw new Error(`the server answers ${response.status} ${text.slice(0, 500)}`)
  const outcome = response.headers.get('kontor-outcome')
  if (outcome !== null) return outcome
  throw new Error('the server has accepted it as an ordinary message: its database is not the one of --data')
}
