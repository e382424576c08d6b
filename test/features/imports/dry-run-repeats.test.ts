import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../../src/access/plan.ts'
import type { Client } from '../../support/client.ts'
import { importAll, importResults, outcomesOf } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

const person = (email: string, rest: object = {}) => ({ first_name: 'Ada', emails: [{ email }], ...rest })
const others = Array.from({ length: 110 }, (_, row) => person(`other${row}@example.com`))

/** Fails unless a dry run has the outcomes of the import. Returns that of the last row. */
async function lastOf(client: Client, records: object[]): Promise<string> {
  const tried = await importResults(client, 'contacts', records, { match_on: 'email', dry_run: true })
  const done = await importResults(client, 'contacts', records, { match_on: 'email' })
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
