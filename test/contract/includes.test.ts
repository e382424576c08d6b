import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src/engine/records/define.ts'
import { assertError } from '../support/client.ts'
import { listPath, offers, tested } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { validOf } from '../support/samples.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

/** The name in `include`, and the member that it adds. */
function includesOf({ relations, collections }: Resource): [name: string, key: string][] {
  const arrays = Object.entries(collections).map(([name, { as }]): [string, string] => [name, as])
  return [...Object.keys(relations).map((name): [string, string] => [name, name]), ...arrays]
}

function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

for (const resource of tested) {
  const { path, relations, collections } = resource
  const includes = includesOf(resource)
  const keys = includes.map(([, key]) => key)

  test(`Includes of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    await t.test(`GET /${path}: a list without include shows no relations or collections`, async () => {
      await make(client, resource.name)

      const { body } = await client.get(`/${path}`)

      for (const key of keys) assert.equal(key in body.data[0], false, key)
    })

    await t.test(
      `GET /${path}/:id: a single record shows all relations and collections, with and without include`,
      async () => {
        const made = await make(client, resource.name)

        for (const query of ['', ...includes.map(([name]) => `?include=${name}`)]) {
          const { status, body } = await client.get(`/${path}/${made.id}${query}`)

          assert.equal(status, 200)
          assert.deepEqual(body.data, made)
          for (const key of keys) assert.ok(key in body.data, key)
        }
      },
    )

    for (const name of [
      'nonsense',
      '',
      'constructor',
      'metadata',
      ...includes.slice(0, 1).map(([each]) => `${each},x`),
    ]) {
      await t.test(`GET /${path}: include="${name}" is refused, for lists and single records`, async () => {
        const { id } = await make(client, resource.name)

        const responses = [
          await client.get(listPath(resource, { include: name })),
          await client.get(`/${path}/${id}?include=${name}`),
        ]

        for (const response of responses) {
          assertError(response, 400, 'VALIDATION_ERROR', undefined, ['include'])
          for (const [allowed] of includes) assert.match(response.body.error.message, new RegExp(`\\b${allowed}\\b`))
        }
      })
    }

    if (includes.length > 0) {
      await t.test(`GET /${path}: include takes names in any order and shows only these`, async () => {
        const made = await make(client, resource.name)
        const wanted = [...includes.map((one) => [one]), includes, [...includes].reverse()]

        for (const some of wanted) {
          const { body } = await client.get(listPath(resource, { include: some.map(([name]) => name).join() }))

          const found = body.data.find(({ id }: JsonRecord) => id === made.id)
          for (const [name, key] of includes) {
            if (some.some(([each]) => each === name)) assert.deepEqual(found[key], made[key], key)
            else assert.equal(key in found, false, key)
          }
        }
      })
    }

    for (const [name, { by }] of Object.entries(relations).filter(([, { by }]) => resource.fields[by]!.readonly)) {
      await t.test(`/${path}: ${name} is null if the service has not set it`, async () => {
        const made = await make(client, resource.name)

        assert.deepEqual([made[by], made[name]], [null, null])
      })
    }

    for (const [name, { target, by, fields }] of Object.entries(relations).filter(
      ([, { by }]) => !resource.fields[by]!.readonly,
    )) {
      await t.test(`/${path}: ${name} is an object with the fields of the relation`, async () => {
        const related = await make(client, target.name)
        const made = await make(client, resource.name, { [by]: related.id })

        const { body } = await client.get(listPath(resource, { include: name, [by]: related.id }))

        assert.deepEqual(made[name], pick(related, fields))
        assert.deepEqual(body.data[0][name], pick(related, fields))
      })

      if (resource.fields[by]?.nullable) {
        await t.test(`/${path}: ${name} is null if the reference is empty`, async () => {
          const made = await make(client, resource.name, { [by]: null })

          assert.deepEqual([made[by], made[name]], [null, null])
        })
      }

      if (offers(target, 'PATCH')) {
        await t.test(`GET /${path}/:id: ${name} shows the current values`, async () => {
          const related = await make(client, target.name)
          const { id } = await make(client, resource.name, { [by]: related.id })
          const required = Object.values(target.fields).find(
            (field) => field.required !== undefined && field.kind === 'text',
          )!
          const renamed = await client.patch(`/${target.path}/${related.id}`, { [required.name]: 'Umbenannt' })

          const { body } = await client.get(`/${path}/${id}`)

          assert.deepEqual(body.data[name], pick(renamed.body.data, fields))
        })
      }

      if (offers(target, 'DELETE') && by !== resource.partOf) {
        const refused = target.about.conflicts?.delete !== undefined
        const outcome = refused ? 'stays if its record cannot be deleted' : 'is null after its record has been deleted'
        await t.test(`/${path}: ${name} ${outcome}, and the reference stays`, async () => {
          const related = await make(client, target.name)
          const { id } = await make(client, resource.name, { [by]: related.id })

          const deleted = await client.delete(`/${target.path}/${related.id}`)

          const got = (await client.get(`/${path}/${id}`)).body.data
          const listed = (await client.get(listPath(resource, { include: name, [by]: related.id }))).body.data[0]
          const shown = refused ? pick(related, fields) : null
          assert.equal(deleted.status, refused ? 409 : 200)
          assert.deepEqual([got[by], got[name]], [related.id, shown])
          assert.deepEqual([listed[by], listed[name]], [related.id, shown])
        })
      }
    }

    for (const [name, { as, fields }] of Object.entries(collections)) {
      await t.test(`/${path}: ${as} is an array in the order of creation, empty if there are none`, async () => {
        const [field] = Object.values(fields).filter(({ required }) => required !== undefined)
        const [first, second] = await validOf(client, field!)
        const items = [{ [field!.name]: second }, { [field!.name]: first }]

        const made = await make(client, resource.name, { [name]: items })
        const bare = await make(client, resource.name)

        assert.deepEqual(
          made[as].map((item: JsonRecord) => item[field!.name]),
          [second, first],
        )
        for (const item of made[as]) assert.deepEqual(Object.keys(item), ['id', ...Object.keys(fields)])
        assert.deepEqual(bare[as], [])
      })
    }
  })
}
