import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { newCertificate } from '../support/certificate.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'
import { etcdPath } from './real-etcd.ts'

/** The keys that the user may read and write. */
const prefix = 'kontor'
const password = 'correct horse battery staple'

export interface SecuredEtcd {
  /** Where the log is. */
  url: string
  /** The options of a server for this log. */
  args: string[]
  /** Also closes every connection. */
  restart(): Promise<void>
  /** Waits until the tokens that are not used have expired. */
  tokensExpired(): Promise<void>
}

/** A name that is no Common Name: etcd's gateway refuses a client certificate that has one. */
const subject = ['-subj', '/O=Kontor', '-addext', 'subjectAltName=IP:127.0.0.1']

/** Starts etcd with TLS, which only accepts clients with a certificate, and a user whose token expires soon and who may use one prefix. */
export async function startSecuredEtcd(t: Pick<TestContext, 'after'>): Promise<SecuredEtcd> {
  const directory = temporaryDirectory(t)
  const server = newCertificate(directory, 'server', { subject })
  const client = newCertificate(directory, 'client', { subject })
  const [trusted, passwordFile] = [join(directory, 'trusted.pem'), join(directory, 'password')]
  writeFileSync(trusted, [server, client].map(({ tlsCert }) => readFileSync(tlsCert, 'utf8')).join(''))
  writeFileSync(passwordFile, `${password}\n`)
  const [port, peerPort] = [await freePort(), await freePort()]
  const data = join(directory, 'data')
  const url = `https://127.0.0.1:${port}`
  const flags = {
    ...{ name: 'm0', 'data-dir': data, 'listen-client-urls': url, 'advertise-client-urls': url },
    ...{ 'listen-peer-urls': `http://127.0.0.1:${peerPort}`, 'auth-token-ttl': '1', 'client-cert-auth': 'true' },
    ...{ 'cert-file': server.tlsCert, 'key-file': server.tlsKey, 'trusted-ca-file': trusted },
  }
  const peers = {
    'initial-advertise-peer-urls': `http://127.0.0.1:${peerPort}`,
    'initial-cluster': `m0=http://127.0.0.1:${peerPort}`,
  }
  const launch = () =>
    spawn(
      etcdPath!,
      Object.entries({ ...flags, ...peers }).map(([name, value]) => `--${name}=${value}`),
      {
        stdio: 'ignore',
      },
    )
  let child = launch()
  t.after(() => child.kill('SIGKILL'))
  const tls = { ca: readFileSync(server.tlsCert), cert: readFileSync(client.tlsCert), key: readFileSync(client.tlsKey) }
  const ask: Ask = (path, body, token) => {
    const headers = token === undefined ? {} : { Authorization: token }
    return post(url + path, body, { ...tls, headers })
  }
  const answers = () =>
    ask('/v3/kv/range', { key: 'AA==' }).then(
      ({ status }) => status < 500,
      () => false,
    )
  await until('etcd answers', answers)
  await allow(ask)
  return {
    url: `etcd://127.0.0.1:${port}/${prefix}`,
    args: [
      ...['--log-ca', server.tlsCert, '--log-cert', client.tlsCert, '--log-key', client.tlsKey],
      ...['--log-user', 'kontor', '--log-password-file', passwordFile],
    ],
    async restart() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited // it holds the port until then
      child = launch()
      await until('etcd answers again', answers)
    },
    async tokensExpired() {
      const tokens: string[] = []
      let used = 0
      await until('a token that was not used has expired', async () => {
        const { text } = await ask('/v3/auth/authenticate', { name: 'kontor', password })
        tokens.push(JSON.parse(text).token)
        // A use prolongs a token: each is used once, after a longer time than the one before.
        if (tokens.length < 2 * (used + 1)) return false
        return (await ask('/v3/kv/range', { key: encoded(`${prefix}/x`) }, tokens[used++])).text.includes(
          'invalid auth',
        )
      })
    },
  }
}

type Ask = (path: string, body: object, token?: string) => Promise<{ status: number; text: string }>

/** Adds the user, who may use the keys of the prefix only, and turns authentication on. */
async function allow(ask: Ask): Promise<void> {
  const perm = { permType: 'READWRITE', key: encoded(`${prefix}/`), range_end: encoded(`${prefix}0`) }
  const steps: [string, object][] = [
    ['/v3/auth/user/add', { name: 'root', password }],
    ['/v3/auth/user/grant', { user: 'root', role: 'root' }],
    ['/v3/auth/role/add', { name: 'log' }],
    ['/v3/auth/role/grant', { name: 'log', perm }],
    ['/v3/auth/user/add', { name: 'kontor', password }],
    ['/v3/auth/user/grant', { user: 'kontor', role: 'log' }],
    ['/v3/auth/enable', {}],
  ]
  for (const [path, body] of steps) {
    const { status, text } = await ask(path, body)
    if (status !== 200) throw new Error(`${path}: ${text}`)
  }
}

function post(url: string, body: object, options: object): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const asked = request(url, { method: 'POST', agent: false, ...options }, async (response) => {
    try {
      const parts = await response.toArray()
      resolve({ status: response.statusCode!, text: Buffer.concat(parts).toString() })
    } catch (error) {
      reject(error)
    }
  })
  asked.on('error', reject).end(JSON.stringify(body))
  return promise
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
