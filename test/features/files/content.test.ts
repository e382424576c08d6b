import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { start } from '../../support/start.ts'
import { turn, until } from '../../support/wait.ts'
import { deliverMail, mailWithFile, newAddress, startWithMail } from '../mail/mails.ts'
import { download, storedIn, uploaded } from './files.ts'

test('A download has the bytes as sent with headers that let a browser neither run nor guess anything', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const body = Buffer.from('<script>alert(1)</script>')
  const { id, sha256 } = await uploaded(client, body, { name: 'ä "x".html', type: 'text/html' })
  const path = `/api-v1-files/${id}/content?inline=1`

  const { status, headers, bytes } = await download(server.url, client, path, { 'Accept-Encoding': 'gzip' })

  assert.deepEqual([status, bytes], [200, body])
  const expected = {
    'content-type': 'text/html',
    'content-length': String(body.length),
    etag: `"${sha256}"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    'content-disposition': `attachment; filename="_ _x_.html"; filename*=UTF-8''%C3%A4%20%22x%22.html`,
    'accept-ranges': 'bytes',
    'content-encoding': null,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
  const head = await download(server.url, client, path, {}, 'HEAD')
  assert.deepEqual([head.status, head.bytes.length, head.headers.get('content-length')], [200, 0, String(body.length)])
  const known = await download(server.url, client, path, { 'If-None-Match': `"${sha256}"` })
  assert.deepEqual([known.status, known.bytes.length], [304, 0])
})

test('A download that the client gives up closes its file, also if it is given up before it begins', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const { id, sha256 } = await uploaded(client, Buffer.alloc(1_000_000))
  const open = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(sha256)
      } catch {
        return false // closed meanwhile
      }
    }).length

  for (let n = 0; n < 40; n++) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(`GET /api-v1-files/${id}/content HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\n\r\n`)
    await turn()
    socket.resetAndDestroy()
    await turn()
  }

  await until('the files are closed', open, { is: (count) => count === 0 })
})

test('One range is 206, one after the end 416, and several or another unit are the whole file', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const { id, sha256 } = await uploaded(client, '0123456789')
  const get = async (headers: Record<string, string>) => {
    const response = await download(server.url, client, `/api-v1-files/${id}/content`, headers)
    return [response.status, response.bytes.toString(), response.headers.get('content-range')]
  }

  assert.deepEqual(await get({ Range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10'])
  assert.deepEqual(await get({ Range: 'bytes=7-' }), [206, '789', 'bytes 7-9/10'])
  assert.deepEqual(await get({ Range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10'])
  assert.deepEqual(await get({ Range: 'bytes=5-99' }), [206, '56789', 'bytes 5-9/10'])
  assert.deepEqual((await get({ Range: 'bytes=10-' })).toSpliced(1, 1), [416, 'bytes */10'])
  for (const range of ['bytes=0-1,3-4', 'lines=0-1', 'bytes=4-2', 'bytes=-']) {
    assert.deepEqual(await get({ Range: range }), [200, '0123456789', null])
  }
  assert.equal((await get({ Range: 'bytes=2-4', 'If-Range': '"other"' }))[0], 200)
  assert.equal((await get({ Range: 'bytes=2-4', 'If-Range': `"${sha256}"` }))[0], 206)
})

test('No range of an empty attachment can be satisfied', async (t) => {
  const server = await startWithMail(t)
  const client = await server.client()
  const { address } = await newAddress(client)
  await deliverMail(client, address, mailWithFile('empty.pdf', ''))
  const [{ id }] = (await client.get('/api-v1-files')).body.data
  const get = async (headers = {}) => download(server.url, client, `/api-v1-files/${id}/content`, headers)

  assert.deepEqual([(await get()).status, (await get()).bytes.length], [200, 0])
  for (const range of ['bytes=-5', 'bytes=0-', 'bytes=0-0']) {
    const { status, headers } = await get({ Range: range })
    assert.deepEqual([status, headers.get('content-range')], [416, 'bytes */0'], range)
  }
})

test('Only pictures, PDF and plain text whose content matches their type are shown inline', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
  const cases: [type: string, body: string | Buffer, shown: string | undefined][] = [
    ['image/png', png, 'image/png'],
    ['image/png', '<html>', undefined],
    ['image/svg+xml', '<svg/>', undefined],
    ['application/pdf', '%PDF-1.7', 'application/pdf'],
    ['text/plain', 'Grüße', 'text/plain; charset=utf-8'],
    ['text/plain', Buffer.from([0xff, 0xfe, 0x41]), undefined],
    ['text/plain', 'a\0b', undefined],
    ['text/html', '<b>', undefined],
  ]
  for (const [type, body, shown] of cases) {
    const { id } = await uploaded(client, body, { type })
    const { headers } = await download(server.url, client, `/api-v1-files/${id}/content?inline=1`)
    const disposition = headers.get('content-disposition')!.split(';')[0]
    assert.deepEqual([disposition, headers.get('content-type')], [shown ? 'inline' : 'attachment', shown ?? type], type)
  }
})

test('Missing content, content of another length and wrong bytes are 503, and never a whole wrong answer', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const large = Buffer.alloc(300_000, 'x')
  const { id: smallId } = await uploaded(client, 'small')
  const small = join(server.directory, 'files', storedIn(server.directory)[0]!)
  const { id, sha256 } = await uploaded(client, large)
  const path = join(server.directory, 'files', storedIn(server.directory).find((each) => each.endsWith(sha256))!)
  const get = (of: string) => client.get(`/api-v1-files/${of}/content`)

  writeFileSync(small, 'smalL')
  assertError(await get(smallId), 503, 'SERVICE_UNAVAILABLE')
  writeFileSync(path, Buffer.concat([large.subarray(1), Buffer.from('y')]))
  await assert.rejects(get(id))
  truncateSync(path, 10)
  assertError(await get(id), 503, 'SERVICE_UNAVAILABLE')
  appendFileSync(path, Buffer.alloc(300_000))
  assertError(await get(id), 503, 'SERVICE_UNAVAILABLE')
  rmSync(path)
  const missing = await get(id)
  assertError(missing, 503, 'SERVICE_UNAVAILABLE')
  assert.match(missing.body.error.message, /missing/)
  await uploaded(client, large)
  assert.equal((await download(server.url, client, `/api-v1-files/${id}/content`)).status, 200)
})

test('The content of another workspace, of a deleted file and for a key without its scope does not exist', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const other = (await server.company('Globex')).client
  const { id } = await uploaded(client, 'bytes')
  const path = `/api-v1-files/${id}/content`
  const { key } = (await client.post('/api-v1-keys', { name: 'k', scopes: ['read:deals'] })).body.data

  assertError(await other.get(path), 404, 'NOT_FOUND')
  assert.equal((await download(server.url, { ...client, key }, path)).status, 403)
  await client.delete(`/api-v1-files/${id}`)
  assertError(await client.get(path), 404, 'NOT_FOUND')
  assert.equal(storedIn(server.directory).length, 1)
})
