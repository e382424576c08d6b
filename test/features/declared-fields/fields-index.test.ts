import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../../src/store/migrations/index.ts'
import { openConnection } from '../../../src/store/open.ts'
import { assertError, type Client, clientFor } from '../../support/client.ts'
import { addContact, declareField, fieldsPath, namesOf } from '../../support/fields.ts'
import { runBatches } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

const contactsPath = '/api-v1-contacts'

test('Deleting, restoring, erasing and undoing records keeps the values of declared fields right', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'n', 'number')
  const [a, b] = [await addContact(client, 'a', { n: 1 }), await addContact(client, 'b', { n: 2 })]
  const sorted = () => namesOf(client, 'sort=-metadata.n')
  const undo = async (seq: number) => assert.equal((await client.post('/api-v1-undo', { seq })).status, 200)
  const latest = async () => (await client.get('/api-v1-changes')).body.latest_seq

  await client.delete(`${contactsPath}/${a.id}`)
  assert.deepEqual([await sorted(), await namesOf(client, 'metadata.n=1')], [['b'], []])
  await client.post(`/api-v1-trash/${a.id}/restore`, {})
  assert.deepEqual([await sorted(), await namesOf(client, 'metadata.n=1')], [['b', 'a'], ['a']])
  await client.patch(`${contactsPath}/${a.id}`, { metadata: { n: 3 } })
  assert.deepEqual(await sorted(), ['a', 'b'])
  await undo(await latest())
  assert.deepEqual(await sorted(), ['b', 'a'])
  await client.patch(`${contactsPath}/${b.id}`, { metadata: {} })
  assert.deepEqual([await sorted(), await namesOf(client, 'metadata.n=null')], [['a', 'b'], ['b']])
  await client.delete(`${contactsPath}/${b.id}`)
  await client.delete(`/api-v1-trash/${b.id}`)
  assert.deepEqual([await sorted(), await namesOf(client, 'metadata.n=null')], [['a'], []])
})

test('A deleted field is unknown to lists, and a restored or undone one finds everything again', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await declareField(client, 'n', 'number', { unique: true })
  await addContact(client, 'a', { n: 1 })

  await client.delete(`${fieldsPath}/${id}`)
  const unknown = await client.get(`${contactsPath}?metadata.n=1`)
  await addContact(client, 'b', { n: 2 })
  await client.post(`/api-v1-trash/${id}/restore`, {})
  const restored = await namesOf(client, 'sort=metadata.n&metadata.n[gte]=1')
  await client.delete(`${fieldsPath}/${id}`)
  await addContact(client, 'c', { n: 2 })
  const refused = await client.post(`/api-v1-trash/${id}/restore`, {})
  await declareField(client, 'N', 'text')
  const clash = await client.post(`/api-v1-trash/${id}/restore`, {})

  assertError(unknown, 400, 'VALIDATION_ERROR', undefined, ['metadata.n'])
  assert.deepEqual(restored, ['a', 'b'])
  assertError(refused, 409, 'CONFLICT')
  assertError(clash, 409, 'CONFLICT')
  assert.deepEqual(await namesOf(client, 'metadata.N=null&sort=first_name'), ['a', 'b', 'c'])
})

test('A field that is declared again with another type is indexed by the new one, and old cursors are refused', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await declareField(client, 'v', 'text')
  for (const [name, v] of Object.entries({ a: '2', b: 10, c: 9, d: '1' })) await addContact(client, name, { v })
  const first = await client.get(`${contactsPath}?sort=metadata.v&limit=1`)

  assert.deepEqual(await namesOf(client, 'sort=metadata.v', 2), ['b', 'c', 'd', 'a'])
  await client.delete(`${fieldsPath}/${id}`)
  await declareField(client, 'v', 'number')
  assert.deepEqual(await namesOf(client, 'sort=metadata.v', 2), ['a', 'd', 'c', 'b'])
  const old = await client.get(`${contactsPath}?sort=metadata.v&limit=1&cursor=${first.body.pagination.next_cursor}`)
  assertError(old, 400, 'VALIDATION_ERROR', undefined, ['cursor'])
})

test('The resource, the key and the type of a field never change; other options index it again', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await declareField(client, 'tier', 'choice', { options: ['a', 'b'] })
  for (const tier of ['a', 'b', 'c']) await addContact(client, tier, { tier })

  const fixed = await client.patch(`${fieldsPath}/${id}`, { resource: 'deal', key: 'other', type: 'text', label: 'L' })
  const before = await namesOf(client, 'sort=metadata.tier')
  const patched = await client.patch(`${fieldsPath}/${id}`, { options: ['c', 'b', 'a'] })
  const after = await namesOf(client, 'sort=metadata.tier')
  const { body } = await client.get('/api-v1-changes')
  await client.post('/api-v1-undo', { seq: body.latest_seq })

  const { resource, key, type, label } = fixed.body.data
  assert.deepEqual([resource, key, type, label], ['contact', 'tier', 'choice', 'L'])
  assert.deepEqual(
    [before, patched.body.data.options, after],
    [
      ['c', 'a', 'b'],
      ['c', 'b', 'a'],
      ['c', 'b', 'a'],
    ],
  )
  assert.deepEqual(await namesOf(client, 'sort=metadata.tier'), ['c', 'a', 'b'])
  assertError(await client.get(`${contactsPath}?metadata.tier=c`), 400, 'VALIDATION_ERROR')
})

test('Fields that are not valid are refused', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const valid = { resource: 'contact', key: 'k', type: 'text' }
  const faults: [body: object, field: string][] = [
    [{ resource: 'user' }, 'resource'],
    [{ key: '1k' }, 'key'],
    [{ key: 'a.b' }, 'key'],
    [{ key: 'k'.repeat(51) }, 'key'],
    [{ type: 'money' }, 'type'],
    [{ options: 'a' }, 'options'],
    [{ options: [' '] }, 'options'],
    [{ options: ['a', 5] }, 'options[1]'],
    [{ options: Array.from({ length: 101 }, (_, n) => `o${n}`) }, 'options'],
    [{ options: ['o'.repeat(101)] }, 'options'],
    [{ unique: 1 }, 'unique'],
    [{ position: -1 }, 'position'],
  ]

  for (const [fault, field] of faults) {
    assertError(await client.post(fieldsPath, { ...valid, ...fault }), 400, 'VALIDATION_ERROR', undefined, [field])
  }
  await declareField(client, 'k', 'text')
  for (const key of ['k', 'K']) {
    assertError(await client.post(fieldsPath, { ...valid, key }), 409, 'ALREADY_EXISTS', undefined, ['key'])
  }
})

test('A cursor over a declared field returns each record that stays once, while others change', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'n', 'number')
  const made = []
  for (let n = 0; n < 30; n++) made.push(await addContact(client, `s${n}`, n % 3 === 0 ? {} : { n: n % 5 }))
  const moved = await addContact(client, 'moved', { n: -1 })

  for (const sort of ['metadata.n', '-metadata.n', 'metadata.n,-first_name']) {
    const seen = await readWhileChanging(client, sort, moved.id)

    assert.deepEqual(seen.filter((name) => name.startsWith('s')).sort(), made.map((each) => each.first_name).sort())
  }
})

/** Reads pages of four. After each, a record is created, one is changed, and one is deleted. */
async function readWhileChanging(client: Client, sort: string, movedId: string): Promise<string[]> {
  const names: string[] = []
  let cursor = ''
  for (let page = 0; cursor !== 'cursor=null'; page++) {
    const { body } = await client.get(`${contactsPath}?sort=${sort}&limit=4&${cursor}`)
    names.push(...body.data.map((each: { first_name: string }) => each.first_name))
    cursor = `cursor=${body.pagination.next_cursor}`
    const { id } = await addContact(client, 'x', { n: page })
    await client.patch(`${contactsPath}/${movedId}`, { metadata: { n: page } })
    if (page % 2 === 0) await client.delete(`${contactsPath}/${id}`)
  }
  return names
}

test('A view may filter and sort by a declared field, and is broken while there is none', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const saved = {
    name: 'V',
    resource: 'contact',
    filter: 'metadata.n[gte]=2',
    sort: '-metadata.n',
    visibility: 'shared',
  }
  const early = await client.post('/api-v1-views', saved)
  const { id } = await declareField(client, 'n', 'number')
  for (const n of [1, 2, 3]) await addContact(client, `c${n}`, { n })

  const { body } = await client.post('/api-v1-views', saved)
  const names = await namesOf(client, `view=${body.data.id}`)
  await client.delete(`${fieldsPath}/${id}`)
  const broken = await client.get(`/api-v1-views/${body.data.id}`)

  assertError(early, 400, 'VALIDATION_ERROR', undefined, ['filter', 'sort'])
  assert.deepEqual([names, body.data.broken, broken.body.data.broken], [['c3', 'c2'], false, true])
})

test('A view whose columns name a declared field is broken while it is removed, and a key that was never declared is a column', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const field = `${fieldsPath}/${(await declareField(client, 'n', 'number')).id}`
  const saved = { name: 'V', resource: 'contact', columns: ['metadata.n', 'metadata.free'] }
  const path = `/api-v1-views/${(await client.post('/api-v1-views', saved)).body.data.id}`
  const isBroken = async () => (await client.get(path)).body.data.broken

  const before = await isBroken()
  await client.delete(field)
  const removed = await isBroken()
  const again = await client.post('/api-v1-views', { ...saved, name: 'W' })
  await declareField(client, 'n', 'number')

  assert.deepEqual([before, removed, await isBroken()], [false, true, false])
  assertError(again, 400, 'VALIDATION_ERROR', undefined, ['columns'])
})

test('An upgrade indexes values again that have spaces around them', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  await declareField(client, 'vat', 'text')
  const { id } = await addContact(client, 'a', { tax: ' x\u3000', vat: 'y' })
  await server.stop()
  const db = openConnection(server.path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  db.exec(`UPDATE field_value SET key = ' x\u3000', text = key WHERE key = 'x'`)
  const due = () => db.prepare('SELECT key FROM field_index WHERE reached IS NOT NULL').pluck().all()
  db.exec(migrations.find(({ version }) => version === 21)!.sql)
  assert.deepEqual(due(), ['tax'])
  db.close()

  const { store, url } = await start(t, { directory: server.directory, work: 'nowhere' })
  await runBatches(store)

  const upgraded = clientFor(url, { id: client.keyId, key: client.key })
  assert.deepEqual(await namesOf(upgraded, 'metadata.tax=x'), ['a'])
  const again = await upgraded.post('/api-v1-contacts', { first_name: 'b', metadata: { tax: 'x' } })
  assertError(again, 409, 'ALREADY_EXISTS', `Contact with this metadata.tax already exists: ${id}`)
})
