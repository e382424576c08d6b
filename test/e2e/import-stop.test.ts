import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { runHere } from '../support/command.ts'
import { unknownId } from '../support/contract.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { totalOf } from '../support/imports.ts'
import { bundle } from '../support/program.ts'
import { start } from '../support/start.ts'

test('An import that is refused midway says how far it came, and how to go on or to take it back', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const { key } = (await client.post('/api-v1-keys', { name: 'Import', scopes: ['write:deals'] })).body.data
  const file = join(temporaryDirectory(t), 'deals.csv')
  const rows = Array.from({ length: 1_000 }, (_, n) => `Deal ${n},`)
  writeFileSync(file, ['Title,Stage', ...rows, 'Hampers,Lead', ''].join('\n'))

  const { code, stderr } = await runHere(['import', 'deals', file, '--url', server.url, '--key', key])

  const jobs = (await client.get('/api-v1-bulk/jobs')).body.data
  assert.deepEqual([code, jobs.length, await totalOf(client, 'deals')], [1, 1, 1_000])
  assert.ok(
    stderr.includes(
      'Required scope: read:deals (INSUFFICIENT_PERMISSIONS). The import stopped after line 1001: 1,000 imported, 0 failed. To go on, import the lines that follow. To take it back, undo its jobs',
    ) && stderr.includes(jobs[0].id),
    stderr,
  )
})

test('An import that is interrupted names its jobs, also the one whose outcome it does not know yet', async (t) => {
  const answers: Record<string, object> = {
    '/api-v1-fields': { data: [] },
    '/openapi.json': described,
    '/api-v1-bulk/deals': { data: { job_id: unknownId } },
    [`/api-v1-bulk/jobs/${unknownId}`]: { data: { completed_at: null } },
  }
  const asked = Promise.withResolvers<void>()
  const url = await serveAnswers(t, (path) => {
    if (path.startsWith('/api-v1-bulk/jobs/')) asked.resolve()
    return answers[path]!
  })
  const file = join(temporaryDirectory(t), 'deals.csv')
  writeFileSync(file, 'Title\nHampers\n')
  const args = ['import', 'deals', file, '--url', url, '--key', 'none']
  const child = spawn(bundle[0], [...bundle.slice(1), ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const [said, exited] = [text(child.stderr), once(child, 'exit')]
  await Promise.race([asked.promise, exited.then(async () => assert.fail(await said))])

  child.kill('SIGINT')

  assert.deepEqual(await exited, [130, null])
  const place = `What became of the lines that follow is in job ${unknownId}.`
  const back = `To take it back, undo its jobs (POST /api-v1-undo, or the Import page): ${unknownId}.`
  assert.equal(await said, `\nInterrupted. The import stopped. ${place} ${back}\n`)
})

test('An import whose last rows may have arrived says so, also if they are the first', async (t) => {
  const refuse = { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Not confirmed in time' } } }
  let posts = 0
  const url = await serveAnswers(t, (path) => {
    if (path !== '/api-v1-bulk/deals') return { '/api-v1-fields': { data: [] }, '/openapi.json': described }[path]!
    posts++
    return refuse
  })
  const file = join(temporaryDirectory(t), 'deals.csv')
  writeFileSync(file, 'Title\nHampers\n')

  const { code, stderr } = await runHere(['import', 'deals', file, '--url', url, '--key', 'none'])

  assert.deepEqual([code, posts], [1, 8])
  assert.match(
    stderr,
    /Not confirmed in time.* The import stopped\. What became of the lines that follow is in the last job \(GET \/api-v1-bulk\/jobs\)\.$/m,
  )
})

test('An import of a file that is replaced meanwhile stops: its columns may be others', async (t) => {
  const file = join(temporaryDirectory(t), 'organizations.csv')
  writeFileSync(file, 'Name,City\nAcme,Ulm\n')
  const posts: string[] = []
  const url = await serveAnswers(t, (path) => {
    posts.push(path)
    if (path === '/openapi.json') writeFileSync(file, 'City,Name\nBonn,Nordwind\n') // between two readings
    return { '/api-v1-fields': { data: [] }, '/openapi.json': described }[path]!
  })

  const { code, stderr } = await runHere(['import', 'organizations', file, '--url', url, '--key', 'none'])

  assert.deepEqual([code, posts], [1, ['/api-v1-fields', '/openapi.json']])
  assert.match(stderr, /organizations\.csv has changed since the import began: begin again\.$/m)
})

const described = { paths: { '/api-v1-bulk/jobs/{id}/results': {} } }

/** Serves JSON by path. */
interface Answer {
  status: number
  body: object
}

async function serveAnswers(t: TestContext, answer: (path: string) => object): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    const given = answer(new URL(request.url!, 'http://localhost').pathname)
    const { status, body } = 'status' in given ? (given as Answer) : { status: 200, body: given }
    response.writeHead(status, { 'Retry-After': '0' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
