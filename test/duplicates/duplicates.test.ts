import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateCompany } from '../../src/access/company.ts'
import { contacts, organizations } from '../merge/merging.ts'
import { assertError, type Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

async function groupsOf(client: Client, path: string): Promise<JsonRecord[]> {
  const { status, body } = await client.get(`${path}/duplicates`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const idsOf = (...records: JsonRecord[]) => records.map(({ id }) => id)

test('Contacts with the same email in any case are duplicates', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const ada = await make(client, 'contact', { emails: [{ email: 'ada@kontor.example' }] })
  const also = await make(client, 'contact', {
    emails: [{ email: 'x@kontor.example' }, { email: 'ADA@Kontor.example' }],
  })
  await make(client, 'contact', { emails: [{ email: 'adam@kontor.example' }] })

  assert.deepEqual(await groupsOf(client, contacts), [
    { reason: 'email', value: 'ada@kontor.example', count: 2, ids: idsOf(ada, also) },
  ])
})

test('Contacts with the same telephone number in any notation are duplicates, and a contact is none of itself', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const phones = (...numbers: string[]) => ({ phones: numbers.map((phone_number) => ({ phone_number })) })
  const ada = await make(client, 'contact', phones('+49 89 123-456', '0049 89 123456'))
  assert.deepEqual(await groupsOf(client, contacts), [])

  const also = await make(client, 'contact', phones('+4989123456'))

  assert.deepEqual(await groupsOf(client, contacts), [
    { reason: 'phone', value: '+49 89 123-456', count: 2, ids: idsOf(ada, also) },
  ])
})

test('A national number is a duplicate of the international one in the country of the company', async (t) => {
  const server = await start(t)
  const { client, id } = await server.company('Acme')
  const phone = (phone_number: string) => ({ phones: [{ phone_number }] })
  const ada = await make(client, 'contact', phone('089 12345678'))
  const also = await make(client, 'contact', phone('+49 (0)89 12345678'))
  await make(client, 'contact', phone('+43 89 12345678'))
  assert.deepEqual(await groupsOf(client, contacts), [])

  await server.store.writeAccess((tx) => updateCompany(tx, id, { phone_country: 'DE' }))

  const [group, ...others] = await groupsOf(client, contacts)
  assert.deepEqual([group.reason, group.ids, others], ['phone', idsOf(ada, also), []])
})

test('Texts that are no telephone number make no duplicates, whether the country of the company is known or not', async (t) => {
  const server = await start(t)
  const { client, id } = await server.company('Acme')
  for (const phone_number of ['n/a', '-', '000 000', 'ext. 12', 'unknown']) {
    await make(client, 'contact', ...[1, 2].map(() => ({ phones: [{ phone_number }] })))
  }
  assert.deepEqual(await groupsOf(client, contacts), [])

  await server.store.writeAccess((tx) => updateCompany(tx, id, { phone_country: 'DE' }))

  assert.deepEqual(await groupsOf(client, contacts), [])
})

test('Texts that are no domain make no duplicates', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const [at, domain] of ['n/a', 'n/a', '-', '-', 'none', 'none'].entries()) {
    const { headers } = await client.post('/api-v1-organizations', { name: `Company ${at}`, domain })
    assert.equal(headers.get('kontor-duplicate-of'), null)
  }

  assert.deepEqual(await groupsOf(client, organizations), [])
})

test('Contacts with the same name are duplicates only within one organization', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [one, two] = [await make(client, 'organization'), await make(client, 'organization', { name: 'Other' })]
  const named = (first_name: string, last_name: string | null, organization_id: string | null) =>
    make(client, 'contact', { first_name, last_name, organization_id })
  const ada = await named('Ada', 'Wéber', one.id)
  const also = await named('ADA', 'weber', one.id)
  const [bo, bob] = [await named('Bo', null, one.id), await named('bo', null, one.id)]
  await named('Ada', 'Weber', two.id)
  await named('Ada', 'Weber', null)
  await named('Ada', 'Weber', null)

  assert.deepEqual(await groupsOf(client, contacts), [
    { reason: 'name', value: 'Ada Wéber', count: 2, ids: idsOf(ada, also) },
    { reason: 'name', value: 'Bo', count: 2, ids: idsOf(bo, bob) },
  ])
})

test('Organizations with the same domain or folded name are duplicates, but accents tell domains apart', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const add = (name: string, domain: string | null) => make(client, 'organization', { name, domain })
  const first = await add('Müller', 'mueller.example')
  const second = await add('MULLER', 'Mueller.Example')
  const umlaut = await add('A', 'müller.example')
  await add('B', 'muller.example')
  const again = await add('C', 'MÜLLER.example')

  assert.deepEqual(await groupsOf(client, organizations), [
    { reason: 'domain', value: 'mueller.example', count: 2, ids: idsOf(first, second) },
    { reason: 'domain', value: 'müller.example', count: 2, ids: idsOf(umlaut, again) },
    { reason: 'name', value: 'Müller', count: 2, ids: idsOf(first, second) },
  ])
})

test('Deleted records are no duplicates, nor are those of another workspace', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const tests = await key({ environment: 'test' })
  const body = { emails: [{ email: 'ada@kontor.example' }] }
  const gone = await make(client, 'contact', body)
  await make(client, 'contact', body)
  await make(tests, 'contact', body)
  assert.equal((await groupsOf(client, contacts)).length, 1)

  await client.delete(`${contacts}/${gone.id}`)

  assert.deepEqual([await groupsOf(client, contacts), await groupsOf(tests, contacts)], [[], []])
})

test('Pages of any size show every group once, in the same order', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id: organization_id } = await make(client, 'organization')
  for (let n = 0; n < 14; n++) {
    const emails = [{ email: `a${n % 5}@kontor.example` }]
    await make(client, 'contact', { first_name: `Ada ${n % 7}`, organization_id, emails })
  }
  const all = await groupsOf(client, contacts)
  assert.equal(all.length, 12)

  for (const limit of [1, 2, 5, 11, 12]) {
    const found: JsonRecord[] = []
    let query = `limit=${limit}`
    for (let more = true; more; ) {
      const { data, pagination } = (await client.get(`${contacts}/duplicates?${query}`)).body
      assert.ok(data.length <= limit)
      found.push(...data)
      more = pagination.has_more
      query = `limit=${limit}&cursor=${pagination.next_cursor}`
    }
    assert.deepEqual(found, all)
  }
})

test('A large group lists its first hundred ids, and its exact size', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const made: JsonRecord[] = []
  for (let n = 0; n < 103; n++) made.push(await make(client, 'organization', { name: 'Acme' }))

  const [group] = await groupsOf(client, organizations)

  assert.deepEqual([group.count, group.ids], [103, idsOf(...made.slice(0, 100))])
})

test('Unknown parameters, invalid limits and the cursors of others are refused', async (t) => {
  const server = await start(t)
  const [{ client }, { client: other }] = [await server.company('Acme'), await server.company('Other')]
  for (const name of ['A', 'A', 'B', 'B']) await make(other, 'organization', { name })
  const { body } = await other.get(`${organizations}/duplicates?limit=1`)
  const cursor = body.pagination.next_cursor

  for (const query of ['page=2', 'limit=0', 'limit=x', 'cursor=x', `cursor=${cursor}`]) {
    assertError(await client.get(`${organizations}/duplicates?${query}`), 400, 'VALIDATION_ERROR')
  }
  assertError(await other.get(`${contacts}/duplicates?cursor=${cursor}`), 400, 'VALIDATION_ERROR')
})

test('Duplicates need the read scope of the records', async (t) => {
  const { key } = await (await start(t)).company('Acme')
  const client = await key({ scopes: ['read:contacts', 'write:organizations'] })

  assert.equal((await client.get(`${contacts}/duplicates`)).status, 200)
  assertError(await client.get(`${organizations}/duplicates`), 403, 'INSUFFICIENT_PERMISSIONS')
})
