import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newCertificate, type TlsFiles } from '../../../support/certificate.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { samplesIn } from '../../../support/metrics.ts'
import { testUnless, withoutOpenssl } from '../../../support/needs.ts'
import { until } from '../../../support/wait.ts'
import { rawMail, serveMail } from '../mail-server.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'
import { newSource, untilFailing, untilStored } from './sources.ts'

const test = testUnless(withoutDovecot || withoutOpenssl)
const san = (names: string) => ['-subj', '/CN=imap', '-addext', `subjectAltName=${names}`]

/** A server that trusts these certificates, beside those of the system. */
async function serving(t: TestContext, { tlsCert }: TlsFiles) {
  const args = ['--webhook-allow', '127.0.0.1', '--metrics', '127.0.0.1:0']
  return serveMail(t, temporaryDirectory(t), { args, env: { NODE_EXTRA_CA_CERTS: tlsCert } })
}

test('The built server reads mailboxes over TLS, from the first byte or after STARTTLS, and metrics count what they bring', async (t) => {
  const files = newCertificate(temporaryDirectory(t), 'right', { subject: san('IP:127.0.0.1') })
  const [dovecot, { client, server }] = [await startDovecot(t, files), await serving(t, files)]
  dovecot.deliver(rawMail('inbox'))
  dovecot.deliver(rawMail('folder'), 'Gr&APwA3w-e')

  await newSource(client, dovecot.tlsPort, { tls: 'implicit' })
  await newSource(client, dovecot.port, { tls: 'starttls', folder: 'Grüße' })

  await untilStored(client, 'folder', 'inbox')
  const counted = async () =>
    samplesIn(await (await fetch(server.first.metrics!)).text()).get(
      'kontor_mail_messages_total{door="imap",outcome="unmatched"}',
    )
  await until('both are counted', counted, { is: (count) => count === 2 }) // just after they are stored
})

test('A mailbox with a certificate that is not trusted, or for another name, is not read, and the error says why', async (t) => {
  const directory = temporaryDirectory(t)
  const wrong = newCertificate(directory, 'wrong', { subject: san('DNS:other.example') })
  const [dovecot, trusting] = [await startDovecot(t, wrong), await serving(t, wrong)]
  const distrusting = await serving(t, newCertificate(directory, 'unused'))
  dovecot.deliver(rawMail('never'))
  const cases = [
    [trusting, 'it is for another name'],
    [distrusting, 'it is self-signed'],
  ] as const

  for (const [{ client }, reason] of cases) {
    for (const [tls, port] of [
      ['implicit', dovecot.tlsPort],
      ['starttls', dovecot.port],
    ] as const) {
      const { id } = await newSource(client, port, { tls })
      assert.equal(await untilFailing(client, id), `The certificate is not valid: ${reason}`, tls)
    }
    await untilStored(client)
  }
})

test('With starttls, nothing is sent to a mail server that does not offer it, and the error says why', async (t) => {
  const files = newCertificate(temporaryDirectory(t), 'any')
  const [dovecot, { client }] = [await startDovecot(t), await serving(t, files)]

  const { id } = await newSource(client, dovecot.port, { tls: 'starttls' })

  assert.equal(await untilFailing(client, id), 'The mail server does not offer STARTTLS')
})
