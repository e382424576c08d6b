import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { watchCertificate } from '../../../../src/http/tls.ts'
import { newCertificate, type TlsFiles } from '../../../support/certificate.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { testUnless, withoutOpenssl } from '../../../support/needs.ts'
import { openRaw, type RawConnection } from '../../../support/raw.ts'
import { until, within } from '../../../support/wait.ts'
import { address, hello, openDoor, sendMail } from './door.ts'

const test = testUnless(withoutOpenssl)

async function openSecureDoor(t: TestContext) {
  const directory = temporaryDirectory(t)
  const files = newCertificate(directory, 'first.example')
  const watched = { cert: files.tlsCert, key: files.tlsKey }
  const opened = await openDoor(t, {
    certificate(renew) {
      const { options, stop } = watchCertificate(watched, renew)
      t.after(stop)
      return options
    },
  })
  return { ...opened, directory, files }
}

/** Upgrades a connection that has sent STARTTLS. */
function secure({ socket }: RawConnection): Promise<TLSSocket> {
  socket.removeAllListeners('data')
  return new Promise((resolve, reject) => {
    const tls = connect({ socket, rejectUnauthorized: false }, () => resolve(tls)).on('error', reject)
  })
}

async function nameShown(url: string): Promise<string> {
  const connection = await hello(url)
  connection.write('STARTTLS\r\n')
  await connection.until('220 Ready')
  const tls = await secure(connection)
  const { subject } = tls.getPeerCertificate()
  tls.destroy()
  return String(subject.CN)
}

test('A real client sends over STARTTLS, with the certificate of the server', async (t) => {
  const { url, taken, door } = await openSecureDoor(t)

  await sendMail(url, {}, { ignoreTLS: false, requireTLS: true, tls: { rejectUnauthorized: false } })

  assert.equal(taken.length, 1)
  assert.equal(await nameShown(url), 'first.example')
  await until('no connection is left', () => door.connections === 0)
})

test('A renewed certificate is used by the next connection', async (t) => {
  const { url, directory, files } = await openSecureDoor(t)
  const second = newCertificate(directory, 'second.example')
  for (const kind of ['tlsKey', 'tlsCert'] satisfies (keyof TlsFiles)[]) copyFileSync(second[kind], files[kind])

  await until('the new certificate is used', async () => (await nameShown(url)) === 'second.example')
})

test('Text that is sent in clear together with STARTTLS is not part of the encrypted session', async (t) => {
  const { url, taken } = await openSecureDoor(t)
  const connection = await hello(url)
  connection.write(`STARTTLS\r\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<${address}>\r\n`)
  await connection.until('220 Ready')
  const tls = await secure(connection)
  let received = ''
  tls.on('data', (part) => {
    received += part
  })

  tls.write(`EHLO client.example\r\nDATA\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n`)
  await until('a message is expected', () => received.includes('354 '))
  tls.write('Subject: x\r\n.\r\n')
  await until('it is stored', () => received.includes('250 OK'))
  tls.destroy()

  assert.match(received, /503 Error: need RCPT command/)
  assert.deepEqual(
    taken.map(({ smtp }) => smtp.mailFrom),
    [''],
  )
})

test('Clients that break the handshake, or never begin it, are not counted for ever', async (t) => {
  const { url, door, taken } = await openSecureDoor(t)
  const broken = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const connection = await hello(url)
      connection.write('STARTTLS\r\n')
      await connection.until('220 Ready')
      if (at % 2 === 0) connection.write('no handshake at all\r\n')
      return connection
    }),
  )
  for (const { socket } of broken.filter((_, at) => at % 2 === 1)) socket.resetAndDestroy()

  await within('the server has closed the others', Promise.all(broken.map((each) => each.closed())))
  await until('no connection is left', () => door.connections === 0)
  await sendMail(url, {})
  assert.equal(taken.length, 1)
})

test('Without a certificate there is no STARTTLS', async (t) => {
  const { url } = await openDoor(t)
  const connection = openRaw(url)
  await connection.until('220 ')
  connection.write('EHLO x\r\nSTARTTLS\r\nQUIT\r\n')

  const received = await connection.closed()

  assert.ok(!received.includes('250-STARTTLS'))
  assert.match(received, /\r\n500 Error: command not recognized\r\n/)
})
