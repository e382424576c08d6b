import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import type { Page } from '../../src/engine/finding/list/page.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { openConnection } from '../../src/store/open.ts'
import { everything } from '../../src/store/visibility.ts'
import { ReadThread } from '../../src/threads/read-thread-handle.ts'
import { ReadThreads } from '../../src/threads/read-threads.ts'
import { assertError, type Client } from '../support/client.ts'
import type { Company } from '../support/company.ts'
import { make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const path = '/api-v1-organizations'
const listing = {
  ...{ name: 'organization', table: 'organization', counted: true, json: 'record', withItems: false },
  ...{ order: [{ column: 'id', index: 'sqlite_autoindex_organization_1', descending: true, nullable: false }] },
  ...{ limit: 1, offset: 0, place: undefined },
  // so costly by estimate that it can be stopped
  where: [
    {
      sql: '1',
      params: [],
      index: 'sqlite_autoindex_organization_1',
      parameter: 'name',
      cost: 1_000_000,
      texts: { items: [], long: [] },
    },
  ],
}

/** Enough records for every list with a filter to run on a thread. */
const many = 2_500

/** Fifty slow filters. */
const worst = `${path}?${Array.from({ length: 50 }, (_, at) => `name[like]=${'a'.repeat(200 + at)}b`).join('&')}`

async function fill({ store }: Server, { client }: Company, name: string, count = many): Promise<number> {
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  const values = { ...Object.fromEntries(Object.keys(organization.fields).map((field) => [field, null])) }
  await store.write(workspaceId, (tx) => {
    const input = { values: { ...values, name, status: 'lead', metadata: '{}' }, items: {} }
    for (let row = 0; row < count; row++) insert(organization, tx, input, {})
  })
  return workspaceId
}

async function startFilled(t: TestContext, listMs?: number): Promise<{ server: Server; client: Client }> {
  const server = await start(t, { ...(listMs !== undefined && { limits: { listMs } }) })
  const company = await server.company('Acme')
  await fill(server, company, `${'a'.repeat(480)}b`)
  return { server, client: company.client }
}

test('A list that takes too long returns 503 and names the filter to narrow; the next one is served', async (t) => {
  const { client } = await startFilled(t, 20)

  const response = await client.get(worst)

  assertError(response, 503, 'SERVICE_UNAVAILABLE')
  assert.match(response.body.error.message, /^The list took longer than 0.02 s: narrow the filter name\[like\]/)
  assert.equal(response.headers.get('retry-after'), '1')
  await until('the next list is served', async () => (await client.get(`${path}?status=lead&limit=1`)).status, {
    is: (status) => status === 200,
  })
})

test('A long summary runs on a thread, and returns 503 if it takes too long', async (t) => {
  const offThread = t.mock.method(ReadThreads.prototype, 'run')
  const [{ client }, hurried] = [await startFilled(t), await startFilled(t, 20)]
  const summary = `${path}/summary?group_by=name,status`

  const { body } = await client.get(summary)
  const late = await hurried.client.get(worst.replace(`${path}?`, `${summary}&`))

  assert.deepEqual(body.data, [{ group: { name: `${'a'.repeat(480)}b`, status: 'lead' }, count: many }])
  assertError(late, 503, 'SERVICE_UNAVAILABLE')
  assert.match(late.body.error.message, /^The summary took longer than 0.02 s: narrow the filter name\[like\]/)
  assert.equal(offThread.mock.callCount(), 2)
})

test('A list of few records runs on a thread if it is sorted by many declared fields', async (t) => {
  const offThread = t.mock.method(ReadThreads.prototype, 'run')
  const server = await start(t)
  const company = await server.company('Acme')
  const keys = Array.from({ length: 10 }, (_, at) => `field_${at}`)
  await make(company.client, 'field', ...keys.map((key) => ({ resource: 'organization', key, type: 'text' })))
  await fill(server, company, 'Acme', 600)
  const sort = keys.map((key) => `metadata.${key}`).join()

  const { body: first } = await company.client.get(`${path}?sort=${sort}`)
  const { body: second } = await company.client.get(`${path}?sort=${sort}&cursor=${first.pagination.next_cursor}`)
  await company.client.get(`${path}?sort=metadata.field_0`)

  assert.equal(first.pagination.total, 600)
  assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 100)
  assert.equal(offThread.mock.callCount(), 2)
})

test('A list that waits too long for others of its workspace returns 503 and says so', async (t) => {
  const { client } = await startFilled(t, 20)

  const responses = await Promise.all([1, 2, 3].map(() => client.get(worst)))

  const waited = responses.filter(({ body }) => /waited for other long lists/.test(body.error?.message))
  assert.equal(waited.length, 2)
})

test('While one company runs its slowest lists, the list of another is served between them', async (t) => {
  const { server, client } = await startFilled(t)
  const other = await server.company('Globex')
  await fill(server, other, 'Globex')
  await other.client.get(`${path}?status=lead&name=x`) // its thread has started
  const ended: string[] = []
  const long = [1, 2, 3, 4].map(() => client.get(worst).then(() => ended.push('worst')))

  const response = await other.client.get(`${path}?name=Globex&status=lead`)
  ended.push('other')

  assert.equal(response.body.pagination.total, many)
  await Promise.all(long)
  assert.ok(ended.indexOf('other') < 2, ended.join())
})

test('A thread that is ended while it starts does not abort the process: it ends once it has loaded SQLite', async (t) => {
  const server = await start(t)
  const thread = new ReadThread({ path: `${server.directory}/kontor.db` })

  const read = thread.run({ workspaceId: 1, viewer: everything, reading: 'list', question: listing })
  const [found] = await Promise.all([read, thread.close()])

  assert.equal((found as Page).total, 0)
})

test('A stopped read fails at its next row, and its thread runs the next one', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const workspaceId = await fill(server, company, 'Acme')
  const thread = new ReadThread({ path: `${server.directory}/kontor.db` })
  t.after(() => thread.close())
  const asked = { workspaceId, viewer: everything as typeof everything, reading: 'list', question: listing }

  const stopped = thread.run(asked)
  thread.stop()
  await assert.rejects(stopped, /The read was stopped/)

  const found = (await thread.run({ ...asked })) as Page
  assert.equal(found.total, many)
})

test('A list over a damaged index returns 503 on a thread, as it does on the event loop', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  await fill(server, company, 'Acme')
  garble(server, 'organization_status')

  const response = await company.client.get(`${path}?status=lead&name[ne]=x`)

  assertError(response, 503, 'SERVICE_UNAVAILABLE')
})

test('A `like` filter returns exactly the matching records for any pattern', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const name of ['Alpha Beta', 'Beta Alpha', '100% [x]', 'back\\slash_', 'aab'])
    await make(client, 'organization', { name })
  const found = async (pattern: string) => {
    const { body } = await client.get(`${path}?name[like]=${encodeURIComponent(pattern)}&sort=name`)
    return body.data.map((each: { name: string }) => each.name)
  }

  assert.deepEqual(await found('alpha%beta'), ['Alpha Beta'])
  assert.deepEqual(await found('%a%a%a%'), ['Alpha Beta', 'Beta Alpha'])
  assert.deepEqual(await found('a%a%b'), ['aab', 'Alpha Beta'])
  assert.deepEqual(await found('_'), ['back\\slash_'])
  assert.deepEqual(await found('[x]'), ['100% [x]'])
  assert.deepEqual(await found('\\s'), ['back\\slash_'])
  assert.equal((await found('%')).length, 5)
  assert.deepEqual(await found('ab%ab'), [])
})

/** Checkpoints and then overwrites the pages of an index in the file. */
function garble({ store, directory }: Server, index: string): void {
  const db = openConnection(`${directory}/kontor.db`, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const root = store.access.value<number>('SELECT rootpage FROM sqlite_schema WHERE name = ?', index)!
  const fd = openSync(`${directory}/kontor.db`, 'r+')
  writeSync(fd, Buffer.alloc(4096, 'garbage'), 0, 4096, (root - 1) * 4096)
  closeSync(fd)
}
