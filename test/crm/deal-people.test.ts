import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { verifyLog } from '../../src/changes/verify.ts'
import { loggedResources } from '../../src/features/index.ts'
import { assertError, type Client } from '../support/client.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision T2 */
test('People on a deal', async (t) => {
  const server = await start(t)
  const people = async (names: string) => {
    const { client } = await server.company('Acme')
    const made: JsonRecord[] = []
    for (const first_name of names) made.push(await make(client, 'contact', { first_name, last_name: null }))
    return { client, made, deal: await make(client, 'deal') }
  }
  const path = (deal: JsonRecord, contact: JsonRecord) => `/api-v1-deals/${deal.id}/contacts/${contact.id}`
  const shown = async (client: Client, { id }: JsonRecord) => {
    const { data } = (await client.get(`/api-v1-deals/${id}?include=contacts`)).body
    return data.contacts.map(({ first_name, role }: JsonRecord) =>
      role === null ? first_name : `${first_name} ${role}`,
    )
  }
  const newest = async (client: Client, { id }: JsonRecord): Promise<JsonRecord> =>
    (await client.get(`/api-v1-deals/${id}/history`)).body.data[0]

  await t.test('PUT adds a person, changes the role, and returns the deal with its people', async () => {
    const { client, made, deal } = await people('AB')
    const [a, b] = [made[0]!, made[1]!]

    const { status, body } = await client.put(path(deal, a), { role: ' Buyer ' })
    assert.equal(status, 200)
    const ada = { id: a.id, first_name: 'A', last_name: null, role: 'Buyer' }
    assert.deepEqual([body.data.contacts, body.data.contact_id, body.data.title], [[ada], null, deal.title])
    await client.put(path(deal, b), {})
    assert.deepEqual(await shown(client, deal), ['A Buyer', 'B'])
    await client.put(path(deal, a), { role: 'Boss' })
    assert.deepEqual(await shown(client, deal), ['A Boss', 'B'])
    const list = (await client.get('/api-v1-deals?include=contacts')).body.data
    assert.deepEqual(
      list[0].contacts.map(({ role }: JsonRecord) => role),
      ['Boss', null],
    )
    assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).body.data.contacts, undefined)
    assert.equal((await client.delete(path(deal, a))).body.data.contacts.length, 1)
    assertError(await client.delete(path(deal, a)), 404, 'NOT_FOUND')
  })

  await t.test('An unknown deal or contact is 404, an invalid role 400, and a key that reads only 403', async () => {
    const { client, made, deal } = await people('A')
    assertError(await client.put(path(deal, deal), {}), 404, 'NOT_FOUND', 'Contact not found')
    assertError(await client.put(path(made[0]!, made[0]!), {}), 404, 'NOT_FOUND', 'Deal not found')
    for (const role of [5, 'x'.repeat(501)]) {
      assertError(await client.put(path(deal, made[0]!), { role }), 400, 'VALIDATION_ERROR', undefined, ['role'])
    }
    const reader = await (await server.company('Beta')).key({ scopes: ['read:deals'] })
    assertError(await reader.put(path(deal, made[0]!), {}), 403, 'INSUFFICIENT_PERMISSIONS')
  })

  await t.test('An import takes the roles that PUT takes, and refuses the others with the same code', async () => {
    const { client, made, deal } = await people('A')
    const [person] = made
    const roles = ['😀'.repeat(500), ` ${'x'.repeat(500)} `, '', null, 'x'.repeat(501), 'a\0b', 5]
    const put: (string | undefined)[] = []
    for (const role of roles) {
      const { body } = await client.put(path(deal, person!), { role })
      put.push(body.error?.details[0].code)
    }

    const { errors } = await importAll(
      client,
      'deals',
      roles.map((role) => ({ title: 'Imported', contacts: [{ id: person!.id, role }] })),
    )

    assert.deepEqual(put, [undefined, undefined, undefined, undefined, 'TOO_LONG', 'INVALID_FORMAT', 'INVALID_TYPE'])
    const codes = roles.map((_, at) => errors.find(({ row }: JsonRecord) => row === at + 1)?.code)
    assert.deepEqual(codes, put)
  })

  await t.test(
    'contact_id is the first person: setting it adds, changing or clearing it keeps, removing the person clears it',
    async () => {
      const { client, made, deal } = await people('ABC')
      const [a, b, c] = [made[0]!, made[1]!, made[2]!]
      const set = (contact_id: string | null) => client.patch(`/api-v1-deals/${deal.id}`, { contact_id })
      await client.put(path(deal, a), {})
      await set(b.id)
      assert.deepEqual(await shown(client, deal), ['B', 'A'])
      await set(c.id)
      assert.deepEqual(await shown(client, deal), ['C', 'A', 'B'])
      await client.put(path(deal, c), { role: 'Boss' })
      assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).body.data.contact_id, c.id)
      await set(null)
      assert.deepEqual(await shown(client, deal), ['A', 'B', 'C Boss'])
      await set(a.id)
      const { body } = await client.delete(path(deal, a))
      assert.deepEqual([body.data.contact_id, await shown(client, deal)], [null, ['B', 'C Boss']])
      const other = await make(client, 'deal', { contact_id: b.id })
      assert.deepEqual(await shown(client, other), ['B'])
    },
  )

  await t.test('A deal has at most 100 people', async () => {
    const { client, deal } = await people('')
    for (let n = 0; n < 100; n++) await client.put(path(deal, await make(client, 'contact')), {})
    const more = await make(client, 'contact')

    assertError(await client.put(path(deal, more), {}), 409, 'CONFLICT')
    assertError(await client.patch(`/api-v1-deals/${deal.id}`, { contact_id: more.id }), 409, 'CONFLICT')
  })

  await t.test('people_id filters by anyone on the deal, contact_id by the first person', async () => {
    const { client, made, deal } = await people('ABC')
    const [a, b, c] = [made[0]!, made[1]!, made[2]!]
    const other = await make(client, 'deal', { contact_id: b.id })
    await client.put(path(deal, a), {})
    await client.put(path(other, a), {})
    const found = async (query: string) =>
      (await client.get(`/api-v1-deals?${query}`)).body.data
        .map(({ id }: JsonRecord) => (id === deal.id ? 'deal' : 'other'))
        .sort()

    assert.deepEqual(await found(`people_id=${a.id}`), ['deal', 'other'])
    assert.deepEqual(await found(`people_id=${b.id}`), ['other'])
    assert.deepEqual(await found(`people_id[ne]=${b.id}`), ['deal'])
    assert.deepEqual(await found(`people_id[in]=${b.id},${c.id}`), ['other'])
    assert.deepEqual(await found(`people_id=${c.id}`), [])
    assert.deepEqual(await found(`contact_id=${a.id}`), [])
    assert.deepEqual((await client.get(`/api-v1-deals/summary?people_id=${a.id}`)).body.data[0].count, 2)

    await client.delete(`/api-v1-contacts/${a.id}`)
    assert.deepEqual(await found(`people_id=${a.id}`), [])
    assert.deepEqual(await found(`people_id[ne]=${a.id}`), ['deal', 'other'])
    await client.post(`/api-v1-trash/${a.id}/restore`, {})
    assert.deepEqual(await found(`people_id=${a.id}`), ['deal', 'other'])
    assertError(await client.get('/api-v1-deals?people_id=x'), 400, 'VALIDATION_ERROR', undefined, ['people_id'])
    assertError(await client.get(`/api-v1-deals?people_id[gt]=${a.id}`), 400, 'VALIDATION_ERROR')
  })

  await t.test('The log, the snapshot and as_of have the people, and an undo returns them', async () => {
    const { client, made, deal } = await people('AB')
    const [a, b] = [made[0]!, made[1]!]
    await client.put(path(deal, a), { role: 'Buyer' })
    const put = await newest(client, deal)
    const link = { id: a.id, role: 'Buyer' }
    assert.deepEqual([put.type, put.changed, put.previous], ['deal.updated', ['contacts'], { contacts: [] }])
    assert.deepEqual(put.data.contacts, [link])
    await client.put(path(deal, a), { role: 'Buyer' })
    assert.equal((await newest(client, deal)).seq, put.seq)
    await client.patch(`/api-v1-deals/${deal.id}`, { contact_id: b.id })
    const set = await newest(client, deal)
    assert.deepEqual([set.changed, set.previous.contacts], [['contacts', 'contact_id'], [link]])

    const lines: string = (await client.get('/api-v1-snapshot?types=deal')).body
    const { data } = JSON.parse(lines.split('\n').find((line) => line.includes('"resource":"deal"'))!)
    assert.deepEqual(data.contacts, [link, { id: b.id, role: null }])
    const asOf = async (query: string) =>
      (await client.get(`/api-v1-deals/${deal.id}?as_of=${put.seq}${query}`)).body.data
    assert.deepEqual((await asOf('&include=contacts')).contacts, [
      { id: a.id, first_name: 'A', last_name: null, role: 'Buyer' },
    ])
    assert.equal((await asOf('')).contacts, undefined)

    await client.post('/api-v1-undo', { seq: set.seq })
    assert.deepEqual(await shown(client, deal), ['A Buyer'])
    await client.delete(path(deal, a))
    await client.post('/api-v1-undo', { seq: (await newest(client, deal)).seq })
    assert.deepEqual(await shown(client, deal), ['A Buyer'])
  })

  await t.test('Deleted people are hidden and return on restore, and deals in the trash keep theirs', async () => {
    const { client, made, deal } = await people('AB')
    const [a, b] = [made[0]!, made[1]!]
    await client.put(path(deal, a), { role: 'Buyer' })
    await client.put(path(deal, b), {})
    await client.delete(`/api-v1-contacts/${a.id}`)
    assert.deepEqual(await shown(client, deal), ['B'])
    assertError(await client.delete(path(deal, a)), 404, 'NOT_FOUND')
    await client.delete(`/api-v1-deals/${deal.id}`)
    for (const { id } of [a, deal]) await client.post(`/api-v1-trash/${id}/restore`, {})

    assert.deepEqual(await shown(client, deal), ['A Buyer', 'B'])
    await client.delete(`/api-v1-deals/${deal.id}`)
    await client.delete(`/api-v1-trash/${deal.id}`)
  })

  await t.test(
    "A merge of contacts keeps the survivor's role, otherwise the other's, and an undo takes it back",
    async () => {
      const { client, made, deal } = await people('ABCD')
      const [a, b, c] = [made[0]!, made[1]!, made[2]!]
      const both = await make(client, 'deal', { contact_id: b.id })
      await client.put(path(deal, c), {})
      await client.put(path(deal, b), { role: 'Buyer' })
      await client.put(path(both, a), { role: 'Boss' })
      await client.put(path(both, b), { role: 'Buyer' })

      const merged = await client.post(`/api-v1-contacts/${a.id}/merge`, { with: [b.id] })
      assert.equal(merged.status, 200)
      assert.deepEqual(await shown(client, deal), ['C', 'A Buyer'])
      assert.deepEqual(await shown(client, both), ['A Boss'])
      assert.equal((await client.get(`/api-v1-deals/${both.id}`)).body.data.contact_id, a.id)

      const { request_id } = (await client.get('/api-v1-changes?after=start&limit=1000')).body.data.at(-1)
      const { errored } = (await client.post('/api-v1-undo', { request_id })).body.data
      assert.deepEqual(errored, [])
      assert.deepEqual(await shown(client, deal), ['C', 'B Buyer'])
      assert.deepEqual(await shown(client, both), ['B Buyer', 'A Boss'])
    },
  )

  await t.test('If-Match works with the tag of a deal with its people', async () => {
    const { client, made, deal } = await people('A')
    const headers = async () => ({
      'If-Match': (await client.get(`/api-v1-deals/${deal.id}?include=contacts`)).headers.get('etag')!,
    })
    const former = await headers()
    assert.equal((await client.put(path(deal, made[0]!), {}, former)).status, 200)
    server.clock.advance(1_000)
    assert.equal((await client.patch(`/api-v1-deals/${deal.id}`, { title: 'New' }, await headers())).status, 200)
    assertError(await client.put(path(deal, made[0]!), { role: 'Late' }, former), 412, 'CONFLICT')
  })
  await t.test('The log leads to the people that there are', () => {
    for (const id of listWorkspaceIds(server.store.access)) {
      assert.deepEqual([...verifyLog(loggedResources, server.store.workspace(id))], [])
    }
  })
})
