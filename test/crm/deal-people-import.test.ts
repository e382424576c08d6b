import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decisions T2 and T5 */
test('People in records of an import', async (t) => {
  const server = await start(t)
  const fresh = async () => {
    const { client } = await server.company('Acme')
    const person = await make(client, 'contact', { first_name: 'Ada' })
    const [, stage] = (await client.get('/api-v1-stages')).body.data
    return { client, person, stage }
  }
  const changesOf = async (client: Client, { id }: JsonRecord) =>
    (await client.get(`/api-v1-deals/${id}/history`)).body.data.map(({ type }: JsonRecord) => type).toReversed()

  await t.test('They are on the deal when it enters a stage that requires somebody', async () => {
    const { client, person, stage } = await fresh()
    await make(client, 'field', { resource: 'deal', key: 'number', type: 'text', unique: true })
    const existing = await make(client, 'deal', { title: 'Known', metadata: { number: '1' } })
    await client.patch(`/api-v1-stages/${stage.id}`, { requires: ['people'] })
    const contacts = [{ id: person.id, role: 'Buyer' }]
    const records = [
      { title: 'Alone', stage_id: stage.id, metadata: { number: '3' } },
      { title: 'New', stage_id: stage.id, contacts, metadata: { number: '2' } },
      { title: 'Known', stage_id: stage.id, contacts, metadata: { number: '1' } },
    ]

    const job = await importAll(client, 'deals', records, { match_on: 'metadata.number' })

    assert.deepEqual(
      job.errors.map(({ row, field, code }: JsonRecord) => [row, field, code]),
      [[1, 'people', 'REQUIRED']],
    )
    const { data } = (await client.get('/api-v1-deals?sort=title&include=contacts')).body
    assert.deepEqual(
      data.map((deal: JsonRecord) => [deal.title, deal.stage_id === stage.id, deal.contacts[0]?.role]),
      [
        ['Known', true, 'Buyer'],
        ['New', true, 'Buyer'],
      ],
    )
    assert.deepEqual(await changesOf(client, existing), ['deal.created', 'deal.stage_changed'])
  })

  await t.test('A new deal with its people and their roles is one change', async () => {
    const { client, person } = await fresh()
    const other = await make(client, 'contact', { first_name: 'Grace' })
    const contacts = [{ id: other.id }, { id: person.id, role: 'Buyer' }]

    await importAll(client, 'deals', [{ title: 'New', contact_id: person.id, contacts }])

    const [deal] = (await client.get('/api-v1-deals?include=contacts')).body.data
    assert.deepEqual(
      deal.contacts.map(({ first_name, role }: JsonRecord) => [first_name, role]),
      [
        ['Ada', 'Buyer'],
        ['Grace', null],
      ],
    )
    const [change, ...others] = (await client.get(`/api-v1-deals/${deal.id}/history`)).body.data
    assert.deepEqual([change.type, others], ['deal.created', []])
    assert.deepEqual(
      change.data.contacts.map(({ role }: JsonRecord) => role),
      [null, 'Buyer'],
    )
  })

  await t.test(
    'They are found by their ids in upper case, too; what is wrong has the same code as elsewhere',
    async () => {
      const { client, person } = await fresh()
      const id = person.id.toUpperCase()
      const records = [{ id, role: 'Buyer' }, { id: 'Ada' }, { id: 1 }, { id: '019ecb27-2200-7000-8000-000000000000' }]

      const job = await importAll(client, 'deals', [
        ...records.map((each) => ({ title: 'One', contacts: [each] })),
        { title: 'Same', contacts: [{ id: person.id }, { id }] },
        { title: 'None', contacts: 'Ada' },
        { title: 'Many', contacts: Array(101).fill({ id }) },
      ])

      assert.deepEqual(
        job.errors.map(({ row, field, code }: JsonRecord) => [row, field, code]),
        [
          [2, 'contacts[0].id', 'INVALID_FORMAT'],
          [3, 'contacts[0].id', 'INVALID_TYPE'],
          [4, 'contacts[0].id', 'NOT_FOUND'],
          [6, 'contacts', 'INVALID_TYPE'],
          [7, 'contacts', 'TOO_LONG'],
        ],
      )
      const { data } = (await client.get(`/api-v1-deals?people_id=${person.id}&include=contacts&sort=title`)).body
      assert.deepEqual(
        data.map(({ title, contacts }: JsonRecord) => [title, contacts.length, contacts[0].role]),
        [
          ['One', 1, 'Buyer'],
          ['Same', 1, null],
        ],
      )
    },
  )
})
