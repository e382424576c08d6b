import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../src/access/scopes.ts'
import { routes } from '../../src/features/index.ts'
import { start } from '../support/start.ts'

const paths = routes.flatMap(({ method, path }) => (method === 'GET' && !path.includes(':') ? [path] : []))

/** A search and a summary by nothing need a parameter. */
const expected = [200, 400, 403]

for (const scope of scopes) {
  test(`A key with ${scope} alone gets a response of each path, or none for want of a scope`, async (t) => {
    const server = await start(t)
    const { client, key } = await server.company('Acme')
    await client.post('/api-v1-organizations', { name: 'Nordwind' })
    const limited = await key({ scopes: [scope] })

    const statuses = new Map<string, number>()
    for (const path of paths) statuses.set(path, (await limited.get(path)).status)

    assert.deepEqual(
      [...statuses].filter(([, status]) => !expected.includes(status)),
      [],
    )
    assert.equal(statuses.get('/api-v1-bulk/jobs'), 200)
  })
}
