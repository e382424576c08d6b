import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressPrefix } from '../../src/lib/address.ts'

test('IPv6 addresses of one /64 count as one client, and each IPv4 address as one', () => {
  const prefixes = [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
    ['2001:db8:0:2::5', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', ''],
  ]

  assert.deepEqual(
    prefixes.map(([address]) => addressPrefix(address!)),
    prefixes.map(([, prefix]) => prefix),
  )
})
