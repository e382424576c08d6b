import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, withoutPassword } from '../../src/config.ts'

const read = (name: 'log' | 'advertise', text: string) => readConfig([name], { [name]: text }, {})[name]

test('Addresses of servers and of a log are accepted as they are', () => {
  for (const url of [
    'http://10.0.0.11:8080',
    'https://node-1.internal',
    'http://[fd00::1]:8080',
    'https://a.example/crm',
  ]) {
    assert.equal(read('advertise', ` ${url}\n`), url)
  }
  for (const url of ['etcd://10.0.0.1:2379,10.0.0.2/kontor', 'etcd://[fd00::1]:2379', 'etcd://etcd.internal/a/b']) {
    assert.equal(read('log', url), url)
  }
})

for (const text of [
  ...['10.0.0.1:8080', 'http:10.0.0.1:8080', 'http:///10.0.0.1', 'http:\\\\10.0.0.1', 'http://10.0.0.1\\@a.example'],
  ...['http://ada:secret@10.0.0.1', 'http://10.0.0.1:99999', 'http://10.0.0.1/?a=1', 'http://10.0.0.1/#a'],
  ...['http://10.0.0.1\t:8080', 'http://a\u200bb.example', 'http://[fd00::1', 'http://a b'],
]) {
  test(`${JSON.stringify(text)} is not an address of a server`, () => {
    assert.throws(() => read('advertise', text), /^ConfigError: --advertise must be an http or https URL/)
  })
}

for (const text of [
  'etcd:10.0.0.1:2379',
  'etcd://10.0.0.1:99999',
  'etcd://[10]:2379',
  'etcd://a\\b',
  'etcd://ada@a',
  'etcd://',
]) {
  test(`${JSON.stringify(text)} is not an address of a log`, () => {
    assert.throws(() => read('log', text), /^ConfigError: --log must be like etcd/)
  })
}

for (const [given, shown] of [
  ['etcd://ada:secret@10.0.0.1:2379', 'etcd://ada:…@10.0.0.1:2379'],
  ['etcd://ada:sec/ret@10.0.0.1:2379/kontor', 'etcd://ada:…@10.0.0.1:2379/kontor'],
  ['etcd://ada:sec@ret@10.0.0.1:2379', 'etcd://ada:…@10.0.0.1:2379'],
  ['etcd://ada:12/ret@10.0.0.1:2379', 'etcd://ada:…@10.0.0.1:2379'],
  ['etcd://ada@b.example:secret@10.0.0.1', 'etcd://ada@b.example:…@10.0.0.1'],
  ['etcd://10.0.0.1:2379,ada:secret@10.0.0.2', 'etcd://10.0.0.1:…@10.0.0.2'],
]) {
  test(`What is said about ${given} shows no password`, () => {
    assert.throws(
      () => read('log', given!),
      ({ message }: Error) => message.endsWith(`it is "${shown}"`),
    )
  })
}

test('What is said about an address without a password shows all of it', () => {
  for (const url of ['http://a.example:8080/x?y', 'http://[fd00::1]:8080/x?y', 'http://a.example/b:c@d?y']) {
    assert.equal(withoutPassword(url), url)
  }
})
