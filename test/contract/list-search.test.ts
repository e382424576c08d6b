import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { contact } from '../../src/crm/contact.ts'
import { assertError } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'
import { fill, listed } from '../support/search.ts'
import { start } from '../support/start.ts'

const contacts = '/api-v1-contacts'

async function open(t: TestContext) {
  const server = await start(t)
  const company = await server.company('Acme')
  return { server, company, client: company.client }
}

test('q is combined with filters, sorts, pages and cursors, and the total is exact', async (t) => {
  const { server, client } = await open(t)
  const names = Array.from({ length: 60 }, (_, n) => `Nord ${String(n).padStart(2, '0')}`)
  await fill(server, client, contact, [
    ...names.map((first_name, n) => ({ first_name, job_title: n % 2 ? 'Buyer' : 'Seller' })),
    ...names.map(() => ({ first_name: 'Other', job_title: 'Buyer' })),
  ])
  const buyers = names.filter((_, n) => n % 2)
  const query = 'q=NORD&job_title=Buyer&sort=first_name&limit=7'

  const byCursor: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`${contacts}?${query}${cursor}`)
    byCursor.push(...body.data.map(({ first_name }: JsonRecord) => first_name))
    assert.equal(body.pagination.total, buyers.length)
    if (body.pagination.next_cursor === null) break
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
  const third = await client.get(`${contacts}?${query}&page=3`)

  assert.deepEqual(byCursor, buyers)
  assert.deepEqual(
    third.body.data.map(({ first_name }: JsonRecord) => first_name),
    buyers.slice(14, 21),
  )
  const { next_cursor } = (await client.get(`${contacts}?${query}`)).body.pagination
  const of = (q: string) => client.get(`${contacts}?${query.replace('NORD', q)}&cursor=${next_cursor}`)
  assert.equal((await of('nord')).status, 200)
  assertError(await of('nor'), 400, 'VALIDATION_ERROR', undefined, ['cursor'])
})

test('A summary and a view take q', async (t) => {
  const { client } = await open(t)
  for (const [title, value] of [
    ['Nord a', 1],
    ['Nord b', 2],
    ['Other', 4],
  ] as const)
    await client.post('/api-v1-deals', { title, value })
  const view = { name: 'Nord', resource: 'deal', filter: 'q=nord' }
  const { id } = (await client.post('/api-v1-views', view)).body.data

  const { body } = await client.get('/api-v1-deals/summary?q=nord&measure=sum:value')
  const viewed = async (rest = '') => (await client.get(`/api-v1-deals?view=${id}${rest}`)).body.pagination.total

  assert.deepEqual(
    body.data.map((each: JsonRecord) => [each.count, each['sum:value']]),
    [[2, 3]],
  )
  assert.deepEqual([await viewed(), await viewed('&q=other')], [2, 1])
  assertError(await client.post('/api-v1-views', { ...view, filter: 'q=' }), 400, 'VALIDATION_ERROR', undefined, [
    'filter',
  ])
})

test('The next request after a change lists the record by its new text', async (t) => {
  const { client } = await open(t)
  const { id } = (await client.post('/api-v1-tasks', { title: 'Call', description: 'former' })).body.data
  const of = async (q: string) => (await listed(client, '/api-v1-tasks', q)).ids
  assert.deepEqual([await of('former'), await of(id)], [[id], [id]])

  await client.patch(`/api-v1-tasks/${id}`, { description: 'newer' })

  assert.deepEqual([await of('former'), await of('newer call')], [[], [id]])
  await client.delete(`/api-v1-tasks/${id}`)
  assert.deepEqual([await of('newer'), await of(id)], [[], []])
})

test('An invalid q is 400 in lists and summaries, and a resource that is not searched has none', async (t) => {
  const { client } = await open(t)
  const long = 'a'.repeat(201)

  for (const path of [contacts, `${contacts}/summary`]) {
    for (const q of ['', '%20%20', long, 'a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k', 'word%20'.repeat(500), 'a&q=b']) {
      assertError(await client.get(`${path}?q=${q}`), 400, 'VALIDATION_ERROR', undefined, ['q'])
    }
  }
  assertError(await client.get(`${contacts}?q[like]=a`), 400, 'VALIDATION_ERROR', undefined, ['q[like]'])
  assertError(await client.get('/api-v1-stages?q=a'), 400, 'VALIDATION_ERROR', undefined, ['q'])
})

test('A list with q needs its scope, and has nothing of another company or environment', async (t) => {
  const { server, company, client } = await open(t)
  const [other, testKey] = [await server.company('Other'), await company.key({ environment: 'test' })]
  const clients = [client, other.client, testKey]
  const ids: string[] = []
  for (const each of clients) {
    const emails = [{ email: 'same@same.example' }]
    ids.push((await each.post(contacts, { first_name: 'Same', emails })).body.data.id)
  }

  for (const q of ['same', 's', 'same@same.example', ...ids]) {
    for (const [at, each] of clients.entries()) {
      const { ids: found, total } = await listed(each, contacts, q)
      assert.deepEqual(found, ids.includes(q) && q !== ids[at] ? [] : [ids[at]], q)
      assert.equal(total, found.length)
    }
  }
  const deals = await company.key({ scopes: ['read:deals'] })
  assertError(await deals.get(`${contacts}?q=same`), 403, 'INSUFFICIENT_PERMISSIONS')
})
