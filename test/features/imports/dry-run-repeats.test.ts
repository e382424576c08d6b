import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../../src/access/plan.ts'
import type { Client } from '../../support/client.ts'
import { type Envelope, importAll, importResults, outcomesOf } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

const person = (email: string, rest: object = {}) => ({ first_name: 'Ada', emails: [{ email }], ...rest })
const others = Array.from({ length: 110 }, (_, row) => person(`other${row}@example.com`))

/** Fails unless a dry run has the outcomes of the import. Returns that of the last row. */
async function lastOf(
  client: Client,
  records: object[],
  what = 'contacts',
  envelope: Envelope = { match_on: 'email' },
): Promise<string> {
  const tried = await importResults(client, what, records, { ...envelope, dry_run: true })
  const done = await importResults(client, what, records, envelope)
  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
  return outcomesOf(done).at(-1)!
}

test('A dry run knows what an earlier row has changed of a contact that it names by another email', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const emails = [{ email: 'ada@example.com' }, { email: 'a@home.example' }]
  await importAll(client, 'contacts', [{ first_name: 'Ada', emails }])
  const named = { job_title: 'CTO' }

  const last = await lastOf(client, [person('ada@example.com', named), ...others, person('a@home.example', named)])

  assert.equal(last, 'unchanged')
})

test('A dry run finds the organization that an earlier row has found, whatever came between', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'enterprise')
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_organizations: 100 }))
  const [domain, name] = ['navy.example', 'Navy']

  const last = await lastOf(client, [
    person('first@example.com', { organization: { name } }),
    person('ada@example.com', { organization: { name, domain } }),
    person('third@example.com', { organization: { domain } }),
    ...others,
    person('ada@example.com', { organization: { name } }),
  ])

  assert.equal(last, 'unchanged')
})

test('A dry run knows that an earlier row has taken a unique value, or given it up, by whatever its rows are matched', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await client.post('/api-v1-fields', { resource: 'product', key: 'n', type: 'number', unique: true })
  const hamper = (sku: string, n: number) => ({ name: 'Hamper', sku, currency: 'EUR', metadata: { n } })
  const products = Array.from({ length: 110 }, (_, row) => hamper(`other-${row}`, row))
  const byNumber = { match_on: 'metadata.n' }

  const taken = await lastOf(client, [hamper('a', 200), ...products, hamper('a', 201)], 'products', byNumber)
  const free = await lastOf(client, [hamper('b', 200), ...products, hamper('a', 202)], 'products', byNumber)
  const plain = [hamper('c', 301), ...products.map(({ metadata: _, ...rest }, row) => ({ ...rest, sku: `p-${row}` }))]
  const alone = await lastOf(client, [...plain, hamper('c', 302)], 'products', {})

  const refused = 'sku: Product with this sku already exists'
  assert.deepEqual([taken, free, alone], [refused, 'created', refused])
})
