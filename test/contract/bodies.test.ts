import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '../../src/engine/records/definition/about.ts'
import { resources } from '../../src/features/index.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { fieldsOf, isTested, pathOf } from '../support/contract.ts'
import { document, isValid, resolve } from '../support/described.ts'
import { declareUnique, uniqueKey } from '../support/fields.ts'
import { ended } from '../support/imports.ts'
import { make, newItems, newLinks } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { start } from '../support/start.ts'
import { beyondSchemas, type Fault } from './beyond-schemas.ts'
import { type Ids, mutated, trimmed, validValue } from './random-bodies.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const [casesPerOperation, recordsPerImport] = [50 * rounds, 100 * rounds]
/** Chance decides how many are accepted, so more bodies follow until so many were. */
const [takenMin, casesMax] = [5 * rounds, 20 * casesPerOperation]

/** KONTOR_TEST_SEED repeats the bodies of an earlier run. */
const seed = Number(process.env.KONTOR_TEST_SEED ?? Date.now() % 2 ** 31)

interface Operation {
  method: string
  path: string
  schema: JsonSchema
}

/** Bodies of a server that takes mail: test/features/mail/addresses.test.ts and imap. */
const ofMail = /^\/api-v1-mail-/

// biome-ignore lint/suspicious/noExplicitAny: the document is read as JSON, as a client's tool would
const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  // biome-ignore lint/suspicious/noExplicitAny: the same
  Object.entries<any>(methods).flatMap(([method, { requestBody, security }]): Operation[] =>
    requestBody?.content['application/json'] && isTested(path) && !ofMail.test(path) && !('session' in security[0])
      ? [{ method: method.toUpperCase(), path, schema: requestBody.content['application/json'].schema }]
      : [],
  ),
)
const isImport = ({ path }: Operation) => path.startsWith('/api-v1-bulk/')

/** Creates records for every reference that a body can have. Returns their ids by the name of the field. */
async function recordsFor(client: Client): Promise<Ids> {
  const ids: Record<string, readonly string[]> = {}
  for (const { name, target } of resources.flatMap(fieldsOf)) {
    if (target) ids[name] ??= [(await make(client, target.name)).id]
  }
  return ids
}

/** Valid random bodies name no change and no record: an undo is 404, a merge 400, with this as the only mistake. */
function namesNothing(path: string, response: ApiResponse): boolean {
  if (path === '/api-v1-undo') return response.status === 404
  const faults = response.status === 400 ? faultsOf(response) : []
  return path.endsWith('/merge') && faults.length > 0 && faults.every(({ code }) => code === 'NOT_FOUND')
}

/** Whether the state of the message is in the way of a body that is valid: it is not held, or has no user. */
function isUntimely(path: string, { status }: ApiResponse): boolean {
  return path === '/api-v1-messages/{id}' && status === 409
}

/** The path with the ids of a new record and its items. */
async function pathFor(client: Client, { method, path }: Operation): Promise<string> {
  if (method === 'PUT' && !path.includes('{id}')) return `${path}?match_on=metadata.${uniqueKey}`
  if (!path.includes('{id}')) return path
  const resource = resources.find((each) => path.startsWith(`/${each.path}/`))!
  const record = await make(client, resource.name, { ...newItems(resource), ...(await newLinks(client, resource)) })
  return pathOf({ path: path.replace(/\{(\w+)\}/g, ':$1') }, resource, record)
}

/** A valid body, or one with a few errors. `match`: a value that no record has yet. */
function bodyFor(schema: JsonSchema, random: Random, ids: Ids, match?: string): unknown {
  let body = validValue(schema, random, ids)
  if (match !== undefined) body = { ...(body as object), metadata: { [uniqueKey]: match } }
  for (let fault = random.below(4); fault > 1; fault--) body = mutated(body, random)
  return body
}

function unexcused(faults: Fault[]): Fault[] {
  return faults.filter((fault) => !beyondSchemas.some(({ covers }) => covers(fault)))
}

/** Fails if the server accepts a body that is invalid by its schema, or rejects the form of a valid one. */
function judge(schema: JsonSchema, body: unknown, accepted: boolean, faults: Fault[], context: string): void {
  if (accepted)
    assert.ok(isValid(schema, trimmed(body)), `the server accepts a body that is invalid by its schema: ${context}`)
  else if (isValid(schema, body))
    assert.deepEqual(unexcused(faults), [], `the server refuses a body that is valid by its schema: ${context}`)
}

function faultsOf({ body }: ApiResponse): Fault[] {
  return body.error.code === 'VALIDATION_ERROR' ? body.error.details : []
}

test('The server accepts a body if and only if it is valid by its schema in the OpenAPI document', async (t) => {
  t.diagnostic(`KONTOR_TEST_SEED=${seed}`)
  const random = randomOf(seed)
  const server = await start(t, { rateLimits: 'off' })
  const { client } = await server.company('Acme')
  const ids = await recordsFor(client)
  await declareUnique(client)
  const { body: pipelines } = await client.get('/api-v1-pipelines?is_default=true')
  const [pipeline] = pipelines.data

  for (const operation of operations.filter((each) => !isImport(each))) {
    const { method, path, schema } = operation
    await t.test(`${method} ${path}: the server and the schema agree on random bodies`, async () => {
      let [each, taken] = [0, 0]
      for (; each < casesPerOperation || (taken < takenMin && each < casesMax); each++) {
        const target = await pathFor(client, operation)
        const body = bodyFor(schema, random, ids, method === 'PUT' ? `${path} ${each}` : undefined)
        const response = await client.request(method, target, {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
        const context = `${method} ${path} ${JSON.stringify(body).slice(0, 2_000)} ${JSON.stringify(response.body).slice(0, 1_000)} (seed ${seed})`
        const accepted = response.status < 300 || namesNothing(path, response) || isUntimely(path, response)
        if (accepted) taken++
        else assert.ok(response.status >= 400 && response.status < 500, context)
        judge(schema, body, accepted, accepted ? [] : faultsOf(response), context)
      }
      assert.ok(taken >= takenMin && taken < each, `${taken} of ${each} were accepted (seed ${seed})`)
      await client.patch(`/api-v1-pipelines/${pipeline.id}`, { is_default: true }) // one without stages may have become it
    })
  }

  for (const operation of operations.filter(isImport)) {
    const { path, schema } = operation
    const { records } = resolve(schema).properties as Record<string, JsonSchema>
    const record = records!.items as JsonSchema

    await t.test(`POST ${path}: the job and the schema agree on random records`, async () => {
      const bodies = Array.from({ length: recordsPerImport }, () => bodyFor(record, random, ids))
      // A job reports at most a hundred errors.
      for (let first = 0; first < bodies.length; first += 10) {
        const part = bodies.slice(first, first + 10)
        const response = await client.post(path, { records: part })
        const { errors } = await ended(client, response.headers.get('location')!)
        for (const [index, body] of part.entries()) {
          const faults = errors.filter(({ row }: { row: number }) => row === index + 1)
          const context = `${JSON.stringify(body).slice(0, 2_000)} ${JSON.stringify(faults).slice(0, 1_000)} (seed ${seed})`
          judge(
            record,
            body,
            faults.length === 0,
            faults.map(({ field, error }: { field: string; error: string }) => ({ field, message: error })),
            context,
          )
        }
      }
    })

    await t.test(`POST ${path}: the server and the schema agree on the list of records`, async () => {
      const complete = { ...resolve(schema), properties: { records: { ...records, items: {} } } }
      for (const body of [
        ...[{}, [], { records: null }, { records: '' }, { records: {} }, { records: [] }, { records: [{}] }],
        { records: Array(1001).fill({}) },
        { records: [5], unknown: 1 },
      ]) {
        const { status } = await client.post(path, body)
        assert.equal(status < 300, isValid(complete, body), JSON.stringify(body).slice(0, 100))
      }
    })
  }
})
