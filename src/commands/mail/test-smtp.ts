import { promises as dns } from 'node:dns'
import type { TLSSocket } from 'node:tls'
import { SmtpDialogue } from './smtp-dialogue.ts'
import type { Steps } from './steps.ts'
import { type TestMessage, textOf } from './test-message.ts'

interface SmtpTest extends TestMessage {
  readonly host: string
  readonly port: number
  readonly domain: string
  readonly dns: string | undefined
}

const door = 'smtp'
const query = { timeout: 2_000, tries: 1 }

/** Takes a message through the SMTP door, as another mail server does. */
export async function testSmtp(steps: Steps, test: SmtpTest): Promise<void> {
  await noteExchangers(steps, test)
  const { host, port } = test
  const dialogue = await steps.run(
    {
      door,
      step: `connect to ${host}:${port}`,
      advice:
        'Start the server with --smtp-listen, and give this command the same settings. Ports below 1024 need the capability CAP_NET_BIND_SERVICE.',
    },
    () => SmtpDialogue.connect(host, port),
    () => 'connected',
  )
  if (!dialogue) return
  try {
    await converse(steps, dialogue, test)
  } finally {
    dialogue.close()
  }
}

async function converse(steps: Steps, dialogue: SmtpDialogue, { domain, ...message }: SmtpTest): Promise<void> {
  const say = (step: string, text: string, expected: number, advice: string) =>
    steps.run(
      { door, step, advice },
      () => dialogue.command(text, expected),
      ({ code, lines }) => `${code} ${lines.at(-1)}`,
    )
  const greeting = await steps.run(
    {
      door,
      step: 'greeting',
      advice:
        'A server that follows another one of the same log takes no mail: test the one that leads. 421 for too many connections passes.',
    },
    () => dialogue.expect(220),
    ({ lines }) => lines[0]!,
  )
  if (!greeting) return
  const hello = await steps.run(
    { door, step: 'EHLO', advice: 'Another program listens at this address.' },
    () => dialogue.command(`EHLO kontor-mail-test.${domain}`, 250),
    ({ lines }) => lines.join(', '),
  )
  if (!hello) return
  if (hello.lines.includes('STARTTLS')) {
    const advice = 'Check the files of --tls-cert and --tls-key.'
    const secure = await steps.run({ door, step: 'STARTTLS', advice }, () => begin(dialogue, domain), certificateOf)
    if (!secure) return
  } else steps.note(door, 'STARTTLS', 'not offered, so mail arrives unencrypted: --tls-cert and --tls-key turn it on')
  const sender = await say('MAIL FROM', `MAIL FROM:<${message.from}>`, 250, 'The server takes no mail at the moment.')
  if (!sender) return
  const missing = `Create the address, and check that the server has --mail-domain ${domain}.`
  if (!(await say('RCPT TO', `RCPT TO:<${message.address}>`, 250, missing))) return
  if (!(await say('DATA', 'DATA', 354, 'The server takes no mail at the moment.'))) return
  await say('message', `${textOf(message)}.`, 250, 'The reply says why. The log of the server may say more.')
}

async function begin(dialogue: SmtpDialogue, domain: string): Promise<TLSSocket> {
  await dialogue.command('STARTTLS', 220)
  const socket = await dialogue.secure()
  await dialogue.command(`EHLO kontor-mail-test.${domain}`, 250)
  return socket
}

function certificateOf(socket: TLSSocket): string {
  const { subject, valid_to } = socket.getPeerCertificate()
  return `${socket.getProtocol()}, the certificate of ${subject?.CN ?? 'nobody'}, valid to ${valid_to}`
}

/** Other servers send to what the name servers say. A server inside a network needs no such record. */
async function noteExchangers(steps: Steps, { domain, dns: server }: SmtpTest): Promise<void> {
  const resolver = new dns.Resolver(query)
  if (server !== undefined) resolver.setServers([server])
  const found = await resolver.resolveMx(domain).catch((error: Error) => error)
  const names = found instanceof Error ? [] : found.map(({ exchange, priority }) => `${priority} ${exchange}`)
  const none = 'none found: mail from outside needs one, or a mail server of yours that passes it on'
  steps.note(door, `MX of ${domain}`, names.join(', ') || none)
}
