import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const path = '/console/company'

async function countryOf(visitor: Visitor): Promise<string | null> {
  return (await visitor.get('/console/session')).body.data.company.phone_country
}

test('An admin sets, changes and removes the phone country, which applies to the next request', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const contact = { first_name: 'Ada', phones: [{ phone_number: '+49 89 123456' }] }
  assert.equal((await owner.post('/api-v1-contacts', contact)).status, 201)
  const total = async () => (await owner.get('/api-v1-contacts?phone=089123456')).body.pagination.total

  assert.deepEqual([await countryOf(owner), await total()], [null, 0])
  for (const [given, country, found] of [
    ['DE', 'DE', 1],
    [' at ', 'AT', 0],
    ['de', 'DE', 1],
    [null, null, 0],
    ['DE', 'DE', 1],
    ['', null, 0],
  ] as const) {
    const { status, body } = await owner.patch(path, { phone_country: given })
    assert.deepEqual([status, body.data.phone_country, body.data.name], [200, country, 'Acme'])
    assert.deepEqual([await countryOf(owner), await total()], [country, found])
  }
})

test('A phone country that is none is refused with the allowed form, and nothing changes', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  await owner.patch(path, { phone_country: 'DE' })

  for (const phone_country of [
    'D',
    'DEU',
    '49',
    '+49',
    'XX',
    'AQ',
    'Germany',
    'ß',
    '__proto__',
    'constructor',
    49,
    {},
    true,
  ]) {
    const refused = await owner.patch(path, { name: 'Other', phone_country })
    assertError(refused, 400, 'VALIDATION_ERROR', undefined, ['phone_country'])
    assert.match(refused.body.error.details[0].message, /ISO 3166-1 alpha-2 code .* such as DE/)
  }
  assertError(await owner.patch(path, {}), 400, 'VALIDATION_ERROR', undefined, ['name'])
  assertError(await owner.patch(path, { name: '', phone_country: 'AT' }), 400, 'VALIDATION_ERROR', undefined, ['name'])
  const { company } = (await owner.get('/console/session')).body.data
  assert.deepEqual([company.name, company.phone_country], ['Acme', 'DE'])
})

test('The name and the phone country change together or each on its own', async (t) => {
  const owner = await newOwner(await start(t))

  const both = await owner.patch(path, { name: 'Nordwind', phone_country: 'DE' })
  const renamed = await owner.patch(path, { name: 'Acme' })

  assert.deepEqual([both.body.data.name, both.body.data.phone_country], ['Nordwind', 'DE'])
  assert.deepEqual([renamed.body.data.name, renamed.body.data.phone_country], ['Acme', 'DE'])
  assertError(await owner.patch(path, { name: 'x', phone_country: 'AT', known_name: 'Nordwind' }), 412, 'CONFLICT')
  assert.equal(await countryOf(owner), 'DE')
})

test('A member cannot change the phone country, and other companies keep theirs', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const other = await newOwner(server)
  await owner.patch(path, { phone_country: 'DE' })

  assertError(await member.patch(path, { phone_country: 'AT' }), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.deepEqual([await countryOf(owner), await countryOf(member), await countryOf(other)], ['DE', 'DE', null])
})
