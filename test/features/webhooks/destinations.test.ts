import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { Destinations } from '../../../src/features/webhooks/transport/destinations.ts'

const reserved = 'Url must not lead to a private, loopback or otherwise reserved address'
const plain = 'Url must use https'

function allowing(list: string, options = {}): Destinations {
  return new Destinations(readConfig(['webhookAllow'], { webhookAllow: list }, {}).webhookAllow, options)
}

const reservedHosts = [
  // Spellings of 127.0.0.1
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
  ],
  ...['0x7F.0x0.0x0.0x1', '%31%32%37.0.0.1', '１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '127.255.255.254'],
  // IPv4, at both ends of the ranges
  ...[
    '0',
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '169.254.169.254',
  ],
  ...['172.16.0.0', '172.31.255.255', '192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1', '192.168.255.255'],
  ...['198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  '255.255.255.255',
  // IPv6
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  ...['[ff02::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[100:0:0:1::1]', '[5f00::1]', '[4000::1]', '[2001:2::1]'],
  // IPv4 in IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::FFFF:a9fe:a9fe]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
  ],
  ...[
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2001::7f00:1]',
  ],
  // Names of this machine
  ...['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost', 'ⓛocalhost'],
]
const publicHosts = [
  ...[
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.1.1',
  ],
  ...[
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
  ],
  ...[
    '[2606:4700:4700::1111]',
    '[2a00:1450::1]',
    '[2001:4860:4860::8888]',
    '[2003::1]',
    '[2001:db7::1]',
    '[2001:db9::1]',
  ],
  ...['example.com', 'localhost.example.com', 'notlocalhost', '127.0.0.1.example.com', 'xn--bcher-kva.example'],
]

test('A reserved address is refused in each of its spellings', () => {
  const destinations = new Destinations()
  for (const host of reservedHosts) {
    for (const scheme of ['https', 'http'])
      assert.equal(destinations.refusal(`${scheme}://${host}/hook`), reserved, host)
  }
})

test('Public addresses and names are accepted with https only', () => {
  const destinations = new Destinations()
  for (const host of publicHosts) {
    assert.equal(destinations.refusal(`https://${host}:8443/hook?key=1`), undefined, host)
    assert.equal(destinations.refusal(`http://${host}/hook`), plain, host)
  }
})

test('A text that is no URL for a delivery is refused with the reason', () => {
  const absolute = 'Url must be an absolute URL with https, without spaces or invisible characters'
  const long = `https://example.com/${'a'.repeat(2_028)}`
  const cases: [url: string, reason: string | undefined][] = [
    ...[
      '',
      '/hook',
      '//example.com',
      'example.com',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
    ].map((url): [string, string] => [url, absolute]),
    ...[
      'ftp://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://',
      'https://[::1',
      'https://1.2.3.4.5',
    ].map((url): [string, string] => [url, absolute]),
    ...[
      ' https://example.com',
      'https://example.com\n',
      'https://exa\tmple.com',
      'https://example.com\\@127.0.0.1',
    ].map((url): [string, string] => [url, absolute]),
    ...['https://[fe80::1%25eth0]/', 'https://example.com:65536', 'https://exa mple.com'].map(
      (url): [string, string] => [url, absolute],
    ),
    ['https://ada:secret@example.com', 'Url must not have a user name or a password'],
    ['https://ada@example.com', 'Url must not have a user name or a password'],
    ['https://example.com@127.0.0.1', 'Url must not have a user name or a password'],
    ['https://example.com/#part', 'Url must not have a fragment'],
    ['https://example.com/#', 'Url must not have a fragment'],
    ['https://example.com:0', 'Url must not have port 0'],
    [long, undefined],
    [`${long}a`, 'Url must have at most 2048 characters'],
    ['HTTPS://EXAMPLE.com', undefined],
  ]
  for (const [url, reason] of cases) assert.equal(new Destinations().refusal(url), reason, url)
})

test('What the operator allows is accepted, also with http, and nothing else', () => {
  const cases: [list: string, accepted: string[], refused: string[]][] = [
    ['10.0.0.5', ['10.0.0.5', '10.0.0.5:8080'], ['10.0.0.6', '[::ffff:10.0.0.5]', '8.8.8.8']],
    ['10.0.0.5:8080', ['10.0.0.5:8080', '167772165:8080'], ['10.0.0.5', '10.0.0.5:8081', 'localhost:8080']],
    ['10.0.0.0/8', ['10.9.9.9', 'hooks.internal'], ['11.0.0.1', '[::ffff:10.0.0.1]', 'localhost']],
    ['fd00::/8, 192.168.0.0/16', ['[fd00::1]:81', '192.168.1.1'], ['[fc00::1]', '192.169.0.1']],
    ['[fd00::1]:8080', ['[fd00::1]:8080', '[fd00:0::1]:8080'], ['[fd00::1]', '[fd00::2]:8080']],
    ['127.0.0.1', ['localhost', '127.0.0.1:9', 'a.localhost'], ['[::1]', '127.0.0.2']],
    [
      'Hooks.internal:80',
      ['hooks.internal', 'HOOKS.internal.:80'],
      ['hooks.internal:81', 'x.hooks.internal', 'internal'],
    ],
    ['localhost:8080', ['localhost:8080', 'localhost.:8080'], ['localhost', 'a.localhost:8080', '127.0.0.1:8080']],
    ['example.com:443', [], ['example.com', 'example.com:80']],
    ['0.0.0.0/0', ['10.0.0.1', '8.8.8.8'], ['[::1]', '[::ffff:127.0.0.1]']],
    ['::/0', ['[::1]', '[2606:4700::1]'], ['10.0.0.1', '8.8.8.8']],
  ]
  for (const [list, accepted, refused] of cases) {
    const destinations = allowing(list)
    for (const host of accepted) assert.equal(destinations.refusal(`http://${host}`), undefined, `${list} ${host}`)
    for (const host of refused) assert.ok(destinations.refusal(`http://${host}`), `${list} ${host}`)
  }
})

test('An invalid entry of the allowed destinations is named', () => {
  for (const entry of [
    'hooks',
    'hooks:0',
    'hooks:65536',
    '10.0.0.0/33',
    '10.0.0/8',
    '1.2.3.4.5:80',
    '::1:x',
    '[::1]',
    '[::1]:0',
  ]) {
    const error = assertConfigError(() => allowing(`10.0.0.1, ${entry}`))
    assert.ok(error.message.includes(`not "${entry}"`), error.message)
  }
  for (const entry of ['fe80::1%eth0', '10.0.0.0/8/8', 'http://hooks:80', 'a b:80', '*']) {
    assertConfigError(() => allowing(entry))
  }
})

function assertConfigError(read: () => unknown): Error {
  let caught: unknown
  assert.throws(read, (error) => {
    caught = error
    return error instanceof ConfigError && error.message.startsWith('--webhook-allow must be')
  })
  return caught as Error
}

test('The addresses of this machine are allowed by an option, and no others', () => {
  const destinations = allowing('', { loopback: true })

  for (const host of ['127.0.0.1:3000', '[::1]', 'localhost', 'a.localhost:1', '127.9.9.9']) {
    assert.equal(destinations.refusal(`http://${host}`), undefined, host)
  }
  for (const host of ['10.0.0.1', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]']) {
    assert.equal(destinations.refusal(`https://${host}`), reserved, host)
  }
  assert.equal(destinations.refusal('http://example.com'), plain)
})
