import type { Command } from 'commander'
import { ConfigError, type Given, readConfig } from '../../config.ts'
import { OperatorError } from '../../errors.ts'
import { lookupMailAddress } from '../../features/mail/lookup-address.ts'
import { newTestToken } from '../../features/mail/test-token.ts'
import { isEmailAddress } from '../../lib/email.ts'
import { withStore } from '../open-store.ts'
import { visible } from '../print.ts'
import { administer, type CommonOptions, command, withSettings } from '../program.ts'
import { localHost } from '../ready.ts'
import { readServerUrl } from '../server-url.ts'
import { lineOf, Steps } from './steps.ts'
import { testHttp } from './test-http.ts'
import { testSmtp } from './test-smtp.ts'

const testSettings = ['mailDomain', 'smtpListen', 'dns', 'publicUrl', 'host', 'port', 'tlsCert'] as const

interface TestOptions extends CommonOptions {
  address: string
  from?: string
  url?: string
}

export function mailCommand(): Command {
  const mail = command('mail', 'test how mail arrives')
  mail.addCommand(
    withSettings(
      administer('test', 'take a message through each door of the running server; stores nothing'),
      testSettings,
    )
      .requiredOption('--address <address>', 'a mail address of the server')
      .option('--from <address>', 'the sender; default: an address of the mail domain')
      .option('--url <url>', 'address of the server; default: by its settings')
      .action(test),
  )
  return mail
}

/** Prints each step with what to do if it failed. Throws OperatorError if one has. */
async function test({ json, url, ...options }: TestOptions): Promise<void> {
  const given = options as unknown as Given
  const config = readConfig([...testSettings, 'data'], given, process.env)
  const { mailDomain: domain, smtpListen, dns, publicUrl, host, port, tlsCert } = config
  if (domain === undefined) throw new ConfigError('mail test needs --mail-domain, as the server has it')
  const { address, from = `kontor-mail-test@${domain}` } = options
  requireAddresses({ '--address': address, '--from': from })
  const steps = new Steps((step) => json || process.stdout.write(`${visible(lineOf(step))}\n`))
  const token = await withStore(config.data, async (store) => {
    const advice = 'Create it with POST /api-v1-mail-addresses, or use one that GET /api-v1-mail-addresses shows.'
    await steps.run(
      { door: 'address', step: address, advice },
      () => find(store.access, address),
      (kind) => kind,
    )
    return newTestToken(store.access, Date.now())
  })
  if (steps.ok) {
    const message = { address, from, token }
    const server = `${tlsCert === undefined ? 'http' : 'https'}://${localHost(host)}:${port}`
    await testHttp(steps, url ? readServerUrl(url) : (publicUrl?.href ?? server), message)
    if (smtpListen) await testSmtp(steps, { ...message, domain, dns, ...smtpListen, host: localHost(smtpListen.host) })
    else steps.skip('smtp', 'no SMTP door', 'not tested; if the server has one, give this command its --smtp-listen')
  }
  if (json) process.stdout.write(`${JSON.stringify({ address, ok: steps.ok, steps: steps.done })}\n`)
  if (!steps.ok) throw new OperatorError('A step has failed: see above.')
}

function find(access: Parameters<typeof lookupMailAddress>[0], address: string): string {
  const place = lookupMailAddress(access, address)
  if (!place) throw new Error('there is no such address, or its deal is deleted or its user is not active')
  return `an address of a ${place.kind}, for ${place.audience === 'team' ? 'the team' : 'participants'}`
}

/** Throws ConfigError. */
function requireAddresses(given: Record<string, string>): void {
  for (const [option, address] of Object.entries(given)) {
    if (!isEmailAddress(address)) throw new ConfigError(`${option} must be an email address; it is "${address}"`)
  }
}
