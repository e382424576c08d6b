import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import { newCertificate, type TlsFiles } from '../support/certificate.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { testUnless, withoutOpenssl } from '../support/needs.ts'
import { bundle, launch, run } from '../support/program.ts'
import { sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'
import { newOwner, password } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

const test = testUnless(withoutOpenssl)

/** The name in the server's certificate. */
function nameShown(url: string): Promise<string> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.end()
    })
    socket.on('error', reject)
  })
}

interface SecureResponse {
  status: number
  transport: unknown
  cookie: string | undefined
}

function askSecurely(url: string, options: RequestOptions = {}, body = ''): Promise<SecureResponse> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { rejectUnauthorized: false, agent: false, ...options }, (response) => {
      const { 'strict-transport-security': transport, 'set-cookie': cookies } = response.headers
      response.resume()
      resolve({ status: response.statusCode!, transport, cookie: cookies?.[0] })
    })
    asked.on('error', reject).end(body)
  })
}

function served(t: TestContext, files: Partial<TlsFiles>) {
  return start(t, { limits: files })
}

test('With a certificate the server uses HTTPS, and sends Strict-Transport-Security', async (t) => {
  const { url } = await served(t, newCertificate(temporaryDirectory(t), 'first.example'))

  assert.match(url, /^https:/)
  const { status, transport } = await askSecurely(`${url}/healthz`)
  assert.deepEqual([status, transport], [200, 'max-age=31536000'])
})

test('With a certificate the session cookie is Secure', async (t) => {
  const place = await served(t, newCertificate(temporaryDirectory(t), 'first.example'))
  await newOwner(place)
  const headers = { 'Kontor-Environment': 'live', 'Content-Type': 'application/json' }

  const { status, cookie } = await askSecurely(
    `${place.url}/console/session`,
    { method: 'POST', headers },
    JSON.stringify({ email: 'ada@acme.example', password }),
  )

  assert.equal(status, 201)
  assert.match(
    cookie!,
    /^__Host-kontor_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/,
  )
})

/** The protocol and cipher that a client with these options negotiates with the server; undefined: the handshake fails. */
function agreedOn(url: string, options: ConnectionOptions): Promise<string | undefined> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
      socket.end()
    })
    socket.on('error', () => resolve(undefined))
  })
}

test('With TLS 1.2 the server accepts only ciphers with forward secrecy, also after the certificate was reloaded', async (t) => {
  const directory = temporaryDirectory(t)
  const rsa = ['-newkey', 'rsa:2048']
  const [files, next] = [
    newCertificate(directory, 'rsa.example', { key: rsa }),
    newCertificate(directory, 'next.example', { key: rsa }),
  ]
  const { url } = await served(t, files)
  const tls12 = (ciphers: string) => agreedOn(url, { maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })
  const assertForward = async () => {
    assert.equal(await tls12('ECDHE-RSA-AES128-GCM-SHA256'), 'TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256')
    assert.equal(await tls12('ECDHE-RSA-CHACHA20-POLY1305'), 'TLSv1.2 ECDHE-RSA-CHACHA20-POLY1305')
    for (const weak of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'AES128-SHA', 'ECDHE-RSA-AES128-SHA']) {
      assert.equal(await tls12(weak), undefined, weak)
    }
    assert.match((await agreedOn(url, {}))!, /^TLSv1\.3 /)
    assert.equal(
      await agreedOn(url, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
      undefined,
    )
  }

  await assertForward()
  copyFileSync(next.tlsCert, files.tlsCert)
  copyFileSync(next.tlsKey, files.tlsKey)
  await until('the new certificate is used', () => nameShown(url), { is: (name) => name === 'next.example' })
  await assertForward()
})

test('A changed certificate is reloaded without a restart; while it does not match its key, the old one stays', async (t) => {
  const directory = temporaryDirectory(t)
  const [first, second] = [newCertificate(directory, 'first.example'), newCertificate(directory, 'second.example')]
  const { url } = await served(t, first)

  copyFileSync(second.tlsCert, first.tlsCert)
  assert.equal(await nameShown(url), 'first.example')
  copyFileSync(second.tlsKey, first.tlsKey)

  await until('the new certificate is used', () => nameShown(url), { is: (name) => name === 'second.example' })
  assert.equal((await askSecurely(`${url}/healthz`)).status, 200)
})

test('While the file of the key is empty, the old certificate stays', async (t) => {
  const directory = temporaryDirectory(t)
  const { tlsCert, tlsKey } = newCertificate(directory, 'first.example')
  const options = ['--data', join(directory, 'data'), '--port', '0', '--tls-cert', tlsCert, '--tls-key', tlsKey]
  const { child, first } = await launch(t, bundle, ['serve', ...options])
  let output = ''
  child.stdout!.on('data', (chunk) => {
    output += chunk
  })

  writeFileSync(tlsKey, '')
  await until('the server has read it', () => /"msg":"[^"]*certificate[^"]*reloaded"/.test(output))

  assert.match(output, /\.key\.pem is empty/)
  assert.equal(await nameShown(first.url!), 'first.example')
})

test('A certificate that is invalid or empty, without a key or with another key is reported at the start', async (t) => {
  const directory = temporaryDirectory(t)
  const empty = join(directory, 'empty')
  writeFileSync(empty, '')
  const [first, second] = [newCertificate(directory, 'first.example'), newCertificate(directory, 'second.example')]

  for (const files of [
    { tlsCert: first.tlsCert },
    { tlsCert: first.tlsCert, tlsKey: second.tlsKey },
    { tlsCert: join(directory, 'nowhere'), tlsKey: first.tlsKey },
    { tlsCert: first.tlsCert, tlsKey: empty },
    { tlsCert: empty, tlsKey: empty },
  ]) {
    const options = ['--tls-cert', files.tlsCert, ...(files.tlsKey ? ['--tls-key', files.tlsKey] : [])]
    const { code, stderr } = await run(bundle, ['serve', '--data', join(directory, 'data'), '--port', '0', ...options])

    assert.equal(code, 1)
    assert.match(stderr, /^kontor: (?:Cannot use the certificate|HTTPS needs both)/)
  }
})

test('kontor ready uses HTTPS if the server does', async (t) => {
  const directory = temporaryDirectory(t)
  const { tlsCert, tlsKey } = newCertificate(directory, 'first.example')
  const options = ['--tls-cert', tlsCert, '--tls-key', tlsKey]
  const { first } = await launch(t, bundle, ['serve', '--data', join(directory, 'data'), '--port', '0', ...options])

  const { code, stderr } = await run(bundle, ['ready', '--port', new URL(first.url!).port, '--tls-cert', tlsCert])

  assert.equal(code, 0, stderr)
})

test('A client that never begins the TLS handshake is disconnected', { timeout: 30_000 }, async (t) => {
  const files = newCertificate(temporaryDirectory(t), 'kontor.example')
  const { url } = await start(t, { limits: { ...files, headMs: 200 } })

  assert.equal(await sendRaw(url, ''), '')
})
