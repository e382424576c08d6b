import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stage } from '../../src/crm/stage.ts'
import { assertError } from '../support/client.ts'
import { clear, unknownId } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** spec: Deal, Deals */
test('Deals', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const [first, second] = (await client.get('/api-v1-stages')).body.data

  await t.test(
    'POST /api-v1-deals: a deal begins in the first stage with value 0 in EUR, and is otherwise empty',
    async () => {
      const { id, ...rest } = await make(client, 'deal', { title: ' New warehouse ' })

      assert.deepEqual(rest, {
        title: 'New warehouse',
        value: 0,
        currency: 'EUR',
        stage_id: first.id,
        organization_id: null,
        contact_id: null,
        assigned_to: null,
        expected_close_date: null,
        probability: null,
        metadata: {},
        created_at: '2026-06-15T12:00:00.000Z',
        updated_at: '2026-06-15T12:00:00.000Z',
        organization: null,
        contact: null,
        stage: { id: first.id, name: 'Lead', color: '#64748b', position: 0 },
        assigned_user: null,
      })
    },
  )

  await t.test('PATCH /api-v1-deals/:id: an empty stage_id is refused', async () => {
    const deal = await make(client, 'deal', { stage_id: second.id, currency: 'USD' })
    const path = `/api-v1-deals/${deal.id}`

    for (const response of [
      await client.patch(path, { stage_id: null }),
      await client.patch(path, { stage_id: '' }),
      await client.patch(`${path}/stage`, { stage_id: '' }),
      await client.patch(`${path}/stage`, { stage_id: ' ' }),
    ]) {
      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['stage_id'])
    }
    assert.deepEqual((await client.get(path)).body.data, deal)
  })

  await t.test('POST /api-v1-deals: without any stage, a deal cannot be created', async () => {
    const { client } = await server.company('Stageless')
    await clear(client, stage)

    const response = await client.post('/api-v1-deals', { title: 'New warehouse' })

    assertError(response, 400, 'VALIDATION_ERROR', undefined, ['stage_id'])
  })

  await t.test('/api-v1-deals: a stage that is unknown or of another company is refused by every request', async () => {
    const globex = await server.company('Globex')
    const ofGlobex = (await globex.client.get('/api-v1-stages')).body.data[0].id
    const deal = await make(client, 'deal')

    for (const stage_id of [unknownId, ofGlobex]) {
      const responses = [
        await client.post('/api-v1-deals', { title: 'New warehouse', stage_id }),
        await client.patch(`/api-v1-deals/${deal.id}`, { stage_id }),
        await client.patch(`/api-v1-deals/${deal.id}/stage`, { stage_id }),
      ]

      for (const response of responses) assertError(response, 400, 'VALIDATION_ERROR', 'Invalid stage', ['stage_id'])
    }
    assert.deepEqual((await client.get(`/api-v1-deals/${deal.id}`)).body.data, deal)
  })

  await t.test('PATCH /api-v1-deals/:id/stage: moves the deal and changes nothing else', async () => {
    const deal = await make(client, 'deal')

    const { status, body } = await client.patch(`/api-v1-deals/${deal.id}/stage`, {
      stage_id: second.id,
      title: 'Other',
    })

    assert.equal(status, 200)
    const { id, name, color, position } = second
    assert.deepEqual(body.data, { ...deal, stage_id: second.id, stage: { id, name, color, position } })
    assert.deepEqual((await client.get(`/api-v1-deals/${deal.id}`)).body, body)
  })

  for (const body of [{}, { stage_id: null }, { title: 'Other' }]) {
    await t.test(`PATCH /api-v1-deals/:id/stage: ${JSON.stringify(body)} is refused`, async () => {
      const { id } = await make(client, 'deal')

      const response = await client.patch(`/api-v1-deals/${id}/stage`, body)

      assertError(response, 400, 'INVALID_REQUEST', 'stage_id is required')
    })
  }

  await t.test('PATCH /api-v1-deals/:id/stage: an unknown or deleted deal returns 404', async () => {
    const { id } = await make(client, 'deal')
    await client.delete(`/api-v1-deals/${id}`)

    for (const gone of [id, unknownId, 'no-uuid']) {
      const response = await client.patch(`/api-v1-deals/${gone}/stage`, { stage_id: second.id })

      assertError(response, 404, 'NOT_FOUND', 'Deal not found')
    }
  })

  await t.test('/api-v1-deals/:id/stage: the only method is PATCH', async () => {
    const { id } = await make(client, 'deal')

    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await client.request(method, `/api-v1-deals/${id}/stage`)

      assertError(response, 405, 'INVALID_REQUEST')
      assert.equal(response.headers.get('allow'), 'PATCH')
    }
  })

  await t.test('GET /api-v1-deals/:id: relations show exactly the fields of the specification', async () => {
    const organization = await make(client, 'organization', { name: 'Nordwind Logistik' })
    const contact = await make(client, 'contact', { last_name: 'Hopper' })
    const user = await make(client, 'user')

    const made = await make(client, 'deal', {
      organization_id: organization.id,
      contact_id: contact.id,
      assigned_to: user.id,
    })

    assert.deepEqual(made.organization, { id: organization.id, name: 'Nordwind Logistik', status: 'lead' })
    assert.deepEqual(made.contact, { id: contact.id, first_name: contact.first_name, last_name: 'Hopper' })
    assert.deepEqual(made.assigned_user, { id: user.id, full_name: user.full_name, email: user.email })
    assert.deepEqual(Object.keys(made.stage), ['id', 'name', 'color', 'position'])
  })

  await t.test('GET /api-v1-deals/:id: numbers are exact, and whole numbers have no decimals', async () => {
    const numbers = ['5', '0', '-3', '2.5', '0.1', '1234567890123.45', '0.30000000000000004', '9007199254740991']
    for (const text of numbers) {
      const { id } = await make(client, 'deal', { value: Number(text) })

      const response = await fetch(`${server.url}/api-v1-deals/${id}`, {
        headers: { Authorization: `Bearer ${client.key}` },
      })

      assert.match(await response.text(), new RegExp(`"value":${text.replace('.', '\\.')},`))
    }
  })

  await t.test('POST /api-v1-deals: probability is from 0 to 100', async () => {
    for (const probability of [0, 0.5, 100]) {
      assert.equal((await make(client, 'deal', { probability })).probability, probability)
    }
    for (const probability of [-0.1, 100.1, 1e300]) {
      const response = await client.post('/api-v1-deals', { title: 'New warehouse', probability })

      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['probability'])
      assert.equal(response.body.error.details[0].code, 'OUT_OF_RANGE')
    }
  })

  await t.test('POST /api-v1-deals: currency is case-insensitive and stored in upper case', async () => {
    assert.equal((await make(client, 'deal', { currency: ' chf ' })).currency, 'CHF')
  })
})
