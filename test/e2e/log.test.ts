import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { openConnection } from '../../src/store/open.ts'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { prepareCompany, prepareKey } from '../support/prepare.ts'
import { administer, bundle, launch } from '../support/program.ts'
import { sendRaw } from '../support/raw.ts'
import { password, visit } from '../support/visitor.ts'

type Line = Record<string, unknown>

interface Logged {
  url: string
  client: Client
  companyId: string
  data: string
  /** Stops the server. Returns every line that it has logged since it began to listen. */
  end(): Promise<Line[]>
}

/** Starts the built server with a key and records its standard output. */
async function serveLogged(t: TestContext, ...args: string[]): Promise<Logged> {
  const data = join(temporaryDirectory(t), 'data')
  const companyId = await prepareCompany(data)
  const { first, child, stop } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', ...args])
  const lines: string[] = []
  const output = createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  const closed = once(output, 'close')
  const end = async () => {
    await Promise.all([stop(), closed])
    return lines.map((line) => JSON.parse(line))
  }
  return {
    url: first.url!,
    client: await prepareKey(data, companyId, first.url!),
    companyId,
    data,
    end,
  }
}

const owner = { full_name: 'Ada Weber', email: 'ada@acme.example', password }

const requestsIn = (lines: Line[]) => lines.filter(({ msg }) => msg === 'request')

test('Each request is one line of JSON: id, client, method, path, route, status, duration, key, user and company', async (t) => {
  const { client, companyId, end } = await serveLogged(t)

  const { id } = await make(client, 'organization')
  await client.get(`/api-v1-organizations/${id}`, { 'X-Request-Id': 'the-one' })

  const [, line] = requestsIn(await end())
  const { time, ms, ...rest } = line!
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.ok((ms as number) > 0)
  assert.deepEqual(rest, {
    level: 'info',
    id: 'the-one',
    address: '127.0.0.1',
    method: 'GET',
    path: `/api-v1-organizations/${id}`,
    route: '/api-v1-organizations/:id',
    status: 200,
    key_id: client.keyId,
    user_id: null,
    company_id: companyId,
    msg: 'request',
  })
})

test('Rejected requests are logged with their route; health checks are not logged', async (t) => {
  const { url, client, end } = await serveLogged(t)

  await client.get('/api-v1-nothing')
  await fetch(`${url}/api-v1-organizations/x?name=y`)
  await client.post('/api-v1-organizations/x/y', {})
  await client.request('PUT', '/api-v1-deals/x/stage')
  await fetch(`${url}/docs`)
  await fetch(`${url}/settings/keys`)
  await sendRaw(url, 'nonsense\r\n\r\n')
  await fetch(`${url}/readyz`)

  const lines = requestsIn(await end()).map(({ method, path, route, status, key_id }) => [
    ...[method, path, route],
    ...[status, key_id],
  ])
  assert.deepEqual(lines, [
    ['GET', '/api-v1-nothing', null, 404, client.keyId],
    ['GET', '/api-v1-organizations/x', '/api-v1-organizations/:id', 401, null],
    ['POST', '/api-v1-organizations/x/y', null, 404, client.keyId],
    ['PUT', '/api-v1-deals/x/stage', '/api-v1-deals/:id/stage', 405, client.keyId],
    ['GET', '/docs', '/docs', 200, null],
    ['GET', '/settings/keys', '/', 200, null],
    ['none', null, null, 400, null],
  ])
})

test('Requests that a rate limit rejects are logged with their route and the address of the client', async (t) => {
  const { url, end } = await serveLogged(t, '--trust-proxy', 'loopback')
  const headers = { 'X-Forwarded-For': '2001:db8::7' }

  for (let n = 0; n < 301; n++) await (await fetch(`${url}/api-v1-tasks`, { headers })).arrayBuffer()

  const { status, route, address } = requestsIn(await end()).at(-1)!
  assert.deepEqual([status, route, address], [429, '/api-v1-tasks', '2001:db8::7'])
})

test('Requests of the console are logged with the user, and never with the session', async (t) => {
  const { url, companyId, data, end } = await serveLogged(t)
  const visitor = visit(url)
  const { path } = await administer(bundle, 'setup-link', '--data', data)
  const token = path.split('#')[1]

  await visitor.post('/console/setup', { token, company_name: 'Acme', ...owner })
  const { user } = (await visitor.get('/console/session')).body.data
  await visitor.get('/api-v1-contacts')
  await visitor.patch(`/console/users/${user.id}`, { full_name: 'Ada Braun' })
  await visitor.get('/console/nothing')

  const lines = requestsIn(await end())
  assert.deepEqual(
    lines.map(({ path, route, status, key_id, user_id, company_id }) => [
      ...[path, route, status],
      ...[key_id, user_id, company_id],
    ]),
    [
      ['/console/setup', '/console/setup', 201, null, null, null],
      ['/console/session', '/console/session', 200, null, user.id, companyId],
      ['/api-v1-contacts', '/api-v1-contacts', 200, null, user.id, companyId],
      [`/console/users/${user.id}`, '/console/users/:id', 200, null, user.id, companyId],
      ['/console/nothing', null, 404, null, user.id, companyId],
    ],
  )
  const text = JSON.stringify(lines)
  const session = visitor.cookie!.split('=')[1]!
  assert.ok(!text.includes(session) && !text.includes(hash('sha256', session)))
})

test('A path is logged as it was sent, escaped and truncated', async (t) => {
  const { url, end } = await serveLogged(t)
  const host = new URL(url).host
  const paths = ['/a"b\\c%22%0a', `/${'x'.repeat(1_000)}`, '/caf\xc3\xa9']

  for (const path of paths) await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

  const logged = requestsIn(await end()).map(({ path }) => path)
  assert.deepEqual(logged.slice(0, 2), [paths[0], `${paths[1]!.slice(0, 200)}…`])
  assert.equal(logged.length, 3)
})

test('The log contains no key, body or query, wherever a caller sends them', async (t) => {
  const { client, data, end } = await serveLogged(t, '--slow', '1s')
  const secret = 'Geheimnis'
  const db = openConnection(join(data, 'kontor.db'), { busyTimeoutMs: 5_000, synchronous: 'FULL' })
  db.exec('ALTER TABLE activity RENAME TO gone')
  db.close()

  const leaky = { 'X-Request-Id': client.key }
  await client.post('/api-v1-organizations', { name: secret, status: secret }, leaky)
  await client.post('/api-v1-activities', { type: 'call', subject: secret }, leaky)
  await client.get(`/api-v1-organizations?name=${secret}&${client.key}=1`, leaky)
  await client.get(`/api-v1-${client.key}/x`, leaky)
  await client.get(`/${'x'.repeat(180)}/${client.key}`, leaky)
  await client.get(`/api-v1-contacts/${client.key.replaceAll('_', '%5f')}`, leaky)

  const lines = await end()
  const text = JSON.stringify(lines)
  assert.deepEqual(
    requestsIn(lines).map(({ status }) => status),
    [400, 500, 400, 404, 404, 404],
  )
  assert.match(text, /no such table/, 'the bug itself is logged')
  assert.match(text, /"\/api-v1-\[key\]\/x"/)
  assert.doesNotMatch(text, new RegExp(`${secret}|svc_live_|${client.key.slice(9)}`))
})

test('With the request log off, requests are not logged', async (t) => {
  const { client, end } = await serveLogged(t, '--request-log', 'off')

  await client.get('/api-v1-organizations')

  assert.deepEqual(await end(), [])
})

test('The lines of the last requests are also written when an error ends the process', () => {
  const log = JSON.stringify(new URL('../../src/lib/log.ts', import.meta.url).href)
  const program = `import { logText, openLog } from ${log}
    await openLog()
    logText('request', '"status":200', 'info')
    process.nextTick(() => { throw new Error('a bug') })`

  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })

  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(stdout).status, 200)
})
