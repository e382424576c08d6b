import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

// spec: Activity, Activities
test('Activities', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const { client } = company

  await t.test('POST /api-v1-activities: text is trimmed, and every relation is present or null', async () => {
    const { id, ...rest } = await make(client, 'activity', { type: 'note', subject: ' Fair ', description: '\nMet. ' })

    assert.deepEqual(rest, {
      type: 'note',
      subject: 'Fair',
      description: 'Met.',
      organization_id: null,
      contact_id: null,
      deal_id: null,
      user_id: null,
      metadata: { created_via: 'api' },
      created_at: '2026-06-15T12:00:00.000Z',
      updated_at: '2026-06-15T12:00:00.000Z',
      organization: null,
      contact: null,
      deal: null,
      user: null,
    })
    const { body } = await client.get('/api-v1-activities?include=organization,contact,deal,user')
    assert.deepEqual(body.data, [{ id, ...rest }])
  })

  await t.test('GET /api-v1-activities/:id: relations show exactly the fields of the specification', async () => {
    const organization = await make(client, 'organization')
    const contact = await make(client, 'contact')
    const deal = await make(client, 'deal')

    const made = await make(client, 'activity', {
      organization_id: organization.id,
      contact_id: contact.id,
      deal_id: deal.id,
    })

    assert.deepEqual(made.organization, { id: organization.id, name: organization.name })
    assert.deepEqual(made.contact, { id: contact.id, first_name: contact.first_name, last_name: null })
    assert.deepEqual(made.deal, { id: deal.id, title: deal.title })
  })

  await t.test('PATCH and DELETE /api-v1-activities/:id do not exist', async () => {
    const made = await make(client, 'activity')

    for (const id of [made.id, unknownId]) {
      for (const method of ['PATCH', 'DELETE', 'PUT']) {
        const response = await client.request(method, `/api-v1-activities/${id}`)

        assertError(response, 405, 'INVALID_REQUEST')
        assert.deepEqual(response.headers.get('allow')!.split(', ').sort(), ['GET', 'HEAD'])
      }
    }
    assert.deepEqual((await client.get(`/api-v1-activities/${made.id}`)).body.data, made)
  })

  await t.test('POST /api-v1-activities: created_via is api, whatever the body says', async () => {
    const made = await make(client, 'activity', { metadata: { created_via: 'console', mood: 'good' } })

    assert.deepEqual(made.metadata, { created_via: 'api', mood: 'good' })
  })

  await t.test(
    'POST /api-v1-activities: user_id is null, also with a personal key and whatever the body says',
    async () => {
      const userId = await client.addUser()
      const personal = await company.key({ userId })

      const made = await make(personal, 'activity', { user_id: userId })

      assert.deepEqual([made.user_id, made.user], [null, null])
    },
  )

  for (const body of [{}, { type: null }, { type: '' }, { type: 'fax' }, { type: 'Call' }]) {
    await t.test(`POST /api-v1-activities: type must be one of five: ${JSON.stringify(body)}`, async () => {
      const response = await client.post('/api-v1-activities', body)

      const message = 'Type must be one of: call, email, meeting, note, rating'
      assertError(response, 400, 'VALIDATION_ERROR', message, ['type'])
    })
  }
})
