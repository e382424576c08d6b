import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { createdMetadata, offers, tested } from '../support/contract.ts'
import { bodyFor, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const bytesMax = 65_536
const depthMax = 32

/** An object whose JSON has this many bytes. */
const sized = (bytes: number) => ({ k: `${'ü'.repeat((bytes - 8) / 2)}${'x'.repeat(bytes % 2)}` })
const nested = (depth: number): object => (depth === 1 ? {} : { in: nested(depth - 1) })
const nestedArrays = (depth: number): unknown[] => (depth === 1 ? [] : [nestedArrays(depth - 1)])

for (const resource of tested.filter((each) => each.fields.metadata && offers(each, 'POST'))) {
  const { path } = resource

  /** Sends JSON text as metadata in a create request and, if the resource has one, in a patch request. */
  async function write(client: Client, metadata: string): Promise<ApiResponse[]> {
    const headers = { 'Content-Type': 'application/json' }
    const filled = (body: object) => JSON.stringify({ ...body, metadata: '@' }).replace('"@"', () => metadata)
    const body = filled(await bodyFor(client, resource))
    const created = await client.request('POST', `/${path}`, { headers, body })
    if (!offers(resource, 'PATCH')) return [created]
    const { id } = await make(client, resource.name)
    return [created, await client.request('PATCH', `/${path}/${id}`, { headers, body: filled({}) })]
  }

  test(`Metadata of ${path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    const faults: [what: string, metadata: string][] = [
      ['an array', '[]'],
      ['a string', '"a"'],
      ['a number', '5'],
      ['a flag', 'false'],
      ['65 KiB', JSON.stringify(sized(66_560))],
      ['one byte too many', JSON.stringify(sized(bytesMax + 1))],
      ['objects 33 deep', JSON.stringify(nested(depthMax + 1))],
      ['arrays 33 deep', JSON.stringify({ in: nestedArrays(depthMax) })],
      ['a number that is too large', '{"n":1e400}'],
      ['such a number in an array', '{"n":[-1e400]}'],
      ['an integer that a double cannot represent', '{"n":9007199254740993}'],
      ['such a decimal, deep inside', '{"a":[{"b":1.2345678901234567890}]}'],
      ['U+0000 in a value', '{"a":"x\\u0000"}'],
      ['U+0000 in a name', '{"a\\u0000":1}'],
    ]
    for (const [what, metadata] of faults) {
      await t.test(`/${path}: metadata refuses ${what}`, async () => {
        const responses = await write(client, metadata)

        for (const response of responses) assertError(response, 400, 'VALIDATION_ERROR', undefined, ['metadata'])
      })
    }

    const accepted: [what: string, metadata: unknown][] = [
      ['64 KiB', sized(bytesMax)],
      ['objects 32 deep', nested(depthMax)],
      ['arrays 32 deep', { in: nestedArrays(depthMax - 1) }],
      ['the largest integers', { max: Number.MAX_SAFE_INTEGER, even: 2 ** 53 + 2, large: 1e23 }],
      ['long decimals', { n: 0.1234567890123456, pi: Math.PI, tiny: 5e-324 }],
      ['every type of JSON', { s: 'ü"\\/', n: -1.5e-7, t: true, f: false, z: null, a: [1, 'a', {}], o: { p: [] } }],
      ['an escaped backslash before u0000', { s: '\\u0000' }],
      ['an empty name', { '': '' }],
    ]
    for (const [what, metadata] of accepted) {
      await t.test(`/${path}: metadata returns ${what} unchanged`, async () => {
        const responses = await write(client, JSON.stringify(metadata))

        for (const { status, body } of responses) {
          const expected = status === 201 ? createdMetadata(resource, metadata) : metadata
          assert.deepEqual(body.data.metadata, expected)
          assert.deepEqual((await client.get(`/${path}/${body.data.id}`)).body.data.metadata, expected)
        }
      })
    }

    if (offers(resource, 'PATCH')) {
      await t.test(`PATCH /${path}/:id: metadata is replaced as a whole`, async () => {
        const { id } = await make(client, resource.name, { metadata: { a: 1, b: { c: 2 } } })

        const { body } = await client.patch(`/${path}/${id}`, { metadata: { b: {} } })

        assert.deepEqual(body.data.metadata, { b: {} })
      })
    }
  })
}
