import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desk } from './import-desk.ts'

test('An import of activities says before that it cannot be undone, and offers no undo after', async (t) => {
  const { importFile } = await desk(t, {
    'a.csv': 'Type,Subject\ncall,Offer\n',
    'p.csv': 'First name\nAda\n',
  })

  const tried = await importFile('activities', 'a.csv', '--dry-run')
  const done = await importFile('activities', 'a.csv')
  const people = await importFile('contacts', 'p.csv')

  assert.match(tried.stdout, /Imported activities cannot be changed or deleted: their import cannot be undone\./)
  assert.match(done.stderr, /It cannot be undone, because activities are never deleted\. Its jobs: [\w-]{36}/)
  assert.doesNotMatch(done.stderr, /take it back/)
  assert.match(people.stderr, /To take it back, undo its jobs .*: [\w-]{36}/)
})

test('The time of an activity comes from a declared field: without an offset in UTC, or with it', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': 'Typ;Betreff;Datum\ncall;A;02.11.2025 11:00\ncall;B;02.11.2025 11:00 +01:00\n',
  })
  const field = { resource: 'activity', key: 'occurred_at', type: 'datetime' }
  assert.equal((await client.post('/api-v1-fields', field)).status, 201)

  const { code } = await importFile('activities', 'a.csv', '--map', 'Datum=metadata.occurred_at')

  assert.equal(code, 0)
  const at = async (time: string) => {
    const { data } = (await client.get(`/api-v1-activities?filter[occurred_at]=2025-11-02T${time}Z`)).body
    return data.map(({ subject }: { subject: string }) => subject)
  }
  assert.deepEqual([await at('11:00:00'), await at('10:00:00')], [['A'], ['B']])
})
