import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCompany } from '../support/company.ts'
import { start } from '../support/start.ts'
import { fillHeavy } from './heavy/company.ts'
import { type Meter, meter } from './heavy/meter.ts'
import { heavyRequestsOf, heavyRoutes } from './heavy/requests.ts'

/** How much more than a page of 50 of the largest records a request may handle in one turn of the event loop. */
const factor = 10

test('No request handles more in one turn of the event loop than a few pages of large records', async (t) => {
  let measured: Meter | undefined
  const server = await start(t, {
    work: 'thread',
    limits: { listMs: 60_000 },
    prepare(db) {
      measured = meter(db)
    },
  })
  const { id, client } = await newCompany(server.store, server.url, 'Heavy')
  const ids = await fillHeavy(server.store, id, { many: 600, large: 55 })
  measured!.reset()
  await client.get('/api-v1-contacts?limit=50&include=emails,phones,organization')
  const limit = { statements: 50 * factor, rows: 50 * factor, bytes: measured!.most.bytes * factor }
  const found: string[] = []
  for (const route of heavyRoutes) {
    const requests = heavyRequestsOf(route, ids)
    assert.ok(
      requests,
      `Say what the largest request of ${route.method} ${route.path} is (test/http/heavy/requests.ts)`,
    )
    for (const { route: name, method, target, body } of requests) {
      measured!.reset()
      const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
      const response = await client.request(method, target, body === undefined ? {} : json)
      assert.ok(response.status !== 500, `${name}: ${JSON.stringify(response.body)}`)
      const { statements, rows, bytes } = measured!.most
      // Its rows are written by a thread, whose turns are not those of the event loop.
      if (target.startsWith('/api-v1-bulk/') && response.status === 202) {
        assert.equal((await client.delete(response.headers.get('location')!)).status, 200)
      }
      if (statements > limit.statements || rows > limit.rows || bytes > limit.bytes) {
        found.push(`${name} (${target}): ${statements} statements, ${rows} rows, ${bytes} bytes`)
      }
    }
  }
  assert.deepEqual(found, [], `the limit is ${JSON.stringify(limit)}`)
})
