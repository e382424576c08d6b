import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { fieldsOf, idsOf, offers, patchedOf, tested, unknownId } from '../support/contract.ts'
import { bodyFor, make } from '../support/make.ts'
import { refusedOf } from '../support/samples.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

for (const resource of tested.filter((each) => offers(each, 'POST'))) {
  const { path } = resource
  const fields = fieldsOf(resource)
  const textFields = fields.filter(({ kind }) => kind === 'text')

  const isPatched = (name: string) => patchedOf(resource).some((field) => field.name === name)

  /** The responses to a create request and, if the resource has one, to a patch request. */
  async function write(client: Client, body: Record<string, unknown>): Promise<ApiResponse[]> {
    const created = await client.post(`/${path}`, await bodyFor(client, resource, body))
    if (!offers(resource, 'PATCH') || !Object.keys(body).every(isPatched)) return [created]
    const taken = created.status === 201 && resource.unique !== undefined && resource.unique in body
    if (taken) await client.delete(`/${path}/${created.body.data.id}`)
    const { id } = await make(client, resource.name)
    return [created, await client.patch(`/${path}/${id}`, body)]
  }

  test(`Fields of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    for (const field of fields) {
      await t.test(`/${path}: ${field.name} refuses invalid values`, async () => {
        for (const { value, code } of refusedOf(field)) {
          for (const response of await write(client, { [field.name]: value })) {
            assertError(response, 400, 'VALIDATION_ERROR', undefined, [field.name])
            assert.equal(response.body.error.details[0].code, code, JSON.stringify(value))
          }
        }
      })
    }

    for (const field of fields.filter(({ required }) => required !== undefined)) {
      await t.test(`POST /${path}: ${field.name} is required, with its own message`, async () => {
        const { [field.name]: _, ...rest } = await bodyFor(client, resource)

        const responses = [
          await client.post(`/${path}`, rest),
          await client.post(`/${path}`, { ...rest, [field.name]: null }),
        ]

        for (const response of responses) {
          assertError(response, 400, 'VALIDATION_ERROR', field.required, [field.name])
          assert.equal(response.body.error.details[0].code, 'REQUIRED')
        }
      })
    }

    for (const field of textFields) {
      await t.test(
        `/${path}: ${field.name} is trimmed, and then at most ${field.shape.maxLength} characters long`,
        async () => {
          const longest = 'ü'.repeat(Number(field.shape.maxLength))

          const fitting = await write(client, { [field.name]: ` ${longest}\n` })
          const longer = await write(client, { [field.name]: `${longest}x` })

          for (const response of fitting) assert.equal(response.body.data[field.name], longest)
          for (const response of longer) {
            assertError(response, 400, 'VALIDATION_ERROR', undefined, [field.name])
            assert.equal(response.body.error.details[0].code, 'TOO_LONG')
          }
        },
      )

      await t.test(`/${path}: ${field.name} refuses U+0000 anywhere`, async () => {
        for (const value of ['\0', 'a\0', '\0b', 'a\0b']) {
          for (const response of await write(client, { [field.name]: value })) {
            assertError(response, 400, 'VALIDATION_ERROR', undefined, [field.name])
          }
        }
      })
    }

    for (const field of textFields.filter(({ nullable }) => nullable)) {
      await t.test(`/${path}: empty text in ${field.name} is stored as null`, async () => {
        for (const value of ['', ' \t\n ']) {
          for (const response of await write(client, { [field.name]: value })) {
            assert.ok(response.status < 300)
            assert.equal(response.body.data[field.name], null)
          }
        }
      })
    }

    for (const { name, target, missing } of fields.filter(({ target }) => target !== undefined)) {
      await t.test(`/${path}: ${name} refuses the id of an unknown or deleted record`, async () => {
        const gone = offers(target!, 'DELETE') ? [await make(client, target!.name)] : []
        for (const { id } of gone) await client.delete(`/${target!.path}/${id}`)

        for (const id of [unknownId, ...idsOf(gone)]) {
          for (const response of await write(client, { [name]: id })) {
            assertError(response, 400, 'VALIDATION_ERROR', missing, [name])
          }
        }
      })
    }

    await t.test(
      `/${path}: every invalid field is reported, in the order of the fields, with the message of the first`,
      async () => {
        const all = [...fields.map((field) => [field.name, refusedOf(field)[0]!.value])].reverse()
        const items = Object.keys(resource.collections).map((name) => [name, 5])
        const body = Object.fromEntries([...items, ...all])
        const names = fields.map(({ name }) => name)

        const [created, patched] = await write(client, body)

        assertError(created!, 400, 'VALIDATION_ERROR', undefined, [...names, ...Object.keys(resource.collections)])
        if (patched) assertError(patched, 400, 'VALIDATION_ERROR', undefined, names)
        for (const { body } of [created!, ...(patched ? [patched] : [])]) {
          assert.equal(body.error.message, body.error.details[0].message)
        }
      },
    )
  })
}
