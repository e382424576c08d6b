import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { activity } from '../../src/crm/activity.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import type { Client } from '../support/client.ts'
import { ConnectionError } from '../support/exchange.ts'
import { make } from '../support/make.ts'
import { openRaw } from '../support/raw.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const records = 30
const description = 'ü'.repeat(50_000)

/** Creates activities of 100 KB each. Returns the path of the list that shows them all: 3 MB. */
async function makeLong(client: Client): Promise<string> {
  for (let number = 0; number < records; number++) {
    await make(client, 'activity', { type: 'note', subject: `Note ${number}`, description })
  }
  return '/api-v1-activities?sort=created_at:asc'
}

/** Inserts more text than the kernel buffers: 30 MB. */
async function insertNotes({ store }: Server, client: Client, count: number): Promise<void> {
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  const values = { type: 'note', description: 'x'.repeat(100_000), metadata: JSON.stringify({ x: 'x'.repeat(60_000) }) }
  const none = Object.fromEntries(Object.keys(activity.fields).map((name) => [name, null]))
  await store.write(workspaceId, (tx) => {
    for (let row = 0; row < count; row++) insert(activity, tx, { values: { ...none, ...values }, items: {} }, {})
  })
}

describe('A page of more than a MiB', { concurrency: true, timeout: 60_000 }, () => {
  test('A page of more than a MiB is complete, ordered and valid JSON, also with a cursor and includes', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const list = await makeLong(client)

    const page = await client.get(`${list}&include=organization,user`)
    const first = await client.get(`${list}&limit=20`)
    const rest = await client.get(`${list}&limit=20&cursor=${first.body.pagination.next_cursor}`)

    const subjects = Array.from({ length: records }, (_, number) => `Note ${number}`)
    const subjectsOf = ({ body }: typeof page) => body.data.map((each: { subject: string }) => each.subject)
    assert.deepEqual(subjectsOf(page), subjects)
    assert.deepEqual([...subjectsOf(first), ...subjectsOf(rest)], subjects)
    assert.ok(page.body.data.every((each: { description: string }) => each.description === description))
    const { total, has_more, next_cursor } = page.body.pagination
    assert.deepEqual([total, has_more, next_cursor], [records, false, null])
    assert.equal(rest.body.pagination.next_cursor, null)
  })

  test('A page of more than a MiB shows contacts with many long items completely', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const phones = Array.from({ length: 100 }, (_, number) => ({ phone_number: `${number} ${'☎'.repeat(400)}` }))
    for (let number = 0; number < 10; number++) await make(client, 'contact', { first_name: `Ada ${number}`, phones })

    const { body } = await client.get('/api-v1-contacts?include=phones,emails&sort=first_name')

    assert.equal(body.data.length, 10)
    assert.ok(body.data.every((each: { contact_phones: unknown[] }) => each.contact_phones.length === 100))
  })

  test('A page of more than a MiB shows a record that is deleted while it is being sent', async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const metadata = { large: 'x'.repeat(60_000) }
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, number) => make(client, 'organization', { name: `Org ${number}`, metadata })),
    )
    const connection = openRaw(server.url)
    connection.write(
      `GET /api-v1-organizations?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nConnection: close\r\n\r\n`,
    )
    await connection.until('200 OK')
    connection.socket.pause()

    for (const { id } of made) assert.equal((await client.delete(`/api-v1-organizations/${id}`)).status, 200)
    connection.socket.resume()

    const received = await connection.closed()
    assert.equal(received.match(/"name":"Org \d+"/g)?.length, 100)
  })

  test('The number of clients that read long pages with one key is limited (429), and a client that has stopped reading is disconnected', async (t) => {
    const server = await start(t, { limits: { stallMs: 3_000 } })
    const { client } = await server.company('Acme')
    await insertNotes(server, client, 200)
    const list = '/api-v1-activities?limit=200'
    const unread = [1, 2, 3, 4].map(() => openRaw(server.url))
    for (const each of unread) {
      each.socket.pause()
      each.write(`GET ${list} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`)
    }
    const probe = () => client.request('HEAD', list).catch(unlessReset)

    const refused = await until('a request is refused', probe, { is: (response) => response?.status === 429 })
    assert.equal(refused!.headers.get('retry-after'), '1')

    await until('the server has disconnected them', async () => (await probe())?.status, {
      is: (status) => status === 200,
    })
  })

  test('HEAD for a page of more than a MiB returns no body', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const list = await makeLong(client)

    const response = await client.request('HEAD', list)

    assert.deepEqual([response.status, response.body], [200, undefined])
  })
})

/** The server may close an idle connection when the next request is on its way. */
function unlessReset(error: unknown): undefined {
  if (!(error instanceof ConnectionError)) throw error
}
