import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { type DestinationOptions, Destinations } from '../../../src/features/webhooks/transport/destinations.ts'

function allowing(list: string, options: DestinationOptions): Destinations {
  return new Destinations(readConfig(['webhookAllow'], { webhookAllow: list }, {}).webhookAllow, options)
}

function answering(...addresses: string[]) {
  return { resolver: { resolve: async () => addresses } }
}

function addressesOf(destinations: Destinations, url: string): Promise<string[]> {
  return destinations.addresses(new URL(url), new AbortController().signal)
}

test('Of the addresses of a name, only those that are allowed are used', async () => {
  const found = answering('10.0.0.1', '93.184.215.14', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', '2606:2800::1', 'junk')

  assert.deepEqual(await addressesOf(allowing('', found), 'https://example.com'), ['93.184.215.14', '2606:2800::1'])
  assert.deepEqual(await addressesOf(allowing('10.0.0.0/8', found), 'http://example.com'), ['10.0.0.1'])
  assert.deepEqual(await addressesOf(allowing('10.0.0.1:81', found), 'http://example.com:81'), ['10.0.0.1'])
  const trusted = answering('10.0.0.1', '::1')
  assert.deepEqual(await addressesOf(allowing('hooks:80', trusted), 'http://hooks'), ['10.0.0.1', '::1'])
})

test('A name without an allowed address fails with the reason', async () => {
  const cases: [list: string, addresses: string[], url: string, reason: string][] = [
    ['', ['10.0.0.1', '::1'], 'https://a.example', 'a.example has no address that webhooks may be sent to'],
    ['10.0.0.0/8', ['127.0.0.1'], 'https://a.example', 'a.example has no address that webhooks may be sent to'],
    ['10.0.0.0/8', ['1.1.1.1'], 'http://a.example', 'a.example must be called with https'],
    ['hooks:80', ['10.0.0.1'], 'https://hooks:81', 'hooks has no address that webhooks may be sent to'],
  ]
  for (const [list, addresses, url, message] of cases) {
    await assert.rejects(addressesOf(allowing(list, answering(...addresses)), url), { message })
  }
})

test('A name with very many addresses has few of them tried', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => `1.1.${n >> 8}.${n & 255}`)

  assert.equal((await addressesOf(allowing('', answering(...many)), 'https://example.com')).length, 6)
})
