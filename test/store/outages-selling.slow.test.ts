import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { until } from '../support/wait.ts'

const [writers, enough] = [8, 200]

/** What has been acknowledged, by deal. */
class Sold {
  readonly people = new Map<string, Set<string>>()
  readonly totals = new Map<string, number>()
  readonly rates = new Map<string, number>()
  count = 0
}

/** Adds people and line items to a deal, takes people off, and writes exchange rates, until the server is gone. */
async function sell(client: Client, sold: Sold, writer: number): Promise<void> {
  const deal = await make(client, 'deal', { title: `Deal ${writer}` })
  const people = new Set<string>()
  sold.people.set(deal.id, people)
  sold.totals.set(deal.id, 0)
  for (let n = 0; ; n++) {
    const { id } = await make(client, 'contact', { first_name: `Person ${n}` })
    await acknowledged(client.put(`/api-v1-deals/${deal.id}/contacts/${id}`, { role: 'Buyer' }))
    people.add(id)
    await make(client, 'line_item', { deal_id: deal.id, name: `Item ${n}`, quantity: 2, unit_price: 1.25 })
    sold.totals.set(deal.id, sold.totals.get(deal.id)! + 2.5)
    if (n % 3 === 2) {
      people.delete(id) // before the request: without a response, both are right
      await acknowledged(client.delete(`/api-v1-deals/${deal.id}/contacts/${id}`))
    }
    const day = new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10)
    const currency = `X${String.fromCharCode(65 + writer)}A`
    const rate = await make(client, 'exchange_rate', { currency, rate: n + 1, valid_from: day })
    sold.rates.set(rate.id, n + 1)
    sold.count++
  }
}

async function acknowledged(response: ReturnType<Client['get']>): Promise<void> {
  assert.equal((await response).status, 200)
}

test('After kill -9, everybody on a deal, its line items with their sum, imported ones, and exchange rates are as acknowledged', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off', '--request-log', 'off']
  const first = await launch(t, bundle, serve)
  const key = await firstClient(data, first.first.url!)
  const importing = await make(key, 'deal', { title: 'Imported' })
  const records = Array.from({ length: 100 }, (_, n) => ({ deal_id: importing.id, name: `Row ${n}`, unit_price: 0.1 }))
  const job = await key.post('/api-v1-bulk/line-items', { records })
  assert.equal(job.status, 202)
  const sold = new Sold()
  const selling = Array.from({ length: writers }, (_, writer) => sell(key, sold, writer).catch(() => {}))
  await until(`${enough} rounds are acknowledged`, () => sold.count, { is: (count) => count >= enough })

  await first.stop('SIGKILL')
  await Promise.all(selling)
  const second = await launch(t, bundle, serve)
  const client = clientFor(second.first.url!, { id: key.keyId, key: key.key })

  for (const [id, people] of sold.people) {
    const { contacts, value } = (await client.get(`/api-v1-deals/${id}?include=contacts`)).body.data
    const ids = contacts.map((each: { id: string }) => each.id)
    assert.deepEqual(
      [...people].filter((each) => !ids.includes(each)),
      [],
      id,
    )
    const { body } = await client.get(`/api-v1-line-items/summary?deal_id=${id}&measure=sum:total`)
    assert.equal(value, body.data[0]?.['sum:total'] ?? 0)
    assert.ok(value >= sold.totals.get(id)! && value <= sold.totals.get(id)! + 2.5, `${value} ${sold.totals.get(id)}`)
  }
  for (const [id, rate] of sold.rates)
    assert.equal((await client.get(`/api-v1-exchange-rates/${id}`)).body.data.rate, rate)
  await until(
    'the import has ended',
    async () => (await client.get(`/api-v1-bulk/jobs/${job.body.data.job_id}`)).body.data.status,
    { is: (status) => status === 'completed' },
  )
  assert.equal((await client.get(`/api-v1-deals/${importing.id}`)).body.data.value, 10)
})
