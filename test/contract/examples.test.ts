import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/crm/index.ts'
import { isTested } from '../support/contract.ts'
import { ExampleWorld, examples } from '../support/examples.ts'
import { start } from '../support/start.ts'

test('Every operation that takes a key has an example', () => {
  const exemplified = examples.map(({ method, path }) => `${method} ${path}`)

  for (const { method, path } of routes) {
    assert.ok(exemplified.includes(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`), `${method} ${path}`)
  }
})

test('Every operation with a body has an example of it that names a field', () => {
  for (const { id, method, body } of examples) {
    if (body !== undefined) assert.ok(Object.keys(body).length > 0, `${method} ${id}`)
  }
})

test('The examples are true', async (t) => {
  const server = await start(t, { work: 'nowhere' }) // imports stay as they were submitted
  for (const example of examples.filter(({ path }) => isTested(path))) {
    await t.test(`of ${example.id}`, async () => {
      const { client } = await server.company('Acme')
      await new ExampleWorld(client).run(example)
    })
  }
})
