import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../../src/access/plan.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import { readChanges } from '../../support/changes.ts'
import { assertError, type Client } from '../../support/client.ts'
import { declareField } from '../../support/fields.ts'
import {
  importAll,
  importResults,
  jobAt,
  outcomesOf,
  resultsOf,
  runBatch,
  submit,
  totalOf,
} from '../../support/imports.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const person = (email: string, rest: object = {}) => ({ first_name: 'Ada', emails: [{ email }], ...rest })
const rehearsed = { match_on: 'email', dry_run: true }

/** Records of more than two batches, in which an email comes again in another batch, alone and through another record. */
function repeating() {
  const records = Array.from({ length: 250 }, (_, row) => person(`p${row}@example.com`))
  records[120] = person('P7@example.com', { last_name: 'Again' })
  records[130] = { ...person('p8@example.com'), emails: [{ email: 'p8@example.com' }, { email: 'other@example.com' }] }
  records[240] = person('other@example.com', { last_name: 'Through another' })
  records[241] = person('p7@example.com', { last_name: 'Again' })
  return records
}

test('A dry run has the outcomes of the import, also for records that repeat those of other batches, and writes nothing', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await make(client, 'contact', person('p3@example.com'))
  const [before, total] = [await readChanges(client), await totalOf(client, 'contacts')]

  const tried = await importResults(client, 'contacts', repeating(), rehearsed)
  const added = (await readChanges(client)).slice(before.length)
  const totalAfter = await totalOf(client, 'contacts')
  const done = await importResults(client, 'contacts', repeating(), { match_on: 'email' })

  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
  const outcomes = Object.groupBy(tried, ({ outcome }) => outcome)
  assert.deepEqual([outcomes.created?.length, outcomes.unchanged?.length], [245, 2])
  assert.deepEqual(
    [120, 130, 240, 241, 3].map((row) => tried[row]!.outcome),
    ['updated', 'updated', 'updated', 'unchanged', 'unchanged'],
  )
  assert.deepEqual(
    added.map(({ type }) => type),
    ['bulk_job.created', 'bulk_job.completed'],
  )
  assert.equal(totalAfter, total)
})

test('A dry run that has ended has left nothing of its work: there is nothing to undo', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await importAll(client, 'contacts', [person('ada@example.com')], rehearsed)

  assertError(await client.post('/api-v1-undo', { bulk_job_id: id }), 404, 'NOT_FOUND')
})

test('A dry run shows only ids of records that exist', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await make(client, 'contact', person('old@example.com'))
  const records = [person('old@example.com'), person('new@example.com'), person('new@example.com')]

  const merged = await importResults(client, 'contacts', records, rehearsed)
  const created = await importResults(client, 'contacts', records, { ...rehearsed, mode: 'create_only' })

  assert.deepEqual(
    merged.map((result) => [result.outcome, result.id]),
    [
      ['unchanged', id],
      ['created', null],
      ['unchanged', null],
    ],
  )
  assert.deepEqual(outcomesOf(created), [
    `email: Contact with this email already exists: ${id}`,
    'created',
    'email: Contact with this email already exists: a record of this import',
  ])
})

test('A thousand rows about one contact are one created record and the rest as in the import', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const records = Array.from({ length: 1000 }, (_, row) => person('ada@example.com', { last_name: `Row ${row % 2}` }))

  const results = await importResults(client, 'contacts', records, rehearsed)

  assert.deepEqual(outcomesOf(results), ['created', ...Array(999).fill('updated')])
})

test('A dry run without match_on says what would fail: unique values, references, and what the plan does not allow', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'enterprise')
  await declareField(client, 'number', 'text', { unique: true })
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_contacts: 150 }))
  const records = Array.from({ length: 220 }, (_, row) => ({
    first_name: `Row ${row}`,
    metadata: { number: `${row % 110}` },
  }))

  const tried = await importResults(client, 'contacts', records, { dry_run: true })
  const done = await importResults(client, 'contacts', records)

  const named = outcomesOf(done).map((text) => text.replace(/[0-9a-f-]{36}$/, 'a record of this import'))
  assert.deepEqual(outcomesOf(tried), named)
  assert.equal(tried.filter(({ outcome }) => outcome === 'created').length, 110)
  assert.equal(await totalOf(client, 'contacts'), 110)

  const more = Array.from({ length: 120 }, (_, row) => ({ first_name: `More ${row}` }))
  const limited = await importResults(client, 'contacts', more, { dry_run: true })
  assert.deepEqual(outcomesOf(limited), outcomesOf(await importResults(client, 'contacts', more)))
  assert.equal(limited.filter(({ outcome }) => outcome === 'created').length, 40)
})

test('A dry run counts the organizations that rows of other batches would create, each once, against the limit of the plan', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'enterprise')
  await make(client, 'organization', { name: 'There' })
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_organizations: 120 }))
  const records = Array.from({ length: 330 }, (_, row) => {
    const name = row % 110 === 0 ? 'There' : `Company ${row % 150}`
    return person(`p${row % 300}@example.com`, { organization: { name } })
  })

  const tried = await importResults(client, 'contacts', records, rehearsed)
  const done = await importResults(client, 'contacts', records, { match_on: 'email' })

  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
  assert.equal(await totalOf(client, 'organizations'), 120)
  assert.ok(outcomesOf(done).includes('Your plan allows at most 120 organizations'))
})

test('A dry run that fills what is empty counts the organizations of contacts that have none', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'enterprise')
  const rows = (organization: (row: number) => object) =>
    Array.from({ length: 160 }, (_, row) => person(`p${row}@example.com`, organization(row)))
  await importAll(
    client,
    'contacts',
    rows((row) => (row % 4 ? {} : { organization: { name: 'There' } })),
  )
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_organizations: 110 }))
  const named = rows((row) => ({ organization: { name: `Company ${row}` } }))
  const filling = { match_on: 'email', mode: 'fill_empty' }

  const tried = await importResults(client, 'contacts', named, { ...filling, dry_run: true })
  const done = await importResults(client, 'contacts', named, filling)

  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
  assert.equal(outcomesOf(done).filter((each) => each.includes('at most 110')).length, 11)
})

test('A dry run counts one organization if rows of several batches fill the same contact', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'enterprise')
  await importAll(
    client,
    'contacts',
    [0, 1, 2, 3].map((row) => person(`p${row}@example.com`)),
  )
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_organizations: 120 }))
  const records = Array.from({ length: 320 }, (_, row) => {
    const isFirst = row === 10
    const shared = person(`p${row % 20}@example.com`, isFirst ? {} : { organization: { name: `Of ${row}` } })
    return row < 220 ? shared : person(`q${row}@example.com`, { organization: { name: `New ${row}` } })
  })
  const filling = { match_on: 'email', mode: 'fill_empty' }

  const tried = await importResults(client, 'contacts', records, { ...filling, dry_run: true })
  const done = await importResults(client, 'contacts', records, filling)

  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
  assert.equal(outcomesOf(done).filter((each) => each === 'created').length, 16 + 100)
  assert.equal(await totalOf(client, 'organizations'), 120)
})

test('A dry run knows what the first of many rows about one contact has written', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const whole = person('ada@example.com', { job_title: 'CTO' })
  const records = [whole, ...Array.from({ length: 210 }, () => person('ada@example.com')), whole]

  const results = await importResults(client, 'contacts', records, rehearsed)

  assert.deepEqual(outcomesOf(results), ['created', ...Array(211).fill('unchanged')])
})

test('A dry run matches no row with an earlier one that the plan does not allow', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'enterprise')
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_contacts: 90 }))
  const records = Array.from({ length: 120 }, (_, row) => person(`p${row % 100}@example.com`, { last_name: `${row}` }))
  records.push(person('p95@example.com'), person('p5@example.com'))

  const tried = await importResults(client, 'contacts', records, rehearsed)
  const done = await importResults(client, 'contacts', records, { match_on: 'email' })

  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
  assert.match(outcomesOf(done)[120]!, /at most 90 contacts/)
})

test('A dry run that gives way to single writes has the same results', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', repeating(), rehearsed)
  const [workspaceId] = await sweep(server.store)
  let turns = 0

  for (; (await runBatch(server.store, workspaceId!, () => true)) === 'imported'; turns++)
    await progressIsWhole(client, path)

  const tried = await resultsOf(client, path)
  assert.ok(turns > 3)
  const done = await importHere(client, server, repeating())
  assert.deepEqual(outcomesOf(tried), outcomesOf(done))
})

async function progressIsWhole(client: Client, path: string): Promise<void> {
  const { processed_records } = await jobAt(client, path)
  assert.ok(processed_records % 100 === 0 || processed_records === 250)
  assert.equal((await resultsOf(client, path)).length, processed_records)
}

async function importHere(client: Client, server: { store: Parameters<typeof sweep>[0] }, records: object[]) {
  const path = await submit(client, 'contacts', records, { match_on: 'email' })
  const [workspaceId] = await sweep(server.store)
  while ((await runBatch(server.store, workspaceId!)) === 'imported');
  return resultsOf(client, path)
}
