import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newOwner, password, visit } from '../support/visitor.ts'

/** The headers with which browsers send a request for a page of another site. */
const crossSite: Record<string, Record<string, string>> = {
  'without the header that only the console sends': { 'Kontor-Environment': '' },
  'from another site': { 'Sec-Fetch-Site': 'cross-site' },
  'from a sibling domain': { 'Sec-Fetch-Site': 'same-site' },
  'with the origin of another site and no Sec-Fetch-Site': { Origin: 'https://evil.example' },
  'from a page without an origin': { Origin: 'null' },
}

for (const [name, headers] of Object.entries(crossSite)) {
  test(`A request ${name} has no session`, async (t) => {
    const server = await start(t)
    const owner = await newOwner(server)

    assertError(await owner.get('/api-v1-deals', headers), 401, 'UNAUTHORIZED')
    assertError(await owner.post('/api-v1-organizations', { name: 'Evil' }, headers), 401, 'UNAUTHORIZED')
    assertError(await owner.post('/console/users', {}, headers), 403, 'INSUFFICIENT_PERMISSIONS')
    assertError(await owner.delete('/console/session', headers), 403, 'INSUFFICIENT_PERMISSIONS')
    const signIn = { email: 'ada@acme.example', password }
    assertError(await visit(server.url).post('/console/session', signIn, headers), 403, 'INSUFFICIENT_PERMISSIONS')
    assert.equal((await owner.get('/api-v1-organizations')).body.pagination.total, 0)
  })
}

test("The console's own requests are accepted from old and new browsers", async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)

  const own: Record<string, string>[] = [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: server.url }]
  for (const headers of own) {
    assert.equal((await owner.post('/api-v1-organizations', { name: 'Nordwind' }, headers)).status, 201)
  }
})

test('Pages of another origin cannot read any response', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)

  const { headers } = await owner.get('/api-v1-deals', { Origin: server.url })

  assert.equal(headers.get('access-control-allow-origin'), null)
})

test("A request with a key and a session counts as the key's", async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)

  assertError(await owner.get('/api-v1-deals', { Authorization: 'Bearer nonsense' }), 401, 'INVALID_API_KEY')
})
