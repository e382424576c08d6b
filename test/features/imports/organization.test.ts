import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateKey } from '../../../src/access/key.ts'
import type { Client } from '../../support/client.ts'
import { importResults, outcomesOf, resultsOf, runBatches, submit, totalOf } from '../../support/imports.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const organizations = '/api-v1-organizations'

const named = (organization: unknown, rest: object = {}) => ({ first_name: 'Ada', organization, ...rest })

async function organizationOf(client: Client, contactId: string) {
  const { body } = await client.get(`/api-v1-contacts/${contactId}`)
  return (await client.get(`${organizations}/${body.data.organization_id}`)).body.data
}

test('An organization is found by name without case or by domain, or created once', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const known = await make(client, 'organization', { name: 'Müller GmbH', domain: 'mueller.example' })
  const gone = await make(client, 'organization', { name: 'Gone' })
  await client.delete(`${organizations}/${gone.id}`)

  const results = await importResults(client, 'contacts', [
    named({ name: ' MÜLLER gmbh ' }),
    named({ domain: 'Mueller.EXAMPLE' }),
    named({ domain: 'new.example' }),
    named({ domain: 'new.example' }),
    named({ name: 'Both', domain: 'both.example' }),
    named({ name: 'Other name', domain: 'both.example' }),
    named({ name: 'Gone' }),
    named(null),
  ])

  assert.deepEqual(outcomesOf(results), Array(8).fill('created'))
  const of = await Promise.all(results.slice(0, 7).map(({ id }) => organizationOf(client, id)))
  assert.deepEqual(
    of.map(({ name, domain }) => [name, domain]),
    [
      ['Müller GmbH', 'mueller.example'],
      ['Müller GmbH', 'mueller.example'],
      ['new.example', 'new.example'],
      ['new.example', 'new.example'],
      ['Both', 'both.example'],
      ['Both', 'both.example'],
      ['Gone', null],
    ],
  )
  assert.deepEqual([of[0].id, of[2].id], [known.id, of[3].id])
  assert.notEqual(of[6].id, gone.id)
  assert.equal(await totalOf(client, 'organizations'), 4)
})

test('A name that is not one organization is an error of the row, with the other errors of the record', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const twins = await Promise.all([1, 2].map(() => make(client, 'organization', { name: 'Twin' })))
  const { id } = twins[0]!
  const form = 'organization: organization must be an object that names the organization; allowed: domain, name'

  const results = await importResults(client, 'contacts', [
    named({ name: 'Twin' }),
    named({ name: 'Acme' }, { organization_id: id }),
    named('Acme'),
    named({}),
    named({ id }),
    named({ name: 'Acme', city: 'Bonn' }),
    named({ name: 5 }),
    named({ name: ' ' }),
    named({ name: 'x'.repeat(501) }, { first_name: '' }),
  ])

  const ids = twins.map((twin) => twin.id).sort()
  assert.deepEqual(outcomesOf(results), [
    `organization: Several organizations have this name: ${ids.join(', ')}`,
    'organization: organization and organization_id cannot be given together',
    ...Array(5).fill(form),
    'organization.name: Name is required',
    'first_name: First name is required; organization.name: Name must be at most 500 characters',
  ])
  assert.equal(await totalOf(client, 'organizations'), 2)
})

test('A record that fails or needs no organization creates none', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const old = await make(client, 'organization', { name: 'Old' })
  const emails = [{ email: 'ada@example.com' }]
  await make(client, 'contact', { first_name: 'Ada', organization_id: old.id, emails })
  const records = [named({ name: 'New' }, { emails })]
  const outcomes = async (mode: string) =>
    outcomesOf(await importResults(client, 'contacts', records, { match_on: 'email', mode }))

  assert.deepEqual(await outcomes('fill_empty'), ['unchanged'])
  assert.match((await outcomes('create_only'))[0]!, /already exists/)
  assert.equal(await totalOf(client, 'organizations'), 1)
  assert.deepEqual(await outcomes('merge'), ['updated'])
  assert.equal(await totalOf(client, 'organizations'), 2)
})

test('Creating an organization requires write:organizations when it is written', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client, key } = await server.company('Acme')
  await make(client, 'organization', { name: 'Known' })
  const records = [named({ name: 'Known' }), named({ name: 'New' })]
  const refused =
    'organization: The organization does not exist, and creating it requires the scope write:organizations'
  const run = async (own: Client, change: () => Promise<unknown>) => {
    const path = await submit(own, 'contacts', records)
    await change()
    await runBatches(server.store)
    return outcomesOf(await resultsOf(client, path))
  }
  const both = ['write:contacts', 'write:organizations']

  assert.deepEqual(await run(await key({ scopes: ['write:contacts'] }), async () => {}), ['created', refused])
  const narrowed = await key({ scopes: both })
  const narrow = () => server.store.writeAccess((tx) => updateKey(tx, narrowed.keyId, { scopes: '["write:contacts"]' }))
  assert.deepEqual(await run(narrowed, narrow), ['created', refused])
  assert.deepEqual(await run(await key({ scopes: both }), async () => {}), ['created', 'created'])
})

test('Other resources do not take the name of an organization', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const [result] = await importResults(client, 'deals', [{ title: 'Fleet', organization: { name: 'New' } }])

  const { body } = await client.get(`/api-v1-deals/${result!.id}`)
  assert.equal(body.data.organization_id, null)
  assert.equal(await totalOf(client, 'organizations'), 0)
})

test('An undo of an import takes back what it created, what it updated, and the organizations', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const emails = [{ email: 'ada@example.com' }]
  const before = await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber', emails })
  const records = [
    named({ name: 'New' }, { last_name: 'Other', emails: [...emails, { email: 'second@example.com' }] }),
    named({ name: 'New' }, { emails: [{ email: 'new@example.com' }] }),
  ]
  const path = await submit(client, 'contacts', records, { match_on: 'email' })
  const results = await resultsOf(client, path)
  const bulk_job_id = path.split('/').at(-1)

  const undone = await client.post('/api-v1-undo', { bulk_job_id })

  const { reversed, kept, errored } = undone.body.data
  assert.deepEqual([reversed.length, kept, errored], [3, [], []])
  const { data } = (await client.get(`/api-v1-contacts/${before.id}`)).body
  assert.deepEqual([data.last_name, data.organization_id], ['Weber', null])
  assert.deepEqual(data.contact_emails, before.contact_emails)
  assert.equal((await client.get(`/api-v1-contacts/${results[1]!.id}`)).status, 404)
  assert.equal(await totalOf(client, 'organizations'), 0)
})
