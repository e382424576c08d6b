import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { declareField } from '../support/fields.ts'
import { importResults, outcomesOf } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, outcome, put } from './put.ts'

test('Organizations are matched by domain and name, and every record by a unique declared field', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const path = '/api-v1-organizations'
  const { id } = await make(client, 'organization', { name: 'Müller GmbH', domain: 'mueller.example' })
  await declareField(client, 'number', 'text', { resource: 'deal', unique: true })
  const deal = await make(client, 'deal', { title: 'Fleet', metadata: { number: 'D-1' } })

  const byDomain = await put(client, { name: 'Müller AG', domain: 'MUELLER.example' }, 'match_on=domain', path)
  const byName = await put(client, { name: 'MÜLLER ag', city: 'Bonn' }, 'match_on=name', path)
  const other = await put(client, { name: 'Muller AG' }, 'match_on=name', path)
  const byField = await put(
    client,
    { title: 'Fleet 2', metadata: { number: ' D-1' } },
    'match_on=metadata.number',
    '/api-v1-deals',
  )

  assert.deepEqual([byDomain.body.data.id, byName.body.data.id, byField.body.data.id], [id, id, deal.id])
  assert.deepEqual([byName.body.data.city, byField.body.data.title], ['Bonn', 'Fleet 2'])
  assert.equal(other.status, 201, 'accents tell names apart')
})

test('Several matches are an error that lists them, and deleted records match nothing', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const emails = [{ email: 'ada@example.com' }]
  const both = [await make(client, 'contact', { emails }), await make(client, 'contact', { emails })]

  assertError(
    await put(client, { first_name: 'Ada', emails }),
    409,
    'CONFLICT',
    `Several contacts have this email: ${both.map(({ id }) => id).join(', ')}`,
  )
  for (const { id } of both) await client.delete(`${contacts}/${id}`)
  assert.deepEqual(outcome(await put(client, { first_name: 'Ada', emails })), [201, 'created'])
})

const types: [type: string, value: unknown, wrong: unknown, message: string, rest?: object][] = [
  ['text', '77', 77, 'must be a value of the type text'],
  ['url', 'https://acme.example', `https://acme.example/${'x'.repeat(2_500)}`, 'is too long to be compared'],
  ['number', 77, '77', 'must be a value of the type number'],
  ['email', 'ada@example.com', 'Ada', 'must be a value of the type email'],
  ['date', '2026-11-30', '30.11.2026', 'must be a value of the type date'],
  ['choice', 'gold', 'lead', 'must be one of its options; allowed: gold', { options: ['gold'] }],
]

for (const [type, value, wrong, fault, rest] of types) {
  test(`A value that a field of type ${type} cannot compare matches and creates nothing, alone and in an import`, async (t) => {
    const { client } = await (await start(t)).company('Acme')
    await declareField(client, 'number', type, { unique: true, ...rest })
    const query = 'match_on=metadata.number'
    const records = [wrong, value, '', null].map((number) => ({ first_name: 'Ada', metadata: { number } }))

    const alone = await put(client, records[0]!, query)
    const many = await importResults(client, 'contacts', records, { match_on: 'metadata.number' })
    const again = await importResults(client, 'contacts', records.slice(0, 2), { match_on: 'metadata.number' })

    const message = `metadata.number ${fault}`
    assertError(alone, 400, 'VALIDATION_ERROR', message, ['metadata.number'])
    const failed = `metadata.number: ${message}`
    assert.deepEqual(outcomesOf(many), [failed, 'created', 'created', 'created'])
    assert.deepEqual(outcomesOf(again), [failed, 'unchanged'])
  })
}
