import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../../src/engine/records/define.ts'
import { assertError } from '../support/client.ts'
import {
  fieldsOf,
  freelyPatchedOf,
  fullBody,
  offers,
  patchedOf,
  tested,
  touch,
  unknownId,
} from '../support/contract.ts'
import { make, newBody } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

/** Whether null is invalid for a field without a message of its own (decision B6). */
const isNeverEmpty = ({ nullable, kind, required }: Field) => !nullable && kind !== 'metadata' && required === undefined

for (const resource of tested.filter((each) => offers(each, 'PATCH'))) {
  const { path } = resource
  const { valid, invalid } = touch(resource)

  test(`Patches of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    for (const field of freelyPatchedOf(resource)) {
      await t.test(`PATCH /${path}/:id: setting ${field.name} changes it and updated_at only`, async () => {
        const before = await make(client, resource.name)
        const value = (await fullBody(client, resource))[field.name]
        server.clock.advance(1000)

        const { status, body } = await client.patch(`/${path}/${before.id}`, { [field.name]: value })

        const got = await client.get(`/${path}/${before.id}`)
        assert.equal(status, 200)
        assert.deepEqual(body.data[field.name], value)
        assert.equal(body.data.created_at, before.created_at)
        assert.equal(body.data.updated_at, new Date(server.clock.now()).toISOString())
        assert.deepEqual(got.body, body)
        const isPlaced = ({ kind }: Field) => kind === 'position' && field.name === resource.within // it is the last one there
        for (const other of fieldsOf(resource).filter((each) => each.name !== field.name && !isPlaced(each))) {
          assert.deepEqual(body.data[other.name], before[other.name], other.name)
        }
      })
    }

    for (const { name, kind } of patchedOf(resource).filter(({ nullable, kind }) => nullable || kind === 'metadata')) {
      await t.test(`PATCH /${path}/:id: null clears ${name}`, async () => {
        const { id } = await make(client, resource.name, await fullBody(client, resource))

        const { status, body } = await client.patch(`/${path}/${id}`, { [name]: null })

        assert.equal(status, 200)
        assert.deepEqual(body.data[name], kind === 'metadata' ? {} : null)
      })
    }

    for (const field of patchedOf(resource).filter(isNeverEmpty)) {
      await t.test(`PATCH /${path}/:id: null is refused for ${field.name}, which always has a value`, async () => {
        const before = await make(client, resource.name, await fullBody(client, resource))

        const response = await client.patch(`/${path}/${before.id}`, { [field.name]: null })

        assertError(response, 400, 'VALIDATION_ERROR', `${field.label} must not be empty`, [field.name])
        assert.equal(response.body.error.details[0].code, 'INVALID_VALUE')
        assert.deepEqual((await client.get(`/${path}/${before.id}`)).body.data, before)
      })
    }

    for (const field of patchedOf(resource).filter(({ required }) => required !== undefined)) {
      for (const value of [null, '', ' \t\n']) {
        await t.test(
          `PATCH /${path}/:id: ${JSON.stringify(value)} is refused for ${field.name}, which is required`,
          async () => {
            const { id } = await make(client, resource.name)

            const response = await client.patch(`/${path}/${id}`, { [field.name]: value })

            if (value === null) assertError(response, 400, 'VALIDATION_ERROR', field.required, [field.name])
            else assertError(response, 400, 'VALIDATION_ERROR', undefined, [field.name])
          },
        )
      }
    }

    await t.test(`PATCH /${path}/:id: a patch that changes nothing writes nothing`, async () => {
      const body = await fullBody(client, resource)
      const before = await make(client, resource.name, body)
      const free = new Set(freelyPatchedOf(resource).map(({ name }) => name))
      const given = Object.fromEntries(Object.entries(body).filter(([name]) => free.has(name)))
      const sent = { ...given, ...(before.metadata && { metadata: before.metadata }) }
      server.clock.advance(1000)

      const patched = await client.patch(`/${path}/${before.id}`, sent)

      assert.equal(patched.status, 200)
      assert.deepEqual(patched.body.data, before)
    })

    for (const body of [{}, { id: unknownId, created_at: '2001-01-01', updated_at: null, nonsense: 1 }]) {
      await t.test(`PATCH /${path}/:id: a body without a field is refused: ${JSON.stringify(body)}`, async () => {
        const before = await make(client, resource.name)

        const response = await client.patch(`/${path}/${before.id}`, body)

        assertError(response, 400, 'INVALID_REQUEST', 'No fields to update')
        assert.deepEqual((await client.get(`/${path}/${before.id}`)).body.data, before)
      })
    }

    await t.test(`PATCH /${path}/:id: unknown members are ignored`, async () => {
      const before = await make(client, resource.name)

      const { body } = await client.patch(`/${path}/${before.id}`, { ...valid, id: unknownId, nonsense: 1 })

      assert.deepEqual(body.data, { ...before, ...valid })
    })

    await t.test(`PATCH /${path}/:id: a patch with one invalid field changes nothing`, async () => {
      const before = await make(client, resource.name)

      const response = await client.patch(`/${path}/${before.id}`, {
        ...(await fullBody(client, resource)),
        ...invalid,
      })

      assertError(response, 400, 'VALIDATION_ERROR', undefined, Object.keys(invalid))
      assert.deepEqual((await client.get(`/${path}/${before.id}`)).body.data, before)
    })

    await t.test(`PATCH /${path}/:id: the body is validated before the record is looked up`, async () => {
      const empty = await client.patch(`/${path}/${unknownId}`, {})
      const refused = await client.patch(`/${path}/${unknownId}`, { ...newBody(resource), ...invalid })

      assertError(empty, 400, 'INVALID_REQUEST', 'No fields to update')
      assertError(refused, 400, 'VALIDATION_ERROR', undefined, Object.keys(invalid))
    })
  })
}
