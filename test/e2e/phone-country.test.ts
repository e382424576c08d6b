import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import type { Client } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ended } from '../support/imports.ts'
import { prepareCompany, prepareKey } from '../support/prepare.ts'
import { administer, bundle, type Command, executable, launch } from '../support/program.ts'

const whole = { after: atEnd }
const servers = new Map<Command, Promise<{ data: string; url: string }>>()

/** A company on the server of a program, which the tests share. */
async function newCompany(command: Command): Promise<{ data: string; id: string; client: Client }> {
  if (!servers.has(command)) servers.set(command, startServer(command))
  const { data, url } = await servers.get(command)!
  const id = await prepareCompany(data)
  return { data, id, client: await prepareKey(data, id, url) }
}

async function startServer(command: Command): Promise<{ data: string; url: string }> {
  const data = temporaryDirectory(whole)
  const { first } = await launch(whole, command, ['serve', '--data', data, '--port', '0'])
  return { data, url: first.url! }
}

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} company set --phone-country applies to a running server from the next request on`, async () => {
    const { data, id, client } = await newCompany(command)
    const args = (code: string) => ['company', 'set', id, '--phone-country', code, '--data', data]
    const set = (code: string) => administerHere(...args(code))
    const contact = { first_name: 'Ada', phones: [{ phone_number: '+1 212 555 1234' }] }
    assert.equal((await client.post('/api-v1-contacts', contact)).status, 201)
    const total = async () => (await client.get('/api-v1-contacts?phone=(212)%20555-1234')).body.pagination.total

    assert.equal(await total(), 0)
    assert.equal((await administer(command, ...args('us'))).phone_country, 'US')
    assert.equal(await total(), 1)
    assert.equal((await set('DE')).phone_country, 'DE')
    assert.equal(await total(), 0)
    assert.equal((await set('US')).phone_country, 'US')
    assert.equal(await total(), 1)
    assert.equal((await set('none')).phone_country, null)
    assert.equal(await total(), 0)
  })
}

test('kontor company set refuses a phone country that is none, with the allowed form', async (t) => {
  const data = temporaryDirectory(t)
  const id = await prepareCompany(data)

  for (const code of ['XX', '49', 'Germany']) {
    const {
      code: exit,
      stdout,
      stderr,
    } = await runHere(['company', 'set', id, '--phone-country', code, '--data', data])
    assert.deepEqual([exit, stdout], [1, ''])
    assert.match(stderr, /ISO 3166-1 alpha-2 code .* such as DE/)
  }
  const { companies } = await administerHere('company', 'list', '--data', data)
  assert.equal(companies[0].phone_country, null)
})

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} finds duplicates by the numbers of the company's country, on a thread`, async () => {
    const { data, id, client } = await newCompany(command)
    for (const phone_number of ['+1 212 555 1234', '(212) 555-1234']) {
      await client.post('/api-v1-contacts', { first_name: 'Ada', phones: [{ phone_number }] })
    }
    const groups = async () => (await client.get('/api-v1-contacts/duplicates')).body.data.length
    assert.equal(await groups(), 0)

    await administerHere('company', 'set', id, '--phone-country', 'US', '--data', data)

    assert.equal(await groups(), 1)
  })

  test(`${name} compares numbers by the company's country in imports and in long requests, each on its thread`, async () => {
    const { data, id, client } = await newCompany(command)
    await administerHere('company', 'set', id, '--phone-country', 'US', '--data', data)
    await client.post('/api-v1-fields', { resource: 'contact', key: 'line', type: 'phone', unique: true })
    const contact = (line: string) => ({
      ...{ first_name: 'Ada', metadata: { line } },
      phones: [{ phone_number: line }],
    })
    const survivor = (await client.post('/api-v1-contacts', contact('+1 212 555 1234'))).body.data.id

    const { body } = await client.post('/api-v1-bulk/contacts', { records: [contact('(212) 555-1234')] })
    const job = await ended(client, `/api-v1-bulk/jobs/${body.data.job_id}`)
    assert.deepEqual([job.failed_records, job.errors[0].field], [1, 'metadata.line'])

    const other = (await client.post('/api-v1-contacts', { ...contact('(212) 555-1234'), metadata: {} })).body.data.id
    const tasks = Array.from({ length: 60 }, (_, n) => ({ title: `Call ${n}`, contact_id: other }))
    const { body: sent } = await client.post('/api-v1-bulk/tasks', { records: tasks })
    await ended(client, `/api-v1-bulk/jobs/${sent.data.job_id}`)
    const merged = await client.post(`/api-v1-contacts/${survivor}/merge`, { with: [other] })
    assert.deepEqual([merged.body.moved.tasks, merged.body.data.contact_phones.length], [60, 1])
  })
}
