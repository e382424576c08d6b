import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../src/features/webhooks/transport/attempt.ts'
import { Destinations } from '../../../src/features/webhooks/transport/destinations.ts'
import { parseHosts, SystemResolver } from '../../../src/features/webhooks/transport/resolver.ts'
import { type Answer, nameServerAt } from './name-server.ts'

async function nameServer(...given: Parameters<typeof nameServerAt>): Promise<SystemResolver> {
  return new SystemResolver([await nameServerAt(...given)])
}

const never = new AbortController().signal
const nameError = 3
const serverFailure = 2
const address6 = [0x26, 6, ...Array<number>(13).fill(0), 1]

test('The addresses of both families are found', async (t) => {
  const resolver = await nameServer(t, {
    A: [
      [1, 2, 3, 4],
      [10, 0, 0, 1],
    ],
    AAAA: [address6],
  })

  assert.deepEqual(await resolver.resolve('a.example', never), ['1.2.3.4', '10.0.0.1', '2606::1'])
})

test('A name server that answers for one family only is enough', async (t) => {
  for (const other of [undefined, nameError, serverFailure, []]) {
    const resolver = await nameServer(t, { A: [[1, 2, 3, 4]], AAAA: other })
    assert.deepEqual(await resolver.resolve('a.example', never), ['1.2.3.4'])
  }
  const resolver = await nameServer(t, { A: [], AAAA: [address6] })
  assert.deepEqual(await resolver.resolve('a.example', never), ['2606::1'])
})

test('A name without addresses and name servers that fail are different errors', async (t) => {
  const failing = 'The address of a.example could not be found: the name servers did not answer'
  const missing = 'a.example has no address that webhooks may be sent to'
  const cases: [a: Answer, aaaa: Answer, message: string][] = [
    [nameError, nameError, missing],
    [[], [], missing],
    [serverFailure, serverFailure, failing],
    [[], serverFailure, failing],
  ]
  for (const [A, AAAA, message] of cases) {
    await assert.rejects((await nameServer(t, { A, AAAA })).resolve('a.example', never), { message })
  }
  await assert.rejects((await nameServer(t, {})).resolve('a..example', never), {
    message: 'a..example has no address that webhooks may be sent to',
  })
})

test('An attempt does not wait for silent name servers longer than for a connection', async (t) => {
  const destinations = new Destinations([], { resolver: await nameServer(t, {}) })
  t.after(() => destinations.close())
  const delivery = { url: 'https://a.example', headers: {}, body: '' }

  const { error } = await attempt(delivery, destinations, { connectMs: 100 })

  assert.equal(error, 'No connection within 0.1 s')
})

test('A name that leads to a reserved address is not connected to', async (t) => {
  const mapped = [...Array<number>(10).fill(0), 255, 255, 10, 0, 0, 1]
  const resolver = await nameServer(t, {
    A: [
      [127, 0, 0, 1],
      [169, 254, 169, 254],
    ],
    AAAA: [mapped],
  })
  const destinations = new Destinations([], { resolver })
  t.after(() => destinations.close())

  const { error } = await attempt({ url: 'https://a.example', headers: {}, body: '' }, destinations)

  assert.equal(error, 'a.example has no address that webhooks may be sent to')
})

test('The hosts file names addresses, with comments, aliases and several lines of a name', () => {
  const hosts = parseHosts('# 1.1.1.1 no\n10.0.0.1\tHooks hooks.internal # x\r\n::1 hooks\nnonsense hooks\n10.0.0.2\n')

  assert.deepEqual(Object.fromEntries(hosts), { hooks: ['10.0.0.1', '::1'], 'hooks.internal': ['10.0.0.1'] })
})
