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
