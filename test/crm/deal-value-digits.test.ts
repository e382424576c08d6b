import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import type { Client } from '../support/client.ts'
import { exchange } from '../support/exchange.ts'
import { ended } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const run = promisify(execFile)
const large = { quantity: 999_999_999, unit_price: 999_999.99 }
const digits = '999999989000000.01'

/** decision T3 */
test('The value of a deal with line items has more digits than a double', async (t) => {
  const server = await start(t)
  const fresh = async () => (await server.company('Acme')).client
  const read = async ({ key }: Client, path: string, headers: Record<string, string> = {}) =>
    (await exchange(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } })).text
  const item = (client: Client, { id }: JsonRecord, fields: JsonRecord) =>
    make(client, 'line_item', { deal_id: id, ...fields })
  const undo = (client: Client, seq: number) => client.post('/api-v1-undo', { seq })
  const assertValue = async (client: Client, { id }: JsonRecord, value: string) => {
    const text = await read(client, `/api-v1-deals/${id}`)
    assert.ok(text.includes(`"value":${value},`), `${value} is missing in ${text}`)
  }

  await t.test('Every response shows the exact sum', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 5 })
    await item(client, deal, large)
    const { seq } = (await client.get('/api-v1-changes?after=start&limit=1000')).body.data.at(-1)

    const path = `/api-v1-deals/${deal.id}`
    for (const each of [path, `${path}?include=contacts`, '/api-v1-deals', `/api-v1-deals?value[gte]=1e14`]) {
      const text = await read(client, each)
      assert.ok(text.includes(`"value":${digits},`), text)
    }
    const changes = await read(client, '/api-v1-changes?after=start&limit=1000')
    assert.equal(changes.split(`"value":${digits},`).length, 2)
    const csv = await read(client, '/api-v1-deals', { Accept: 'text/csv' })
    assert.ok(csv.includes(`,${digits},`), csv)

    await item(client, deal, { unit_price: 1_000_000 })
    await assertValue(client, deal, '999999990000000.01')
    const former = await read(client, `${path}?as_of=${seq}`)
    assert.ok(former.includes(`"value":${digits},`), former)
  })

  await t.test('A sum of fourteen digits is shown without the error of the double', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { currency: 'BHD' })
    await item(client, deal, { unit_price: 26_053_169_754.797 })
    await assertValue(client, deal, '26053169754.797')
  })

  await t.test('A cent that the double does not have is a change of the deal', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal')
    await item(client, deal, large)
    await item(client, deal, { unit_price: 0.01 })

    await assertValue(client, deal, '999999989000000.02')
    const history = await read(client, `/api-v1-deals/${deal.id}/history`)
    assert.ok(history.includes(`"changed":["value"],"previous":{"value":${digits}}`), history)
    await assertSound()
  })

  await t.test('The same value in a write is no change, and another one is 409', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal')
    await item(client, deal, large)
    const patch = (body: string) =>
      client.request('PATCH', `/api-v1-deals/${deal.id}`, { headers: { 'Content-Type': 'application/json' }, body })

    assert.equal((await patch(`{"value":${digits},"title":"Gold"}`)).status, 200)
    assert.equal((await patch('{"value":999999989000001}')).status, 409)
    await assertValue(client, deal, digits)
  })

  await t.test('Undo, trash and what is entered afterwards keep or replace all digits', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    const only = await item(client, deal, large)
    await client.delete(`/api-v1-deals/${deal.id}`)
    await client.post(`/api-v1-trash/${deal.id}/restore`, {})
    await assertValue(client, deal, digits)

    await client.delete(`/api-v1-line-items/${only.id}`)
    await assertValue(client, deal, digits)
    await client.patch(`/api-v1-deals/${deal.id}`, { value: 7 })
    await assertValue(client, deal, '7')
    const { seq } = (await client.get(`/api-v1-deals/${deal.id}/history`)).body.data[0]
    await undo(client, seq)
    await assertValue(client, deal, digits)

    const newest = async () => (await client.get(`/api-v1-deals/${deal.id}/history`)).body.data[0].seq
    await undo(client, await newest())
    await assertValue(client, deal, '7')
    await client.patch(`/api-v1-deals/${deal.id}`, { value: 999_999_989_000_000 })
    await client.post('/api-v1-undo', { seq, force: true })
    await assertValue(client, deal, digits)
    await undo(client, await newest())
    await assertValue(client, deal, '999999989000000')
    await assertSound()
  })

  await t.test('Undoing the first line item returns the value as it was shown', async () => {
    const client = await fresh()
    const shown = async ({ id }: JsonRecord) => /"value":[^,]+/.exec(await read(client, `/api-v1-deals/${id}`))![0]
    for (const value of [211_152_603_025_204.12, -211_152_603_025_204.12, 0.1234567890123456]) {
      const deal = await make(client, 'deal', { value })
      const before = await shown(deal)
      await item(client, deal, { unit_price: 3 })
      const { request_id } = (await client.get('/api-v1-changes?after=start&limit=1000')).body.data.at(-1)
      await client.post('/api-v1-undo', { request_id })
      assert.equal(await shown(deal), before)
    }
    const { body } = await client.get('/api-v1-deals/summary?measure=sum:value')
    assert.equal(body.data[0]['sum:value'], 0.1234567890123456)
  })

  await t.test('An import of the value that is shown changes nothing', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal')
    await item(client, deal, large)
    const field = await make(client, 'field', { resource: 'deal', key: 'number', type: 'text', unique: true })
    await client.patch(`/api-v1-deals/${deal.id}`, { metadata: { number: 'D-1' } })
    const record = `{"title":"${deal.title}","metadata":{"number":"D-1"},"value":${digits}}`
    const body = `{"records":[${record}],"match_on":"metadata.${field.key}"}`
    const headers = { 'Content-Type': 'application/json' }
    const submitted = await client.request('POST', '/api-v1-bulk/deals', { headers, body })
    assert.equal(submitted.status, 202, JSON.stringify(submitted.body))
    const job = await ended(client, submitted.headers.get('location')!)

    assert.deepEqual([job.processed_records, job.failed_records], [1, 0])
    await assertValue(client, deal, digits)
    assert.equal((await client.get(`/api-v1-deals/${deal.id}/history`)).body.data.length, 3)
  })

  await t.test('Sums are exact for values of any size, also of line items and weighted', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { probability: 50 })
    await item(client, deal, large)
    await item(client, deal, { unit_price: 0.01, discount_percent: 0.5 })
    for (const value of [1e12 + 0.07, -0.01, 3, 1e-300]) await make(client, 'deal', { value, probability: 0.25 })
    const sums = async (what: string, measures: string) => read(client, `/api-v1-${what}/summary?measure=${measures}`)

    const sum = await sums('deals', 'sum:value,weighted:value')
    assert.ok(sum.includes('"sum:value":1000999989000003.1,"weighted:value":500002494500000'), sum)
    const others = { currency: 'USD', value: -900_000, probability: 100 }
    await make(client, 'deal', others)
    await make(client, 'deal', { ...others, value: 910_000.000001, probability: 99.99 })
    const weighted = await sums('deals', 'weighted:value')
    assert.ok(weighted.includes('"currency":"USD"},"count":2,"weighted:value":9909.0000009999'), weighted)
    const total = await sums('line-items', 'sum:total')
    assert.ok(total.includes('"sum:total":999999989000000}'), total)
    await make(client, 'deal', { value: Number.MAX_VALUE })
    await make(client, 'deal', { value: Number.MAX_VALUE })
    assert.equal((await client.get('/api-v1-deals/summary?measure=sum:value')).body.data[0]['sum:value'], null)
  })

  async function assertSound(): Promise<void> {
    const { stdout } = await run(process.execPath, ['src/main.ts', 'check', '--data', server.directory])
    assert.match(stdout, /is sound/)
  }
})

/** decision T3 */
test('kontor check finds digits that are not those of the value', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const deals = [await make(client, 'deal'), await make(client, 'deal', { value: 8 })]
  await make(client, 'line_item', { deal_id: deals[0]!.id, ...large })
  await server.stop()
  const db = new Database(join(server.directory, 'kontor.db'))
  const set = db.prepare('UPDATE deal SET value_digits = ? WHERE id = ?')
  set.run('999999989000000.02', deals[0]!.id)
  set.run('9', deals[1]!.id)
  db.close()

  const { stderr } = await run(process.execPath, ['src/main.ts', 'check', '--data', server.directory]).catch((e) => e)
  assert.match(stderr, new RegExp(`deal ${deals[0]!.id} has a value that is not the sum of its line items`))
  assert.match(stderr, new RegExp(`deal ${deals[1]!.id} has digits that are not those of its value`))
})
