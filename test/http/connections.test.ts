import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { make } from '../support/make.ts'
import { openRaw, type RawConnection, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const healthz = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
/** A short limit, so that connections that are held open do not delay the end of a test. */
const drainMsMax = 50
const close = 'Connection: close\r\n'
const unfinished = `POST /console/session HTTP/1.1\r\nHost: x\r\nKontor-Environment: live\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`

/** Opens a connection and reads the response to its first request. */
async function openIdle(url: string, from?: string): Promise<RawConnection> {
  const connection = openRaw(url, from)
  connection.write(`${healthz}\r\n`)
  await connection.until('"ok"')
  return connection
}

/** Opens a connection with a request in progress, whose body the server awaits. */
async function openBusy(url: string, from?: string): Promise<RawConnection> {
  const connection = openRaw(url, from)
  connection.write(unfinished)
  await connection.until('100 Continue')
  return connection
}

const probe = (url: string, from?: string) => sendRaw(url, `${healthz}${close}\r\n`, from)

describe('Connections', { concurrency: true, timeout: 60_000 }, () => {
  test('At the connection limit, a new connection replaces the one that has been idle longest', async (t) => {
    const { url } = await start(t, { limits: { drainMsMax, connectionsMax: 3 } })
    const busy = await openBusy(url)
    const oldest = await openIdle(url)
    const newer = await openIdle(url)

    assert.match(await probe(url), /"ok"/)

    await oldest.closed()
    newer.write(`${healthz}${close}\r\n`)
    assert.equal((await newer.closed()).split('200 OK').length - 1, 2)
    assert.equal(busy.socket.destroyed, false)
  })

  test('When all connections have a request in progress, a new one is closed', async (t) => {
    const { url } = await start(t, { limits: { drainMsMax, connectionsMax: 2 } })
    const [one] = [await openBusy(url), await openBusy(url)]

    assert.equal(await probe(url), '')

    one.socket.destroy()
    await until('the server has noticed', () => probe(url), { is: (received) => received !== '' })
  })

  test('At the limit of an address, a new connection replaces one of its own idle connections', async (t) => {
    const { url } = await start(t, { limits: { drainMsMax, connectionsMax: 5, connectionsPerAddressMax: 2 } })
    const other = await openIdle(url, '127.0.0.9')
    const held = [await openIdle(url, '127.0.0.2'), await openIdle(url, '127.0.0.2'), await openIdle(url, '127.0.0.2')]

    await held[0]!.closed()
    assert.deepEqual(
      [held[1]!.socket.destroyed, held[2]!.socket.destroyed, other.socket.destroyed],
      [false, false, false],
    )
  })

  test('At the limit of an address without idle connections, its new connection is closed; other addresses can connect', async (t) => {
    const { url } = await start(t, { limits: { drainMsMax, connectionsPerAddressMax: 2 } })
    await openBusy(url, '127.0.0.2')
    await openBusy(url, '127.0.0.2')

    assert.equal(await probe(url, '127.0.0.2'), '')
    assert.match(await probe(url, '127.0.0.3'), /"ok"/)
  })

  test('The connections of a trusted proxy have no limit per address', async (t) => {
    const limits = { drainMsMax, connectionsPerAddressMax: 1, trustedProxies: ['127.0.0.2'] }
    const { url } = await start(t, { limits })
    await openBusy(url, '127.0.0.2')

    assert.match(await probe(url, '127.0.0.2'), /"ok"/)
  })

  test('A client that does not read its responses is disconnected', async (t) => {
    const server = await start(t, { limits: { drainMsMax, stallMs: 200, connectionsMax: 1 } })
    const { client } = await server.company('Acme')
    const { id } = await make(client, 'organization', { metadata: { large: 'x'.repeat(60_000) } })
    const connection = openRaw(server.url)
    const get = `GET /api-v1-organizations/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    connection.write(get.repeat(200))
    await connection.until('200 OK')

    connection.socket.pause()

    assert.equal(await probe(server.url), '', 'the connection is in use')
    await until('the server has disconnected the client', () => probe(server.url), {
      is: (received) => received !== '',
    })
  })

  test('A client that stops sending in the middle of a body is disconnected, and nothing is written', async (t) => {
    const server = await start(t, { limits: { drainMsMax, stallMs: 1_000 } })
    const { client } = await server.company('Acme')
    const head = `POST /api-v1-organizations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json`

    await sendRaw(server.url, `${head}\r\nContent-Length: 100\r\n\r\n{"name":"Acme"}`)

    assert.equal((await client.get('/api-v1-organizations')).body.pagination.total, 0)
  })
})
