import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { control, sandboxKey } from '../sandbox/sandbox.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { exchange } from '../support/exchange.ts'
import { bundle, launch, run } from '../support/program.ts'

test('An export keeps the people on a deal, all digits of numbers, and the totals of lists', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const source = await launch(t, bundle, ['sandbox', '--key', sandboxKey])
  const from = clientFor(source.first.url!, { id: '', key: sandboxKey })
  const [first, second] = [
    (await from.post('/api-v1-contacts', { first_name: 'Ada' })).body.data.id,
    (await from.post('/api-v1-contacts', { first_name: 'Grace' })).body.data.id,
  ]
  const value = 26_053_169_754.797
  const deal = (await from.post('/api-v1-deals', { title: 'Hampers', contact_id: first, value })).body.data.id
  await from.put(`/api-v1-deals/${deal}/contacts/${second}`, { role: 'Decision maker' })
  const price = '999999999999.999999'
  await from.request('POST', '/api-v1-products', {
    headers: { 'Content-Type': 'application/json' },
    body: `{"name":"Exact","price":${price},"currency":"KWD"}`,
  })
  const authorized = { headers: { Authorization: `Bearer ${sandboxKey}` } }
  const exported = await exchange(`${source.first.url}${control}/export`, authorized)
  writeFileSync(file, exported.text)

  const copy = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])

  const to = clientFor(copy.first.url!, { id: '', key: sandboxKey })
  const { contacts: people, ...copied } = (await to.get(`/api-v1-deals/${deal}?include=contacts`)).body.data
  assert.equal(copied.value, value)
  assert.deepEqual(
    people.map(({ id, role }: { id: string; role: string | null }) => [id, role]),
    [
      [first, null],
      [second, 'Decision maker'],
    ],
  )
  const products = await exchange(`${copy.first.url}/api-v1-products`, authorized)
  assert.ok(products.text.includes(`"price":${price}`), products.text)
  for (const path of ['/api-v1-pipelines', '/api-v1-stages']) {
    const { data, pagination } = (await to.get(path)).body
    assert.equal(pagination.total, data.length, path)
  }
})

test('An export leaves out the deleted people of a deal, so that a sandbox starts with it', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const source = await launch(t, bundle, ['sandbox', '--key', sandboxKey])
  const from = clientFor(source.first.url!, { id: '', key: sandboxKey })
  const [gone, other] = [
    (await from.post('/api-v1-contacts', { first_name: 'Ada' })).body.data.id,
    (await from.post('/api-v1-contacts', { first_name: 'Grace' })).body.data.id,
  ]
  const deal = (await from.post('/api-v1-deals', { title: 'Hampers', contact_id: gone })).body.data.id
  await from.put(`/api-v1-deals/${deal}/contacts/${other}`, { role: 'Buyer' })
  await from.delete(`/api-v1-contacts/${gone}`)
  writeFileSync(file, JSON.stringify((await from.get(`${control}/export`)).body))

  const copy = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])

  const to = clientFor(copy.first.url!, { id: '', key: sandboxKey })
  const { contact_id, contacts } = (await to.get(`/api-v1-deals/${deal}?include=contacts`)).body.data
  assert.equal(contact_id, null)
  assert.deepEqual(contacts, [{ id: other, first_name: 'Grace', last_name: null, role: 'Buyer' }])
})

test('A sandbox that starts with an export has the same export: rates, mail addresses, ignored senders and all times', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const source = await launch(t, bundle, ['sandbox', '--seed', 'demo', '--key', sandboxKey])
  const from = clientFor(source.first.url!, { id: '', key: sandboxKey })
  const { data: stages } = (await from.get('/api-v1-stages')).body
  const won = stages.find(({ kind }: { kind: string }) => kind === 'won').id
  const make = async (path: string, body: object) => (await from.post(path, body)).body.data.id
  const deal = await make('/api-v1-deals', { title: 'Hampers' })
  const gone = await make('/api-v1-deals', { title: 'Gone' })
  for (const quantity of [2, 3]) {
    await make('/api-v1-line-items', { deal_id: deal, name: 'Hamper', quantity, unit_price: 9.5 })
  }
  await from.patch(`/api-v1-deals/${deal}`, { stage_id: won })
  await from.patch(`/api-v1-deals/${deal}`, { title: 'More hampers' })
  await make('/api-v1-exchange-rates', { currency: 'USD', rate: 0.92, valid_from: '2026-01-01' })
  await make('/api-v1-exchange-rates', { currency: 'USD', rate: 0.93, valid_from: '2026-02-01' })
  for (const owner of [{ kind: 'company' }, { kind: 'deal', deal_id: deal }, { kind: 'deal', deal_id: gone }]) {
    await make('/api-v1-mail-addresses', owner)
  }
  await from.delete(`/api-v1-deals/${gone}`)
  await make('/api-v1-mail-ignored-senders', { address: 'news@shop.example' })
  const { body: exported } = await from.get(`${control}/export`)
  assert.deepEqual(
    ['exchange_rates', 'mail_addresses', 'mail_ignored_senders'].map((name) => exported[name]?.length),
    [2, 2, 1],
  )
  writeFileSync(file, JSON.stringify(exported))

  const copy = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])

  const to = clientFor(copy.first.url!, { id: '', key: sandboxKey })
  const { clock: _, ...copied } = (await to.get(`${control}/export`)).body
  const { clock: __, ...original } = exported
  assert.deepEqual(copied, original)
  const address = exported.mail_addresses[0].address
  const delivered = await to.request('POST', `/api-v1-messages?address=${address}`, {
    headers: { 'Content-Type': 'message/rfc822' },
    body: 'From: grace@example.com\r\nSubject: Hampers\r\n\r\nHello\r\n',
  })
  assert.equal(delivered.status, 201)
})

test('A seed file with two mail addresses of one owner, the same one twice, or a sender that is ignored twice is refused', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const id = '0190a2b0-0000-7000-8000-00000000000a'
  const seed = {
    users: [{ id, full_name: 'Ada Weber', email: 'ada@example.com' }],
    mail_addresses: [
      { kind: 'company', address: 'one@in.example' },
      { kind: 'company', address: 'two@in.example' },
      { kind: 'user', user_id: id, address: 'One@in.example' },
    ],
    mail_ignored_senders: [
      { address: 'news@shop.example' },
      { address: 'News@shop.example' },
      { address: 'ads@shop.example', visibility: 'personal' },
      { address: 'ads@shop.example', user_id: id },
    ],
  }
  writeFileSync(file, JSON.stringify(seed))

  const { code, stderr } = await run(bundle, ['sandbox', '--seed', file])

  assert.equal(code, 1)
  assert.deepEqual(stderr.trim().split('\n  ').slice(1), [
    'mail_addresses[1]: there is another address with the same owner',
    'mail_addresses[2]: the address is used twice',
    'mail_ignored_senders[1]: the sender is ignored twice',
    'mail_ignored_senders[2].user_id: user_id is required for a personal one',
    'mail_ignored_senders[3].user_id: user_id must be empty for a shared one',
  ])
})

test('A seed file with null in a field that is never null is refused with its place', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const view = { name: 'All', resource: 'contact', visibility: 'shared' }
  writeFileSync(file, JSON.stringify({ views: [view, { ...view, broken: null }] }))

  const { code, stderr } = await run(bundle, ['sandbox', '--seed', file])

  assert.deepEqual(
    [code, stderr],
    [1, 'kontor: The seed file has faults:\n  views[1].broken: broken must not be null\n'],
  )
})
