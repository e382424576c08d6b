import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updateCompany } from '../../src/access/company.ts'
import { requirePhoneCountry } from '../../src/engine/records/phones/phone-country.ts'
import { assertError, type Client } from '../support/client.ts'
import { type Server, start } from '../support/start.ts'

const contacts = '/api-v1-contacts'

interface Office {
  client: Client
  /** Sets the country, or removes it. */
  in(country: string | null): Promise<void>
}

async function openIn(server: Server, country: string | null): Promise<Office> {
  const { id, client } = await server.company('Acme')
  const move = async (to: string | null) => {
    const phone_country = await requirePhoneCountry(to)
    await server.store.writeAccess((tx) => updateCompany(tx, id, { phone_country }))
  }
  await move(country)
  return { client, in: move }
}

async function open(t: TestContext, country: string | null): Promise<Office> {
  return openIn(await start(t), country)
}

/** Creates a contact for each number, named after it. */
async function enter(client: Client, numbers: readonly string[]): Promise<void> {
  for (const phone_number of numbers) {
    assert.equal((await client.post(contacts, { first_name: phone_number, phones: [{ phone_number }] })).status, 201)
  }
}

async function found(client: Client, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await client.get(`${contacts}?${new URLSearchParams({ sort: 'created_at', ...query })}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.pagination.total, body.data.length)
  return body.data.map(({ first_name }: { first_name: string }) => first_name)
}

async function searched(client: Client, q: string): Promise<string[]> {
  const { status, body } = await client.get(`/api-v1-search?${new URLSearchParams({ q, types: 'contact' })}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ matched }: { matched: { field: string; text: string }[] }) => {
    return matched.find(({ field }) => field === 'phone')?.text
  })
}

/** All are one number in its country. */
const notations: Record<string, readonly string[]> = {
  DE: ['089 123456', '+49 89 123456', '0049 89 123456', '+49 (0)89 123456', '+49 089 123456', '4989123456'],
  US: ['(212) 555-1234', '+1 212 555 1234', '1-212-555-1234', '001 212 5551234'],
  IT: ['06 1234 5678', '+39 06 1234 5678', '0039 06 12345678'],
  RU: ['8 (912) 345-67-89', '+7 912 345-67-89'],
  BR: ['(11) 96123-4567', '011 96123-4567', '+55 11 96123-4567'],
}

for (const [country, numbers] of Object.entries(notations)) {
  test(`In a company in ${country}, filters and searches find a number by each of its notations`, async (t) => {
    const { client } = await open(t, country)
    await enter(client, [...numbers, '+44 20 7946 0000'])

    for (const number of numbers) {
      assert.deepEqual(await found(client, { phone: number }), numbers, number)
      assert.deepEqual(await found(client, { 'phone[in]': `${number},030 1` }), numbers, number)
      assert.deepEqual(await found(client, { 'phone[ne]': number }), ['+44 20 7946 0000'], number)
      assert.deepEqual((await searched(client, number)).sort(), [...numbers].sort(), number)
    }
  })
}

test('Numbers abroad are found by the prefix that is dialled from the country', async (t) => {
  const { client } = await open(t, 'US')
  await enter(client, ['011 49 89 123456', '+49 89 123456', '089 123456'])

  assert.deepEqual(await found(client, { phone: '+49 89 123456' }), ['011 49 89 123456', '+49 89 123456'])
  assert.deepEqual(await found(client, { phone: '011 49 89 123456' }), ['011 49 89 123456', '+49 89 123456'])
})

test('In Italy, a number with a leading zero is not the one without it', async (t) => {
  const { client } = await open(t, 'IT')
  await enter(client, ['06 1234 5678', '+39 6 1234 5678', '347 123 4567', '0347 123 4567', '+39 347 123 4567'])

  assert.deepEqual(await found(client, { phone: '+39 06 1234 5678' }), ['06 1234 5678'])
  assert.deepEqual(await found(client, { phone: '+39 347 123 4567' }), ['347 123 4567', '+39 347 123 4567'])
})

test('An exact number in another notation is the first search result, before those that begin with it', async (t) => {
  const { client } = await open(t, 'DE')
  await enter(client, ['089 123456', '+43 1 4989123456', '+49 89 1234567'])

  assert.deepEqual(await searched(client, '+49 89 123456'), ['089 123456', '+49 89 1234567', '+43 1 4989123456'])
})

test('Extensions, letters, and numbers that are invalid in the country are compared by their digits', async (t) => {
  const { client } = await open(t, 'US')
  const numbers = ['+1 212 555 1234 ext. 5', '1-800-FLOWERS', '555-1234', '911', '+1 911', 'none']
  await enter(client, numbers)

  for (const number of numbers.slice(0, -1)) assert.deepEqual(await found(client, { phone: number }), [number])
  assertError(await client.get(`${contacts}?phone=none`), 400, 'VALIDATION_ERROR', undefined, ['phone'])
  assert.deepEqual(await found(client, { phone: '+1 212 555 1234' }), [])
  assert.deepEqual(await found(client, { phone: '(212) 555-1234 ext 5' }), [])
  assert.deepEqual(await found(client, { phone: '212 555 1234' }), [])
})

test('A country applies at once to existing numbers, until it is changed or removed, and numbers stay as they were sent', async (t) => {
  const company = await open(t, null)
  const { client } = company
  const numbers = ['089 123456', '+49 89 123456', '+43 89 123456']
  await enter(client, numbers)
  const national = () => found(client, { phone: '089 123456' })

  assert.deepEqual(await national(), ['089 123456'])
  await company.in('DE')
  assert.deepEqual(await national(), ['089 123456', '+49 89 123456'])
  await company.in('AT')
  assert.deepEqual(await national(), ['089 123456', '+43 89 123456'])
  await company.in(null)
  assert.deepEqual(await national(), ['089 123456'])
  const { data } = (await client.get(`${contacts}?include=phones`)).body
  const stored = data.flatMap(({ contact_phones }: { contact_phones: { phone_number: string }[] }) => contact_phones)
  assert.deepEqual(stored.map(({ phone_number }: { phone_number: string }) => phone_number).sort(), numbers.sort())
})

test('Each company has its own country', async (t) => {
  const server = await start(t)
  const [german, austrian] = [await openIn(server, 'DE'), await openIn(server, 'AT')]
  const numbers = ['+49 89 123456', '+43 89 123456']
  for (const { client } of [german, austrian]) await enter(client, numbers)

  assert.deepEqual(await found(german.client, { phone: '089 123456' }), ['+49 89 123456'])
  assert.deepEqual(await found(austrian.client, { phone: '089 123456' }), ['+43 89 123456'])
  assert.deepEqual(await searched(german.client, '(089) 123456'), ['+49 89 123456', '+43 89 123456'])
})

test('A declared field of type phone follows the country', async (t) => {
  const { client } = await open(t, 'DE')
  const field = { resource: 'organization', key: 'hotline', label: 'Hotline', type: 'phone' }
  assert.equal((await client.post('/api-v1-fields', field)).status, 201)
  for (const hotline of ['089 123456', '+49 89 123456', '0043 89 123456']) {
    assert.equal((await client.post('/api-v1-organizations', { name: 'x', metadata: { hotline } })).status, 201)
  }

  for (const [query, count] of [
    ['metadata.hotline=0049 89 123456', 2],
    ['metadata.hotline[in]=089 123456,030 1', 2],
    ['metadata.hotline[ne]=089 123456', 1],
  ] as const) {
    const { body } = await client.get(`/api-v1-organizations?${new URLSearchParams(query)}`)
    assert.equal(body.pagination.total, count, query)
  }
})

test('Summaries count the contacts whose number is the same in another notation', async (t) => {
  const { client } = await open(t, 'DE')
  await enter(client, ['089 123456', '+49 89 123456', '030 123456'])

  const { body } = await client.get(
    `${contacts}/summary?group_by=is_primary&phone=${encodeURIComponent('0049 89 123456')}`,
  )

  assert.equal(body.data[0].count, 2)
})

test('A request compares at most 150 telephone numbers if the company has a country', async (t) => {
  const company = await open(t, 'DE')
  const list = (from: number) => `phone[in]=${Array.from({ length: 100 }, (_, at) => `089${from + at}`).join()}`
  const [one, two] = [1, 2].map((count) => Array.from({ length: count }, (_, at) => list(1_000 + 100 * at)).join('&'))

  assert.equal((await company.client.get(`${contacts}?${one}`)).status, 200)
  assertError(await company.client.get(`${contacts}?${two}`), 400, 'VALIDATION_ERROR', undefined, ['phone'])
  await company.in(null)
  assert.equal((await company.client.get(`${contacts}?${two}`)).status, 200)
})
