import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultOf } from '../../src/engine/api/openapi/shapes.ts'
import { assertError } from '../support/client.ts'
import {
  clear,
  createdMetadata,
  fieldsOf,
  fullBody,
  idsOf,
  offers,
  tested,
  touch,
  unknownId,
} from '../support/contract.ts'
import { bodyFor, isNeeded, make, recordOf } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const uuid7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

for (const resource of tested) {
  const { path, label } = resource

  test(`Records of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    if (offers(resource, 'POST')) {
      await t.test(`POST /${path}: returns 201, Location, a UUIDv7 and every field`, async () => {
        const body = await bodyFor(client, resource)

        const { status, headers, body: response } = await client.post(`/${path}`, body)

        const { id, created_at, updated_at, ...rest } = response.data
        assert.equal(status, 201)
        assert.equal(headers.get('location'), `/${path}/${id}`)
        assert.match(id, uuid7)
        assert.equal(created_at, new Date(server.clock.now()).toISOString())
        assert.equal(updated_at, created_at)
        const unset = Object.values(resource.fields).filter(({ name, required }) => !(name in body) && !required)
        for (const field of unset.filter(({ chosen, kind }) => !chosen && kind !== 'metadata')) {
          assert.deepEqual(rest[field.name], defaultOf(field) ?? null, field.name)
        }
        for (const { name } of unset.filter(({ chosen }) => chosen))
          assert.ok(rest[name] !== null && name in rest, name)
        if (resource.fields.metadata) assert.deepEqual(rest.metadata, createdMetadata(resource))
      })

      await t.test(`POST /${path}: the created record has every field as sent, and so has GET`, async () => {
        const body = await fullBody(client, resource)

        const created = await client.post(`/${path}`, body)
        const got = await client.get(`/${path}/${created.body.data.id}`)

        const expected = { ...body, metadata: createdMetadata(resource, body.metadata) }
        for (const { name } of fieldsOf(resource)) {
          assert.deepEqual(created.body.data[name], expected[name as 'metadata'], name)
        }
        assert.equal(got.status, 200)
        assert.deepEqual(got.body.data, recordOf(resource, created))
      })

      await t.test(`POST /${path}: null means the default`, async () => {
        const optional = fieldsOf(resource).filter((field) => !isNeeded(field))
        const nulls = Object.fromEntries(optional.map(({ name }) => [name, null]))

        const created = await make(client, resource.name, nulls)

        const plain = await make(client, resource.name)
        for (const { name } of optional.filter(({ kind }) => kind !== 'position')) {
          assert.deepEqual(created[name], plain[name], name)
        }
      })

      await t.test(`POST /${path}: unknown members are ignored`, async () => {
        const unknown = {
          id: unknownId,
          created_at: '2001-01-01',
          deleted_at: '2001-01-01',
          workspace_id: 7,
          nonsense: [],
        }

        const created = await make(client, resource.name, unknown)

        const plain = await make(client, resource.name)
        assert.notEqual(created.id, unknownId)
        assert.equal(created.created_at, plain.created_at)
        assert.deepEqual(Object.keys(created), Object.keys(plain))
      })
    }

    for (const id of [unknownId, 'no-uuid', '7', `${unknownId}0`, '%00', 'null']) {
      await t.test(`/${path}/:id: there is no record with the id ${id}`, async () => {
        const url = `/${path}/${id}`

        const responses = [await client.get(url)]
        if (offers(resource, 'PATCH')) responses.push(await client.patch(url, touch(resource).valid))
        if (offers(resource, 'DELETE')) responses.push(await client.delete(url))

        for (const response of responses) assertError(response, 404, 'NOT_FOUND', `${label} not found`)
      })
    }

    if (offers(resource, 'DELETE')) {
      await t.test(`DELETE /${path}/:id: a deleted record appears nowhere`, async () => {
        const { client } = await server.company('Deleting')
        const staying = await clear(client, resource)
        const remaining = await make(client, resource.name)
        const { id } = await make(client, resource.name)
        const url = `/${path}/${id}`

        const deleted = await client.delete(url)

        assert.deepEqual([deleted.status, deleted.body], [200, { data: { deleted: true } }])
        const after = [await client.get(url), await client.delete(url)]
        if (offers(resource, 'PATCH')) after.push(await client.patch(url, touch(resource).valid))
        for (const response of after) assertError(response, 404, 'NOT_FOUND', `${label} not found`)
        for (const query of ['', '?created_at[gte]=2000-01-01', '?page=1']) {
          const { body } = await client.get(`/${path}${query}`)
          assert.deepEqual(idsOf(body.data), [...staying, remaining.id])
          assert.equal(body.pagination.total, staying.length + 1)
        }
      })
    }
  })
}
