import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { contentsSetting } from '../../../src/commands/contents.ts'
import { contentSettings } from '../../../src/config/content-settings.ts'
import { readConfig } from '../../../src/config.ts'
import type { Contents } from '../../../src/content/contents.ts'
import { openContents } from '../../../src/content/open.ts'
import { sweepContent } from '../../../src/features/files/sweep.ts'
import { dayMs } from '../../../src/lib/clock.ts'
import { assertError, clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { make } from '../../support/make.ts'
import { type S3Fault, type S3Server, startS3 } from '../../support/s3-server.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { deliverMail, mailDomain, newAddress } from '../mail/mails.ts'
import { download, storedIn, upload, uploaded } from './files.ts'

/** A server with its content in S3. */
async function startWithS3(t: Parameters<typeof start>[0]) {
  const s3 = await startS3(t)
  const directory = temporaryDirectory(t)
  const server = await start(t, { directory, contents: contentsIn(s3, directory), limits: { mailDomain } })
  const { client } = await server.company('Acme')
  return { s3, server, client, directory }
}

function contentsIn(s3: S3Server, directory: string): Contents {
  return openContents(contentsSetting(readConfig(contentSettings, {}, s3.env), `${directory}/kontor.db`))
}

const keysOf = (s3: S3Server) => [...s3.objects.keys()]
/** Lets the first requests of a method go wrong. */
function failFirst(s3: S3Server, method: string, fault: S3Fault, times = 1): void {
  let left = times
  s3.fault = (asked) => (asked.method === method && left-- > 0 ? fault : undefined)
}

test('With S3, a file is stored once per workspace below the prefix, as sent, and read whole, in part and by its head', async (t) => {
  const { s3, server, client, directory } = await startWithS3(t)
  const body = randomBytes(300_000)
  const { id, sha256 } = await uploaded(client, body)
  await uploaded(client, body, { name: 'again.pdf' })
  const other = (await server.company('Globex')).client
  await uploaded(other, body)

  assert.equal(keysOf(s3).length, 2)
  for (const key of keysOf(s3)) assert.match(key, new RegExp(`^kontor/files/\\d+/${sha256.slice(0, 2)}/${sha256}$`))
  for (const { bytes } of s3.objects.values()) assert.deepEqual(bytes, body)
  assert.deepEqual(storedIn(directory), [])
  const path = `/api-v1-files/${id}/content`
  assert.deepEqual((await download(server.url, client, path)).bytes, body)
  const part = await download(server.url, client, path, { Range: 'bytes=100-199999' })
  assert.deepEqual([part.status, part.bytes], [206, body.subarray(100, 200_000)])
  const head = await download(server.url, client, path, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '300000'])
  assert.equal((await download(server.url, client, path, { 'If-None-Match': `"${sha256}"` })).status, 304)
  assert.deepEqual(s3.refused, [])
})

for (const fault of [500, 503, 'reset', 'lost', 'half', 'slow'] as const) {
  test(`A request to S3 that goes wrong once (${fault}) fails neither an upload nor a download`, async (t) => {
    const { s3, server, client } = await startWithS3(t)
    const body = Buffer.from('twenty hampers, twenty hampers')
    failFirst(s3, 'PUT', fault)
    const { id } = await uploaded(client, body)

    for (const method of ['HEAD', 'GET']) {
      failFirst(s3, method, fault)
      const { status, bytes } = await download(server.url, client, `/api-v1-files/${id}/content`)
      assert.deepEqual([status, bytes], [200, body], method)
    }
  })
}

test('An upload whose content others may have removed by the time of its record is 503: no record refers to content that is not there', async (t) => {
  const { s3, server, client } = await startWithS3(t)
  const endClaims = () => {
    const workspaces = server.store.access.values<number>('SELECT id FROM workspace')
    return server.store.writeAccess((access) => {
      for (const id of workspaces)
        access.inWorkspace(id).run('DELETE FROM content_claim WHERE workspace_id = :workspace')
    })
  }
  s3.fault = async ({ method }) => {
    if (method === 'PUT') await endClaims() // as a sweep does that found no server
    return undefined
  }
  const response = await upload(client, 'bytes')
  assertError(response, 503, 'SERVICE_UNAVAILABLE', 'The content may have been removed meanwhile: send it again')
  s3.fault = () => undefined
  assert.deepEqual((await client.get('/api-v1-files')).body.data, [])
  await uploaded(client, 'bytes')
})

test('While S3 does not store a file, an upload is 503 and leaves neither a record nor bytes', async (t) => {
  const { s3, client, directory } = await startWithS3(t)
  for (const fault of [500, 403, 'reset'] as const) {
    s3.fault = () => fault
    const response = await upload(client, 'bytes')
    assertError(response, 503, 'SERVICE_UNAVAILABLE')
    assert.match(response.body.error.message, /S3 cannot be used/)
    assert.ok(response.headers.get('retry-after'))
  }
  s3.fault = () => undefined
  assert.deepEqual([keysOf(s3), storedIn(directory)], [[], []])
  assert.equal((await client.get('/api-v1-files')).body.pagination.total, 0)
})

for (const what of ['An upload', 'A mail']) {
  test(`${what} whose key is revoked while its content is stored leaves nothing`, async (t) => {
    const { s3, server, client } = await startWithS3(t)
    const { address } = await newAddress(client)
    const made = await client.post('/api-v1-keys', { name: 'Revoked', scopes: ['write:files', 'write:messages'] })
    const key = clientFor(server.url, { id: made.body.data.id, key: made.body.data.key })
    const organization_id = (await make(client, 'organization')).id
    s3.fault = async ({ method }) => {
      if (method === 'PUT') await client.post(`/api-v1-keys/${key.keyId}/revoke`, {})
      return undefined
    }

    const refused = what === 'A mail' ? deliverMail(key, address) : upload(key, 'bytes', { organization_id })

    assertError(await refused, 401, 'API_KEY_REVOKED')
    assert.deepEqual(keysOf(s3), [])
    assert.equal(server.store.access.value('SELECT count(*) FROM content_claim'), 0)
  })
}

test('Content in S3 that is missing, has another length or wrong bytes is 503 or breaks off, and never a whole wrong answer', async (t) => {
  const { s3, server, client } = await startWithS3(t)
  const { id } = await uploaded(client, 'small')
  const large = await uploaded(client, randomBytes(400_000))
  const get = (of: string) => client.get(`/api-v1-files/${of}/content`)

  s3.fault = ({ method }) => (method === 'GET' ? 'wrong' : undefined)
  assertError(await get(id), 503, 'SERVICE_UNAVAILABLE')
  await assert.rejects(download(server.url, client, `/api-v1-files/${large.id}/content`))
  s3.fault = ({ method }) => (method === 'GET' ? 'half' : undefined)
  await assert.rejects(download(server.url, client, `/api-v1-files/${large.id}/content`))
  s3.fault = () => undefined
  const key = keysOf(s3).find((each) => !each.endsWith(large.sha256))!
  s3.objects.set(key, { bytes: Buffer.from('small and more'), storedMs: 0 })
  assert.match((await get(id)).body.error.message, /another length/)
  s3.objects.delete(key)
  const missing = await get(id)
  assertError(missing, 503, 'SERVICE_UNAVAILABLE')
  assert.match(missing.body.error.message, /missing/)
})

test('An erased file is gone from S3 before the answer', async (t) => {
  const { s3, client } = await startWithS3(t)
  const { id } = await uploaded(client, 'bytes')
  failFirst(s3, 'DELETE', 503)
  await client.delete(`/api-v1-files/${id}`)
  assert.equal(keysOf(s3).length, 1)

  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)

  assert.deepEqual(keysOf(s3), [])
})

test('While the content of an erased file cannot be removed from S3, nobody can store the same content, and a removal without an answer is not repeated at once', async (t) => {
  const { s3, client } = await startWithS3(t)
  const { id } = await uploaded(client, 'bytes')
  await client.delete(`/api-v1-files/${id}`)
  s3.fault = ({ method }) => (method === 'DELETE' ? 'lost' : undefined)

  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)

  assert.equal(s3.asked.filter(({ method }) => method === 'DELETE').length, 1)
  const response = await upload(client, 'bytes')
  assertError(response, 503, 'SERVICE_UNAVAILABLE')
  assert.match(response.body.error.message, /being removed/)
})

test('A sweep by another process leaves to an erasure what it removes: what is stored again afterwards stays', async (t) => {
  const { s3, server, client, directory } = await startWithS3(t)
  const { id } = await uploaded(client, 'same')
  await client.delete(`/api-v1-files/${id}`)
  const late = Promise.withResolvers<void>()
  let count = 0
  s3.fault = async ({ method }) => {
    if (method === 'DELETE' && count++ === 0) await late.promise
    return undefined
  }
  const erasing = client.delete(`/api-v1-trash/${id}`)
  await until('the erasure removes', () => count === 1)

  const sweep = { path: server.path, beforeMs: Date.now() + dayMs }
  const { removed } = await sweepContent(server.store, contentsIn(s3, directory), sweep)
  const early = await upload(client, 'same')
  late.resolve()
  await erasing

  assert.equal(removed, 0)
  assertError(early, 503, 'SERVICE_UNAVAILABLE', 'The same content is being removed: try again in a second')
  const again = await uploaded(client, 'same')
  assert.equal((await download(server.url, client, `/api-v1-files/${again.id}/content`)).bytes.toString(), 'same')
})

test('An erasure beside another one does not take content that has been stored again since', async (t) => {
  const { s3, server, client } = await startWithS3(t)
  const [same, other] = [await uploaded(client, 'same'), await uploaded(client, 'other')]
  for (const { id } of [same, other]) await client.delete(`/api-v1-files/${id}`)
  const [begun, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  s3.fault = async ({ method, key }) => {
    if (method === 'DELETE' && key.endsWith(same.sha256)) await (count++ === 0 ? begun : late).promise
    return undefined
  }
  const first = client.delete(`/api-v1-trash/${same.id}`)
  await until('the first erasure removes', () => count === 1)
  const second = client.delete(`/api-v1-trash/${other.id}`)
  await until('the second one has removed its own, or does more', () => keysOf(s3).length === 1 || count === 2)

  begun.resolve()
  await first
  const { id } = await uploaded(client, 'same')
  late.resolve()

  assert.equal((await second).status, 200)
  assert.equal((await download(server.url, client, `/api-v1-files/${id}/content`)).bytes.toString(), 'same')
})

test('Requests to S3 use their connections again', async (t) => {
  const { s3, server, client } = await startWithS3(t)
  const { id } = await uploaded(client, 'bytes')
  for (let times = 0; times < 20; times++) await download(server.url, client, `/api-v1-files/${id}/content`)
  assert.ok(s3.connections <= 3, String(s3.connections))
})
