import assert from 'node:assert/strict'
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { deliverMessage } from '../../support/message.ts'
import { start } from '../../support/start.ts'
import { download, storedIn, uploaded } from '../files/files.ts'

const raw = Buffer.from('From: gr\xfcn@example.net\nSubject: x\r\n\r\nHello\0', 'latin1')

test('The HTML of a message has headers that let a browser neither run, load nor guess anything', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const html = '<p>Grüße</p>'
  const id = await deliverMessage(server.store, companyId, { html })
  const path = `/api-v1-messages/${id}/html`

  const { status, headers, bytes } = await download(server.url, client, path, { 'Accept-Encoding': 'gzip' })

  assert.deepEqual([status, bytes.toString()], [200, html])
  const expected = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(html)),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    'content-encoding': null,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
  const known = await download(server.url, client, path, { 'If-None-Match': headers.get('etag')! })
  assert.deepEqual([known.status, known.bytes.length], [304, 0])
})

test('The original of a message is byte for byte what was received', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const { sha256, bytes } = await uploaded(client, raw)
  const id = await deliverMessage(server.store, companyId, { original: { sha256, bytes } })
  const path = `/api-v1-messages/${id}/original`

  const { status, headers, bytes: shown } = await download(server.url, client, path)

  assert.deepEqual([status, shown], [200, raw])
  assert.equal(headers.get('content-type'), 'message/rfc822')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="message.eml"')
  assert.equal(headers.get('etag'), `"${sha256}"`)
  const part = await download(server.url, client, path, { Range: 'bytes=0-3' })
  assert.deepEqual([part.status, part.bytes.toString()], [206, 'From'])
})

test('A message without HTML or original, an unknown one, one in the trash and one of others is 404', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const other = await server.company('Other')
  const plain = await deliverMessage(server.store, companyId)
  const gone = await deliverMessage(server.store, companyId, { html: '<p>x</p>' })
  const foreign = await deliverMessage(server.store, other.id, { html: '<p>x</p>' })
  assert.equal((await client.delete(`/api-v1-messages/${gone}`)).status, 200)

  for (const id of [plain, gone, foreign, '01a207bd-a9c0-7ab5-830a-13e45914982b', 'x'])
    for (const part of ['html', 'original'])
      assertError(await client.get(`/api-v1-messages/${id}/${part}`), 404, 'NOT_FOUND')
})

test('The HTML and the original of a message need read:messages', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const id = await deliverMessage(server.store, company.id, { html: '<p>x</p>' })
  const client = await company.key({ scopes: ['read:files'] })

  for (const part of ['html', 'original'])
    assertError(await client.get(`/api-v1-messages/${id}/${part}`), 403, 'INSUFFICIENT_PERMISSIONS')
})

test('An original whose content is missing on the server, or has another length, is 503', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const { sha256, bytes } = await uploaded(client, raw)
  const id = await deliverMessage(server.store, companyId, { original: { sha256, bytes } })
  const [stored] = storedIn(server.directory).map((path) => join(server.directory, 'files', path))
  const get = (range?: string) =>
    client.request('GET', `/api-v1-messages/${id}/original`, { headers: range ? { Range: range } : {} })

  truncateSync(stored!, 10)
  assertError(await get(), 503, 'SERVICE_UNAVAILABLE')
  assertError(await get('bytes=0-4'), 503, 'SERVICE_UNAVAILABLE')
  rmSync(stored!)
  assertError(await get(), 503, 'SERVICE_UNAVAILABLE')
})

test('The HTML and the original of a message to participants exist for them only, also after they have read it', async (t) => {
  const { server, ada, bob, owner, shared, personal } = await openMailbox(t)
  const { sha256, bytes } = await uploaded(shared, raw)
  const id = await personal({ html: '<p>x</p>', original: { sha256, bytes } })

  for (const part of ['html', 'original']) {
    const path = `/api-v1-messages/${id}/${part}`
    assert.equal(
      (await fetch(`${server.url}${path}`, { headers: { Cookie: ada.cookie!, 'Kontor-Environment': 'live' } })).status,
      200,
    )
    for (const other of [bob, owner, shared]) assertError(await other.get(path), 404, 'NOT_FOUND')
  }
})
