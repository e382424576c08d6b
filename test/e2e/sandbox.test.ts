import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Client, clientFor } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { importAll, totalOf } from '../support/imports.ts'
import { bundle, executable, launch, run } from '../support/program.ts'

async function sandbox(t: TestContext, ...args: string[]): Promise<{ client: Client; first: Record<string, string> }> {
  const { first } = await launch(t, executable, ['sandbox', ...args])
  return { client: clientFor(first.url!, { id: '', key: first.key! }), first }
}

test('A sandbox serves an empty test workspace with a key that has all scopes, without rate limits', async (t) => {
  const { client, first } = await sandbox(t)

  const responses = await Promise.all(Array.from({ length: 320 }, () => client.get('/api-v1-organizations')))

  assert.deepEqual(Object.keys(first), ['url', 'key', 'company_id'])
  assert.match(first.key!, /^svc_test_[A-Za-z0-9]{32}$/)
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(responses[0]!.body.pagination.total, 0)
})

test('Every page of the documentation of a sandbox can be read', async (t) => {
  const { url } = (await sandbox(t)).first
  for (const path of ['/docs', '/openapi.json', '/llms.txt']) {
    const response = await fetch(url + path)

    assert.equal(response.status, 200, path)
    assert.notEqual((await response.text()).length, 0)
  }
  const summary = await (await fetch(`${url}/llms.txt`)).text()
  assert.match(summary, /^- `GET \/api-v1-sandbox\/export`.*\n {2}- 200: object$/m)
})

test('Standard output of a sandbox has one line, and errors are on standard error', async () => {
  const script = `
    import { log, logToStandardError } from '${new URL('../../src/lib/log.ts', import.meta.url)}'
    logToStandardError()
    log('a fault', {}, 'error')
  `
  const { stdout, stderr } = await run([process.execPath, '--input-type=module', '--eval'], [script])

  assert.equal(stdout, '')
  assert.equal(JSON.parse(stderr).msg, 'a fault')
})

test('A sandbox runs bulk imports', async (t) => {
  const { client } = await sandbox(t)
  const records = Array.from({ length: 250 }, (_, row) => ({ name: `Company ${row}` }))

  const job = await importAll(client, 'organizations', [...records, {}])

  assert.deepEqual([job.status, job.successful_records, job.failed_records], ['completed', 250, 1])
  assert.equal(await totalOf(client, 'organizations'), 250)
})

test('A sandbox that has reported that it is ready stops on SIGTERM', async (t) => {
  const { stop } = await launch(t, executable, ['sandbox', '--seed', 'demo'])

  assert.equal(await stop(), 0)
})

test('A sandbox listens on a free port by default, or on the configured one, as its help says', async (t) => {
  const { stdout } = await run(bundle, ['sandbox', '--help'])
  const port = String(await freePort())

  const free = await launch(t, bundle, ['sandbox'])
  const configured = await launch(t, bundle, ['sandbox'], { env: { KONTOR_PORT: port } })
  const flagged = await launch(t, bundle, ['sandbox', '--port', '0'], { env: { KONTOR_PORT: port } })

  assert.match(
    stdout.replace(/\s+/g, ' '),
    /--port <n> port to listen on; 0 picks a free one \(default: 0; env: KONTOR_PORT\)/,
  )
  assert.equal(new URL(configured.first.url!).port, port)
  assert.equal(new Set([free, configured, flagged].map(({ first }) => first.url)).size, 3)
})
