import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../../src/features/index.ts'
import { assertError } from '../support/client.ts'
import { offers, touch, unknownId } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision B14 */
for (const resource of resources) {
  test(`ETags of ${resource.path}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const fresh = async () => {
      const { id } = await make(client, resource.name)
      const url = `/${resource.path}/${id}`
      return { url, etag: (await client.get(url)).headers.get('etag')! }
    }

    await t.test('An ETag is strong, and changes only with the response', async () => {
      const { url, etag } = await fresh()

      assert.match(etag, /^"[\w-]{22}(?:\.[\w-]{22})?"$/) // the second part is that of fields which deliveries change
      assert.equal((await client.get(url)).headers.get('etag'), etag)
    })

    await t.test('A GET whose If-None-Match has the current ETag, compared weakly, is 304 without a body', async () => {
      const { url, etag } = await fresh()

      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const response = await client.get(url, { 'If-None-Match': known })

        assert.deepEqual([response.status, response.body, response.headers.get('etag')], [304, undefined, etag])
        assert.ok(response.headers.get('x-ratelimit-limit'))
        assert.equal(response.headers.get('content-type'), null)
      }
    })

    await t.test('A GET whose If-None-Match has another ETag returns the record', async () => {
      const { url } = await fresh()

      for (const other of ['"x"', '', 'nonsense']) {
        assert.equal((await client.get(url, { 'If-None-Match': other })).status, 200)
      }
    })

    if (!offers(resource, 'PATCH')) return

    await t.test('POST and PATCH return the ETag of the new state', async () => {
      const { url } = await fresh()

      const patched = await client.patch(url, touch(resource).valid, { 'If-None-Match': '*' }) // which is for reads

      assert.equal(patched.status, 200)
      assert.equal(patched.headers.get('etag'), (await client.get(url)).headers.get('etag'))
    })

    await t.test('A PATCH with If-Match succeeds only if the ETag is current', async () => {
      const { url, etag } = await fresh()

      const { valid } = touch(resource)
      const first = await client.patch(url, valid, { 'If-Match': `"x", ${etag}` })
      const late = await client.patch(url, { ...touch(resource).valid, name: 'Late' }, { 'If-Match': etag })
      const weakAndLate = await client.patch(url, touch(resource).valid, { 'If-Match': `W/${etag}` })
      const weak = await client.patch(url, valid, { 'If-Match': `W/${first.headers.get('etag')}` })
      const any = await client.patch(url, valid, { 'If-Match': '*' })

      for (const response of [late, weakAndLate]) assertError(response, 412, 'CONFLICT')
      for (const response of [first, weak, any]) assert.equal(response.status, 200)
      assert.deepEqual((await client.get(url)).body, first.body)
    })

    await t.test('Validation errors and 404 take precedence over If-Match', async () => {
      const { url } = await fresh()
      const stale = { 'If-Match': '"stale"' }

      assertError(await client.patch(url, touch(resource).invalid, stale), 400, 'VALIDATION_ERROR')
      assertError(await client.patch(`/${resource.path}/${unknownId}`, touch(resource).valid, stale), 404, 'NOT_FOUND')
    })

    if (!offers(resource, 'DELETE')) return

    await t.test('A DELETE with If-Match succeeds only if the ETag is current', async () => {
      const { url, etag } = await fresh()

      const late = await client.delete(url, { 'If-Match': '"stale"' })
      const unchanged = await client.get(url)
      const current = await client.delete(url, { 'If-Match': etag })
      const gone = await client.delete(url, { 'If-Match': etag })

      assertError(late, 412, 'CONFLICT')
      assert.deepEqual([unchanged.status, current.status], [200, 200])
      assertError(gone, 404, 'NOT_FOUND')
    })
  })
}

test('An ETag covers relations: it changes with the organization of a contact', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const organization = await make(client, 'organization')
  const contact = await make(client, 'contact', { organization_id: organization.id })
  const etag = (await client.get(`/api-v1-contacts/${contact.id}`)).headers.get('etag')!

  await client.patch(`/api-v1-organizations/${organization.id}`, { name: 'Renamed' })

  const response = await client.get(`/api-v1-contacts/${contact.id}`, { 'If-None-Match': etag })
  assert.deepEqual([response.status, response.body.data.organization.name], [200, 'Renamed'])
})

test('Of concurrent patches with the same ETag exactly one succeeds', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'deal')
  const url = `/api-v1-deals/${id}`
  const etag = (await client.get(url)).headers.get('etag')!

  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, value) => client.patch(url, { value: value + 1 }, { 'If-Match': etag })),
  )

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)])
})

test('The actions of a record also honor If-Match', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'task')
  const url = `/api-v1-tasks/${id}`

  const late = await client.request('PATCH', `${url}/complete`, { headers: { 'If-Match': '"stale"' } })

  assertError(late, 412, 'CONFLICT')
  assert.equal((await client.get(url)).body.data.status, 'pending')
})
