import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

test('Organizations', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  await t.test('POST /api-v1-organizations: unset fields are null, status is lead, and metadata is empty', async () => {
    const response = await client.post('/api-v1-organizations', { name: '  Müller Feinkost  ' })

    assert.equal(response.status, 201)
    const { id, ...rest } = response.body.data
    assert.equal(response.headers.get('location'), `/api-v1-organizations/${id}`)
    assert.deepEqual(rest, {
      name: 'Müller Feinkost',
      status: 'lead',
      organization_type: null,
      address: null,
      city: null,
      state: null,
      postal_code: null,
      country: null,
      domain: null,
      metadata: {},
      created_at: '2026-06-15T12:00:00.000Z',
      updated_at: '2026-06-15T12:00:00.000Z',
    })
  })

  for (const body of [{}, { name: null }, { name: '' }, { name: ' \n ' }]) {
    await t.test(`POST /api-v1-organizations: name is required: ${JSON.stringify(body)}`, async () => {
      const response = await client.post('/api-v1-organizations', body)

      assertError(response, 400, 'VALIDATION_ERROR', 'Name is required', ['name'])
      assert.equal(response.body.error.details[0].code, 'REQUIRED')
    })
  }

  await t.test('/api-v1-organizations: an unknown status is refused by POST and PATCH', async () => {
    const { id } = await make(client, 'organization')

    const created = await client.post('/api-v1-organizations', { name: 'Acme', status: 'won' })
    const patched = await client.patch(`/api-v1-organizations/${id}`, { status: 'Lead' })

    const message = 'Status must be one of: lead, active, inactive, lost'
    assertError(created, 400, 'VALIDATION_ERROR', message, ['status'])
    assertError(patched, 400, 'VALIDATION_ERROR', message, ['status'])
  })

  await t.test(
    'GET /api-v1-organizations: status is sorted in the order of the specification, not alphabetically',
    async () => {
      const { client } = await server.company('Ranked')
      for (const status of ['lost', 'active', 'lead', 'inactive']) await make(client, 'organization', { status })

      const { body } = await client.get('/api-v1-organizations?sort=status')

      assert.deepEqual(
        body.data.map(({ status }: { status: string }) => status),
        ['lead', 'active', 'inactive', 'lost'],
      )
    },
  )
})

test('A name has up to 500 characters, also if each takes two UTF-16 units', async (t) => {
  const client = await (await start(t)).client()
  const create = (name: string) => client.post('/api-v1-organizations', { name })

  for (const character of ['x', '😀']) {
    const longest = await create(character.repeat(500))
    assert.deepEqual([longest.status, longest.body.data?.name], [201, character.repeat(500)])
    assertError(await create(character.repeat(501)), 400, 'VALIDATION_ERROR', undefined, ['name'])
  }
})
