import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { openConnection } from '../../src/store/open.ts'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { administer, bundle, launch } from '../support/program.ts'
import { sendRaw } from '../support/raw.ts'

type Line = Record<string, unknown>

interface Logged {
  url: string
  client: Client
  companyId: string
  data: string
  /** Stops the server; answers all that it has logged since it listened. */
  end(): Promise<Line[]>
}

/** The built server with a key; everything that it writes to standard output is kept. */
async function serveLogged(t: TestContext, ...args: string[]): Promise<Logged> {
  const data = join(temporaryDirectory(t), 'data')
  const company = await administer(bundle, 'company', 'create', '--name', 'Acme', '--data', data)
  const options = ['--company', company.id, '--name', 'First', '--scopes', 'admin:all', '--data', data]
  const key = await administer(bundle, 'key', 'create', ...options)
  const { first, child, stop } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', ...args])
  const lines: string[] = []
  const output = createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  const closed = once(output, 'close')
  const end = async () => {
    await Promise.all([stop(), closed])
    return lines.map((line) => JSON.parse(line))
  }
  return { url: first.url!, client: clientFor(first.url!, key), companyId: company.id, data, end }
}

const requestsIn = (lines: Line[]) => lines.filter(({ msg }) => msg === 'request')

test('Each request is one line of JSON: id, method, route, status, duration, key and company', async (t) => {
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
    method: 'GET',
    route: '/api-v1-organizations/:id',
    status: 200,
    key_id: client.keyId,
    company_id: companyId,
    msg: 'request',
  })
})

test('Requests that come to no route are logged, too; those for the health are not', async (t) => {
  const { url, client, end } = await serveLogged(t)

  await client.get('/api-v1-nothing')
  await fetch(`${url}/api-v1-organizations`)
  await sendRaw(url, 'nonsense\r\n\r\n')
  await fetch(`${url}/readyz`)

  const lines = requestsIn(await end()).map(({ method, route, status, key_id }) => [method, route, status, key_id])
  assert.deepEqual(lines, [
    ['GET', null, 404, client.keyId],
    ['GET', null, 401, null],
    ['none', null, 400, null],
  ])
})

test('No key, no text of a body and none of a query comes into the log, wherever a caller puts it', async (t) => {
  const { client, data, end } = await serveLogged(t, '--slow', '1s')
  const secret = 'Geheimnis'
  const db = openConnection(join(data, 'kontor.db'), { busyTimeoutMs: 5_000, synchronous: 'FULL' })
  db.exec('ALTER TABLE activity RENAME TO gone')
  db.close()

  const leaky = { 'X-Request-Id': client.key }
  await client.post('/api-v1-organizations', { name: secret, status: secret }, leaky)
  await client.post('/api-v1-activities', { type: 'call', subject: secret }, leaky)
  await client.get(`/api-v1-organizations?name=${secret}&${client.key}=1`, leaky)
  await client.get(`/api-v1-${client.key}/${secret}`, leaky)

  const lines = await end()
  const text = JSON.stringify(lines)
  assert.deepEqual(
    requestsIn(lines).map(({ status }) => status),
    [400, 500, 400, 404],
  )
  assert.match(text, /no such table/, 'the bug itself is logged')
  assert.doesNotMatch(text, new RegExp(`${secret}|svc_live_`))
})

test('Without the request log only what the server has to tell is logged', async (t) => {
  const { client, end } = await serveLogged(t, '--request-log', 'off')

  await client.get('/api-v1-organizations')

  assert.deepEqual(await end(), [])
})

test('The lines of the last requests are written, too, when an error ends the process', () => {
  const log = JSON.stringify(new URL('../../src/lib/log.ts', import.meta.url).href)
  const program = `import { logText, openLog } from ${log}
    await openLog()
    logText('request', '"status":200', 'info')
    setImmediate(() => { throw new Error('a bug') })`

  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })

  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(stdout).status, 200)
})
