import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { Destinations } from '../../../src/features/webhooks/transport/destinations.ts'
import { nameServerAt } from '../webhooks/name-server.ts'

const read = (given: Record<string, string>) => readConfig(['mailDomain', 'smtpListen', 'dns'], given, {})

test('The mail domain, the SMTP door and the name server are off unless they are given', () => {
  assert.deepEqual(read({}), { mailDomain: undefined, smtpListen: undefined, dns: undefined })
})

test('The mail domain is a domain in lower case', () => {
  assert.equal(read({ mailDomain: 'In.Example.com' }).mailDomain, 'in.example.com')
  for (const mailDomain of [
    'example',
    'a@example.com',
    'müller.example',
    'a..example',
    '-a.example',
    '10.0.0.1',
    '[::1]',
  ]) {
    assert.throws(() => read({ mailDomain }), faultOf('--mail-domain must be a domain in ASCII'), mailDomain)
  }
})

test('The name server is an address with a port', () => {
  assert.equal(read({ dns: '10.0.0.2:53' }).dns, '10.0.0.2:53')
  assert.equal(read({ dns: '[::1]:5353' }).dns, '[::1]:5353')
  for (const dns of ['dns.example:53', '10.0.0.2', '10.0.0.2:0', '10.0.0.2:65536', '10.0.0.2:53,10.0.0.3:53']) {
    assert.throws(() => read({ dns }), faultOf('--dns must be'), dns)
  }
})

test('Webhooks ask the name server of --dns', async (t) => {
  const dns = await nameServerAt(t, { A: [[93, 184, 216, 34]], AAAA: [] })
  const destinations = new Destinations([], read({ dns }))
  t.after(() => destinations.close())

  const addresses = await destinations.addresses(new URL('https://hooks.example'), new AbortController().signal)

  assert.deepEqual(addresses, ['93.184.216.34'])
})

function faultOf(start: string) {
  return (error: Error) => error instanceof ConfigError && error.message.startsWith(start)
}
