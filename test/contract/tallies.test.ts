import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src/engine/records/define.ts'
import { assertError, type Client } from '../support/client.ts'
import { tested } from '../support/contract.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const tallied = tested.filter((resource) => resource.tallied.length > 0)

/** The values that a field can have: those of an enumeration or flag, or the ids of all records of its target. */
async function valuesOf(client: Client, { columns }: Resource, field: string): Promise<string[]> {
  const { options, target } = columns[field]!
  if (!target) return [...(options ?? ['true', 'false'])]
  return (await client.get(`/${target.path}`)).body.data.map(({ id }: JsonRecord) => id)
}

/** Fails unless the totals of lists with one value of a field are the numbers of records that they show. */
async function assertTotals(client: Client, resource: Resource, about: string): Promise<number> {
  let sum = 0
  for (const field of resource.tallied) {
    for (const value of await valuesOf(client, resource, field)) {
      const { body } = await client.get(`/${resource.path}?${field}=${value}&limit=100`)
      assert.equal(body.pagination.total, body.data.length, `${about}: ${field}=${value}`)
      assert.ok(body.data.every((record: JsonRecord) => String(record[field]) === value))
      sum += body.pagination.total
    }
  }
  const { body } = await client.get(`/${resource.path}`)
  assert.equal(sum, body.pagination.total * resource.tallied.length, about)
  return body.pagination.total
}

for (const resource of tallied) {
  test(`The totals of ${resource.path} with one value are exact after every kind of write`, async (t) => {
    const server = await start(t)
    const [{ client }, other] = [await server.company('Acme'), await server.company('Other')]
    await make(other.client, resource.name)
    const field = resource.tallied[0]!
    const values = await valuesOf(client, resource, field)
    const shown = (value: string) => (['true', 'false'].includes(value) ? value === 'true' : value)
    const records = []
    for (const value of values) records.push(await make(client, resource.name, { [field]: shown(value) }))
    assert.equal(await assertTotals(client, resource, 'created'), values.length)
    if (!resource.operations.includes('patch')) return

    const path = `/${resource.path}/${records[0].id}`
    await client.patch(path, { [field]: shown(values.at(-1)!) })
    await assertTotals(client, resource, 'changed')
    await client.delete(path)
    assert.equal(await assertTotals(client, resource, 'deleted'), values.length - 1)
    assert.equal((await client.post(`/api-v1-trash/${records[0].id}/restore`, {})).status, 200)
    assert.equal(await assertTotals(client, resource, 'restored'), values.length)
    const { body } = await client.get(`/api-v1-changes?record_id=${records[0].id}`)
    for (const seq of body.data.map(({ seq }: JsonRecord) => seq).reverse()) {
      assert.equal((await client.post('/api-v1-undo', { seq, force: true })).status, 200)
      await assertTotals(client, resource, `undone ${seq}`)
    }
    await client.delete(path)
    await client.delete(`/api-v1-trash/${records[0].id}`)
    assert.equal(await assertTotals(client, resource, 'erased'), values.length - 1)
    await assertTotals(other.client, resource, 'another company')
    assertError(await client.get(`/${resource.path}?${field}=what`), 400, 'VALIDATION_ERROR')
    assert.equal((await client.get(`/${resource.path}?${field}=null`)).body.pagination.total, 0)
  })
}

if (tallied.some(({ name }) => name === 'contact')) {
  test('The totals of contacts with one value are exact after an import', async (t) => {
    const { client } = await (await start(t, { work: 'here' })).company('Acme')
    const contact = tallied.find(({ name }) => name === 'contact')!
    const contacts = [{ first_name: 'Ada', is_primary: true }, { first_name: 'Grace' }, { first_name: 'Jean' }]
    await importAll(client, 'contacts', contacts)

    assert.equal(await assertTotals(client, contact, 'imported'), 3)
  })
}
