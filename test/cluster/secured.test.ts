import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../store/log-watch.ts'
import { newCertificate } from '../support/certificate.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { withoutOpenssl } from '../support/needs.ts'
import { bundle, run } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { caughtUp, keyAt, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { openLink } from './link.ts'
import { withoutEtcd } from './real-etcd.ts'
import { startSecuredEtcd } from './secured-etcd.ts'

const path = '/api-v1-organizations'

test('Servers share a log in an etcd with TLS, client certificates, and a user of one prefix', {
  skip: withoutEtcd || withoutOpenssl,
}, async (t) => {
  const { url, args, restart, tokensExpired } = await startSecuredEtcd(t)
  const leader = await startNode(t, url, { args })
  const client = await keyAt(leader)
  const follower = await startNode(t, url, { args })
  const create = async (name: string) => {
    const response = await client.post(path, { name })
    assert.equal(response.status, 201, JSON.stringify(response.body))
    return response
  }

  await create('First')
  await tokensExpired()
  await create('Second')
  await restart() // tokens do not survive
  await until(
    'writes are acknowledged again',
    async () => (await attempt(client.post(path, { name: 'Any' })))?.status,
    {
      is: (status) => status === 201,
    },
  )
  const third = await create('Third')

  const describe = () => run(bundle, ['log', '--data', leader.directory], { cwd: '/' })
  await until('the log lists the follower', describe, { is: ({ stdout }) => stdout.includes(follower.url) })
  const there = await caughtUp(follower, client, third)
  assert.equal((await there.get(`${path}/${third.body.data.id}`)).status, 200)
})

test('A server that may not use the log says why it waits', { skip: withoutEtcd || withoutOpenssl }, async (t) => {
  const { url, args } = await startSecuredEtcd(t)
  const port = new URL(url).port
  const cases = [
    { log: url.replace('/kontor', '/other'), given: args, reason: /permission denied/ },
    { log: url, given: args.slice(0, args.indexOf('--log-user')), reason: /permission denied/ },
    { log: url, given: args.slice(args.indexOf('--log-cert')), reason: /self-signed certificate/ },
  ]

  for (const { log, given, reason } of cases) {
    const link = await openLink(t, Number(port))
    const { lines } = await startNode(t, log.replace(port, String(link.port)), { args: given, wait: false })
    await until(`it says ${reason}`, () => lines, { is: (said) => said.some((line) => reason.test(line)) })
    const sent = link.sent
    await until('it has tried again a few times', () => link.sent, { is: (now) => now > sent + 10 })

    assert.ok(lines.length <= 2, lines.join('\n'))
  }
})

test('Servers and commands that reach a server by https trust the authority in NODE_EXTRA_CA_CERTS, and say why they trust no other', {
  skip: withoutOpenssl,
}, async (t) => {
  const etcd = await startFakeEtcd(t)
  const subject = ['-subj', '/CN=kontor', '-addext', 'subjectAltName=IP:127.0.0.1']
  const { tlsCert, tlsKey } = newCertificate(temporaryDirectory(t), 'own', { subject })
  const serve = async (own: object) => {
    const port = await freePort()
    const args = ['--tls-cert', tlsCert, '--tls-key', tlsKey, '--advertise', `https://127.0.0.1:${port}`]
    return startNode(t, etcd.url, { port, args, ...own })
  }
  const env = { NODE_EXTRA_CA_CERTS: tlsCert }
  const leader = await serve({})
  const create = (given: NodeJS.ProcessEnv) =>
    run(bundle, ['company', 'create', '--name', 'Acme', '--data', leader.directory], { env: given })

  const { lines } = await serve({ wait: false })
  const reason = /The leader at https:.* cannot be reached: self-signed certificate/
  await until('it says why it waits', () => lines, { is: (said) => said.some((line) => reason.test(line)) })
  assert.match((await create({})).stderr, /It is not known whether .* \(self-signed certificate/)

  assert.deepEqual((await create(env)).stderr, '')
  await serve({ env })
})
