import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { document, isValid, resolve } from '../support/described.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Run, run } from '../support/program.ts'
import { start } from '../support/start.ts'

// Tests of the resources that new-resource.slow.test.ts adds, in the copy that has them.

const main = new URL('../../src/main.ts', import.meta.url).pathname

interface Desk {
  client: Client
  /** Imports a CSV file. `failed`: the rows that could not be imported, with the reasons. */
  importText(what: string, text: string): Promise<Run & { failed: string }>
}

async function desk(t: TestContext): Promise<Desk> {
  const server = await start(t)
  const client = await server.client()
  const directory = temporaryDirectory(t)
  const [file, errors] = ['file.csv', 'file.errors.csv'].map((name) => join(directory, name)) as [string, string]
  return {
    client,
    async importText(what, text) {
      writeFileSync(file, text)
      rmSync(errors, { force: true })
      const args = ['import', what, file, '--url', server.url, '--key', client.key]
      const done = await run([process.execPath, main], args)
      return { ...done, failed: existsSync(errors) ? readFileSync(errors, 'utf8') : '' }
    },
  }
}

async function listed(client: Client, path: string): Promise<JsonRecord[]> {
  const { body } = await client.get(path)
  return body.data
}

test('A bulk record names the record of a required reference, which is created once', async (t) => {
  const { client } = await desk(t)
  const { id } = await make(client, 'organization', { name: 'Mueller' })

  const records = [
    { name: 'A', organization: { name: 'Nordwind' } },
    { name: 'B', organization: { name: 'nordwind' } },
    { name: 'C', organization_id: id },
    { name: 'D', organization: { name: 'Mueller' }, organization_id: null },
    { name: 'E' },
    { name: 'F', organization: null },
    { name: 'G', organization: { name: 'Mueller' }, organization_id: id },
    { name: 'H', organization: 'Mueller' },
  ]
  const { errors } = await importAll(client, 'subscriptions', records)

  const { requestBody } = Object(document.paths)['/api-v1-bulk/subscriptions'].post
  const { properties } = resolve(requestBody.content['application/json'].schema)
  const { items } = Object(properties).records
  assert.deepEqual(
    records.map((record) => isValid(items, record)),
    [true, true, true, true, false, false, false, false],
  )
  assert.deepEqual(
    errors.map(({ row, error }: JsonRecord) => [row, error]),
    [
      [5, 'Organization is required'],
      [6, 'Organization is required'],
      [7, 'organization and organization_id cannot be given together'],
      [8, 'organization must be an object that names the organization; allowed: domain, name'],
    ],
  )
  const made = await listed(client, '/api-v1-subscriptions?sort=name&include=organization')
  assert.deepEqual(
    made.map(({ name, organization }) => [name, organization.name]),
    [
      ['A', 'Nordwind'],
      ['B', 'Nordwind'],
      ['C', 'Mueller'],
      ['D', 'Mueller'],
    ],
  )
  assert.equal(new Set(made.map(({ organization_id }) => organization_id)).size, 2)
})

test('A CSV file has every field of an item, by its kind, and the text of an item is not divided', async (t) => {
  const { client, importText } = await desk(t)
  const columns = [0, 1].flatMap((at) =>
    ['person', 'label', 'level', 'share', 'since'].map((field) => `seats[${at}].${field}`),
  )
  const text = `name,organization.name,${columns.join()}
A,Nordwind,"Screws; M4, long",admin,Writer,"5",31.12.2026,"screws; M4, long",,,,
B,Nordwind,n/a,,,,,,guest,,,
`

  const { code, stdout, failed } = await importText('subscriptions', text)

  assert.equal(code, 1)
  assert.match(failed, /Person is required/)
  assert.match(stdout, /^1 subscription imported/)
  const [made, ...others] = await listed(client, '/api-v1-subscriptions?include=seats,organization')
  assert.equal(others.length, 0)
  assert.equal(made.organization.name, 'Nordwind')
  assert.deepEqual(
    made.subscription_seats.map(({ id: _, ...seat }: JsonRecord) => seat),
    [
      { person: 'Screws; M4, long', label: 'admin', level: 'writer', share: 5, since: '2026-12-31' },
      { person: 'screws; M4, long', label: 'standard', level: 'reader', share: null, since: null },
    ],
  )
})

test('The columns of an export name related records, and an import takes them without ids', async (t) => {
  const { client, importText } = await desk(t)
  const { id } = await make(client, 'course', { name: 'Baking', code: 'BB' })
  await make(client, 'booking', { name: 'Weber', course_id: id })
  const { body } = await client.get('/api-v1-bookings', { Accept: 'text/csv' })
  const [header] = body.split('\r\n') as [string]
  assert.ok(header.split(',').includes('course.name'), header)

  const { code, stdout, failed } = await importText('bookings', 'name,course.name\nSmith,baking\nOdd,Cooking\n')
  const byCode = await importText('bookings', 'name,course.code\nJones,bb\n')

  assert.equal(code, 1)
  assert.match(failed, /No course has name "+Cooking/)
  assert.match(stdout, /^1 booking imported/)
  assert.equal(byCode.code, 0, byCode.stderr)
  const made = await listed(client, '/api-v1-bookings?sort=name')
  assert.deepEqual(
    made.map(({ name, course_id }) => [name, course_id]),
    ['Jones', 'Smith', 'Weber'].map((name) => [name, id]),
  )
})

test('A sum over parts is not changed while they leave with their whole, and is right when they return', async (t) => {
  const { client } = await desk(t)
  const { id } = await make(client, 'course', { name: 'Baking' })
  const at = `/api-v1-courses/${id}`
  for (const seats of [1, 2, 3, 4]) await make(client, 'booking', { name: `${seats}`, course_id: id, seats })
  const [last] = await listed(client, '/api-v1-bookings?sort=-name')
  await client.delete(`/api-v1-bookings/${last.id}`)
  const typesOf = async () =>
    (await client.get(`${at}/history?limit=50`)).body.data.map((each: JsonRecord) => each.type)
  assert.equal((await client.get(at)).body.data.seats_taken, 6)

  const before = await typesOf()
  await client.delete(at)
  const gone = await typesOf()
  assert.equal((await client.post(`/api-v1-trash/${id}/restore`, {})).status, 200)

  assert.deepEqual(gone, ['course.deleted', ...before])
  assert.deepEqual(await typesOf(), ['course.restored', ...gone])
  assert.equal((await client.get(at)).body.data.seats_taken, 6)
  assert.equal((await listed(client, '/api-v1-bookings')).length, 3)
})
