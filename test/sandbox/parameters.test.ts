import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { control, openSandbox } from './sandbox.ts'

test('Every control endpoint refuses an unknown parameter, and does nothing', async (t) => {
  const { client } = await openSandbox(t)
  const { body: document } = await client.get('/openapi.json')
  const controls = Object.entries<object>(document.paths).filter(([path]) => path.startsWith(control))
  const asked = controls.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method as 'get' | 'put' | 'post' | 'delete', path] as const),
  )

  for (const [method, path] of asked) {
    const filled = path.replace(/\{\w+\}/, 'two-deals')
    const url = `${filled}?unknown=1`
    const body = path.endsWith('/faults') ? [] : {}
    const response = await (method === 'get' || method === 'delete' ? client[method](url) : client[method](url, body))
    assertError(response, 400, 'VALIDATION_ERROR', undefined, ['unknown'])
  }

  assert.ok(asked.length >= 18)
  assert.deepEqual((await client.get(`${control}/snapshots`)).body.data, [])
})
