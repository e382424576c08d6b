import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../../src/features/index.ts'
import type { Operation } from '../../src/http/openapi/operation.ts'
import { importIntoPostman } from '../http/postman.ts'
import { sandboxDocument } from '../support/described.ts'
import { openSandbox, sandboxKey } from './sandbox.ts'

/** The requests that fail, by what the demo lacks or a sandbox refuses, besides those of resources without a record, such as webhooks. */
const failing: Readonly<Record<string, string[]>> = {
  'no unique declared field': [
    '400 Create or update a deal',
    '400 Create or update a stage',
    '400 Create or update a task',
  ],
  'the field of the example exists': ['409 Create a field'],
  'the deal of the example is another one': ['400 Create a line item', '400 Create or update a line item'],
  'every stage has deals': ['409 Delete a stage'],
  'the only pipeline is the default one': ['409 Delete a pipeline'],
  'the body is a file': ['415 Upload a file', '415 Deliver a message'],
  'a sandbox takes mail with a key only': [
    ...['404 Deliver a message without a key', '403 Create a mail source', '403 Update a mail source'],
  ],
  'the demo has no addresses and mailboxes': [
    ...['404 Get a mail address', '404 Delete a mail address', '404 Replace a mail address by a new one'],
    ...['404 Get a mail source', '404 Delete a mail source'],
    ...['404 Get an ignored sender', '404 Delete an ignored sender'],
  ],
  'no original of a message': ['404 Download a message as it was received'],
  'no key except its own': ['409 Update an API key', '409 Revoke an API key'],
  'no job': ['404 Get a job', '404 Cancel a job', '404 Get the result of each record'],
  'no proposal': ['404 Get a proposal'],
  'only for signed-in users': ['401 Apply a proposal', '401 Reject a proposal'],
}
const succeedingMin = 113

test('A Postman collection of a sandbox with the demo data runs in order as it is, except for what the demo does not have', async (t) => {
  const { url, client } = await openSandbox(t, 'demo')
  const missing: string[] = []
  for (const { path } of resources) {
    if ((await client.get(`/${path}`)).body.pagination.total === 0) missing.push(`/${path}/`)
  }
  const requests = await importIntoPostman(await (await fetch(`${url}/openapi.json`)).json())
  const failed: string[] = []
  let succeeding = 0

  for (const { name, method, url: given, headers, body } of requests) {
    const variables: Record<string, string> = { baseUrl: url, bearerToken: sandboxKey }
    const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, variable) => variables[variable]!)
    const { status } = await fetch(filled(given), {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, filled(value)])),
      ...(body !== undefined && { body }),
    })
    if (status < 300) succeeding++
    else if (!missing.some((path) => given.includes(path))) failed.push(`${status} ${name}`)
  }

  assert.ok(succeeding >= succeedingMin, `${succeeding} of ${requests.length} succeed`)
  assert.deepEqual(failed.toSorted(), Object.values(failing).flat().toSorted())
})

test('The document of an empty sandbox keeps the ids of the examples', async (t) => {
  const { url } = await openSandbox(t)

  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as typeof sandboxDocument

  const idIn = ({ parameters }: Operation) => parameters.find(({ name }) => name === 'id')!.example
  const [served, described] = [paths, sandboxDocument.paths].map((each) => idIn(each['/api-v1-contacts/{id}']!.get!))
  assert.equal(served, described)
})
