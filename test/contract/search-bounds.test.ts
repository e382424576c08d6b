import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { path, searcher } from '../support/search.ts'
import { start } from '../support/start.ts'

test('An invalid search is 400 and names the parameter', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const long = 'a'.repeat(201)
  const message = 'q must be 1 to 200 characters in at most 10 words'

  for (const q of ['', '%20%20', long, 'a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k', 'word%20'.repeat(500)]) {
    const response = await client.get(`${path}?q=${q}`)
    assertError(response, 400, 'VALIDATION_ERROR', undefined, ['q'])
    assert.equal(response.body.error.details[0].message, message)
  }
  assertError(await client.get(path), 400, 'VALIDATION_ERROR', undefined, ['q'])
  assertError(await client.get(`${path}?q=a&types=contact,person`), 400, 'VALIDATION_ERROR', undefined, ['types'])
  assertError(await client.get(`${path}?q=a&types=`), 400, 'VALIDATION_ERROR', undefined, ['types'])
  for (const limit of ['0', '-1', 'x', '']) {
    assertError(await client.get(`${path}?q=a&limit=${limit}`), 400, 'VALIDATION_ERROR', undefined, ['limit'])
  }
  assertError(await client.get(`${path}?q=a&page=2`), 400, 'VALIDATION_ERROR', undefined, ['page'])
})

test('A search leaves out what the key may not read, and is 403 if nothing is left', async (t) => {
  const company = await (await start(t)).company('Acme')
  await company.client.post('/api-v1-organizations', { name: 'Nadel' })
  await company.client.post('/api-v1-deals', { title: 'Nadel' })
  const of = async (...scopes: string[]) => await company.key({ scopes })
  const deals = await of('read:deals')

  assert.deepEqual(
    (await searcher(deals)('nadel')).map(({ type }) => type),
    ['deal'],
  )
  assert.deepEqual(
    (await searcher(deals)('nadel', { types: 'deal,organization' })).map(({ type }) => type),
    ['deal'],
  )
  assertError(
    await deals.get(`${path}?q=nadel&types=organization,contact`),
    403,
    'INSUFFICIENT_PERMISSIONS',
    'Insufficient permissions. Required scope: read:organizations or read:contacts',
  )
  assertError(await (await of('write:all')).get(`${path}?q=nadel`), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await searcher(await of('read:all'))('nadel')).length, 2)
})

test('A search finds nothing of another company or environment', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const testKey = await acme.key({ environment: 'test' })
  const ids: string[] = []
  for (const client of [acme.client, other.client, testKey]) {
    const emails = [{ email: 'same@same.example' }]
    ids.push((await client.post('/api-v1-contacts', { first_name: 'Same', emails })).body.data.id)
  }

  for (const q of ['same', 's', 'same@same.example', ...ids]) {
    for (const [at, client] of [acme.client, other.client, testKey].entries()) {
      const found = (await searcher(client)(q)).map(({ id }) => id)
      assert.deepEqual(found, ids.includes(q) && q !== ids[at] ? [] : [ids[at]], q)
    }
  }
})
