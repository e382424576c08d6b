import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/features/index.ts'
import { ExampleWorld, examples } from '../http/examples.ts'
import { isSelfContained, isTested } from '../support/contract.ts'
import { runBatches } from '../support/imports.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

test('Every operation of the API has an example', () => {
  const exemplified = examples.map(({ method, path }) => `${method} ${path}`)

  for (const { method, path } of routes) {
    assert.ok(exemplified.includes(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`), `${method} ${path}`)
  }
})

test('Every example body has a field', () => {
  for (const { id, method, body } of examples) {
    if (body !== undefined) assert.ok(Object.keys(body).length > 0, `${method} ${id}`)
  }
})

test('The server returns the responses of the examples', async (t) => {
  const server = await start(t, { work: 'nowhere' }) // imports stay queued
  for (const example of examples.filter(({ path }) => isTested(path) && isSelfContained(path))) {
    await t.test(`${example.method} ${example.path}: the example of ${example.id} is correct`, async () => {
      const world = await ExampleWorld.create(server, () => runBatches(server.store))
      await world.run(example)
    })
  }
})
