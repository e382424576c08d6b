import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { control, sandboxKey } from '../sandbox/sandbox.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { exchange } from '../support/exchange.ts'
import { bundle, launch } from '../support/program.ts'

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
