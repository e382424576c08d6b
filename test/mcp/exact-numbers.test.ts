import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawNumber } from '../../src/lib/exact-json.ts'
import { exportOf } from '../export/exports.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { openAgent, post } from './agent.ts'
import { openProposing, proposals } from './proposing.ts'

const [digits, others] = ['123456789012.345678', '987654321098.765432']

async function pricesOf(client: Client): Promise<string[]> {
  const csv = await exportOf(client, '/api-v1-products?columns=price&raw=1&sort=name')
  return csv.trim().split('\r\n').slice(1)
}

test('Agents write and read numbers of more than 15 digits as they are', async (t) => {
  const { agent, client } = await openAgent(t)

  const save = { type: 'product', values: { name: 'Hamper', price: rawNumber(digits) } }
  const created = await agent.send('tools/call', { name: 'save_record', arguments: save })
  const { id } = created.body.result.structuredContent.data
  const shown = await agent.send('tools/call', { name: 'get_record', arguments: { type: 'product', id } })
  const listed = await agent.send('tools/call', { name: 'list_records', arguments: { type: 'product' } })
  const values = { price: rawNumber(others) }
  const tried = { type: 'product', id, values, dry_run: true }
  const trial = await agent.send('tools/call', { name: 'save_record', arguments: tried })

  for (const { text } of [created, shown, listed]) {
    assert.match(text, new RegExp(`"price":${digits}`)) // in the structured content
    assert.match(text, new RegExp(`price\\\\":${digits}`)) // in the text
  }
  assert.match(trial.text, new RegExp(`"before":${digits},"after":${others}`))
  assert.deepEqual(await pricesOf(client), [digits])
  await agent.use('save_record', { type: 'product', id, values })
  assert.deepEqual(await pricesOf(client), [others])
})

test('Numbers in a batch of messages keep their digits, too', async (t) => {
  const { client, url } = await openAgent(t)
  const call = (name: string, price: string) => ({
    ...{ jsonrpc: '2.0', id: name, method: 'tools/call' },
    params: { name: 'save_record', arguments: { type: 'product', values: { name, price: rawNumber(price) } } },
  })

  await post(`${url}/mcp`, [call('A', digits), call('B', others)], { Authorization: `Bearer ${client.key}` })

  assert.deepEqual(await pricesOf(client), [digits, others])
})

test('A proposal shows and applies all digits of its numbers, as a whole and by fields', async (t) => {
  const { client, user, propose, url, key } = await openProposing(t)
  const reader = await key()
  const product = await make(client, 'product', { name: 'Hamper', price: 1 })
  const item = await make(client, 'product', { name: 'Vase', price: 2 })
  const values = { price: rawNumber(digits), unit: 'piece' }
  const [whole, part] = [
    await propose('save_record', { type: 'product', id: product.id, values }),
    await propose('save_record', { type: 'product', id: item.id, values: { ...values, price: rawNumber(others) } }),
  ]
  const shown = await fetchText(`${url}${proposals}/${whole.id}`, reader.key)
  assert.match(shown, new RegExp(`"after":${digits}`))

  assert.equal((await user.post(`${proposals}/${whole.id}/apply`)).status, 200)
  assert.equal((await user.post(`${proposals}/${part.id}/apply`, { fields: ['price'] })).status, 200)

  assert.deepEqual(await pricesOf(client), [digits, others])
  assert.equal((await client.get(`/api-v1-products/${item.id}`)).body.data.unit, null)
})

async function fetchText(url: string, key: string): Promise<string> {
  return (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).text()
}
