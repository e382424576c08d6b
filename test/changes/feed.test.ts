import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { changesPath, largeMetadata, newestCursor, pageOf, typesIn } from './feed.ts'

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('The feed returns every change once, oldest first, in pages that continue at the cursor', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (let row = 0; row < 7; row++) await make(client, 'organization', { name: `Row ${row}` })

  const all = await pageOf(client)
  const paged: { seq: number }[] = []
  let page = await pageOf(client, '?limit=3')
  const sizes = [page.data.length]
  for (paged.push(...page.data); page.has_more; paged.push(...page.data)) {
    page = await pageOf(client, `?limit=3&after=${page.cursor}`)
    sizes.push(page.data.length)
  }

  const numbers = all.data.map(({ seq }: { seq: number }) => seq)
  assert.deepEqual(
    numbers,
    numbers.map((_: number, at: number) => at + 1),
  )
  assert.deepEqual(paged, all.data)
  assert.ok(sizes.slice(0, -1).every((size) => size === 3))
  assert.deepEqual([all.has_more, all.oldest_seq, all.latest_seq], [false, 1, numbers.length])
})

test('A limit above 1,000 is clamped', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await make(client, 'organization')

  const page = await pageOf(client, '?limit=100000&wait=0')

  assert.equal(page.data.at(-1).type, 'organization.created')
})

test('The feed returns the changes of some types, of a record, of an author or of a request', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const other = await key()
  const after = await newestCursor(client)
  const organization = await make(client, 'organization')
  await client.patch(`/api-v1-organizations/${organization.id}`, { name: 'New' }, { 'X-Request-Id': 'the-request' })
  const contact = await make(other, 'contact')
  await other.delete(`/api-v1-contacts/${contact.id}`)

  const found = async (query: string) => typesIn((await pageOf(client, `?after=${after}&${query}`)).data)

  const [made, edited] = ['organization.created', 'organization.updated']
  const [added, removed] = ['contact.created', 'contact.deleted']
  assert.deepEqual(await found('types=organization.*'), [made, edited])
  assert.deepEqual(await found('types=contact.deleted,organization.created'), [made, removed])
  assert.deepEqual(await found('types=deal.*'), [])
  assert.deepEqual(await found(`record_id=${contact.id}`), [added, removed])
  assert.deepEqual(await found(`record_id=${unknownId}`), [])
  assert.deepEqual(await found(`actor_id=${other.keyId}`), [added, removed])
  assert.deepEqual(await found(`actor_id=${unknownId}`), [])
  assert.deepEqual(await found('request_id=the-request'), [edited])
  assert.deepEqual(await found(`actor_id=${client.keyId}&types=organization.updated`), [edited])
})

test('A page that ends with changes of other types continues after them', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const after = await newestCursor(client)
  await make(client, 'contact')
  await make(client, 'organization')

  const page = await pageOf(client, `?after=${after}&types=contact.*`)

  assert.deepEqual([typesIn(page.data), page.has_more], [['contact.created'], false])
  assert.equal(page.cursor, await newestCursor(client))
})

test('payload=ids leaves out the former values and the record', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const after = await newestCursor(client)
  const { id } = await make(client, 'organization')

  const [[full], [short]] = await Promise.all(
    ['full', 'ids'].map(async (payload) => (await pageOf(client, `?after=${after}&payload=${payload}`)).data),
  )

  const { previous, data, ...rest } = full
  assert.deepEqual([previous, data.id], [null, id])
  assert.deepEqual(short, rest)
})

test('A page ends early if its changes are long, and the next one continues after it', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const after = await newestCursor(client)
  for (let count = 0; count < 120; count++) await make(client, 'organization', { metadata: largeMetadata })

  const first = await pageOf(client, `?after=${after}&limit=1000`)
  const second = await pageOf(client, `?after=${first.cursor}&limit=1000`)

  assert.deepEqual([first.has_more, first.data.at(-1).seq + 1], [true, second.data[0].seq])
  assert.ok(JSON.stringify(first).length < 8_388_608)
})

test('Invalid parameters are rejected together', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const query = '?limit=0&types=deal.sold&record_id=7&actor_id=x&wait=-1&payload=some&after=yesterday&since=now'

  const response = await client.get(`${changesPath}${query}`)

  const fields = ['since', 'after', 'limit', 'types', 'record_id', 'actor_id', 'wait', 'payload']
  assertError(response, 400, 'VALIDATION_ERROR', undefined, fields)
})
