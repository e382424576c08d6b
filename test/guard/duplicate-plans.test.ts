import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeable } from '../../src/features/index.ts'
import { make, newItems } from '../support/make.ts'
import { start } from '../support/start.ts'
import { planOf, StatementWatch } from './statements.ts'

test('A create looks up the record that it may duplicate in an index alone', async (t) => {
  const watch = new StatementWatch()
  const server = await start(t, { prepare: watch.prepare })
  const client = await server.client()
  for (const resource of mergeable)
    await make(client, resource.name, { ...newItems(resource), ...resource.about.example })

  const lookups = watch.statements.filter((sql) => sql.endsWith('LIMIT 1') && sql.includes(' LIMIT 100) AS '))
  const looked = mergeable.filter(({ duplicates }) => duplicates.some(({ fields, within }) => !fields && !within))
  assert.equal(lookups.length, looked.length)
  for (const sql of lookups) {
    const plan = planOf(watch.db, sql, 'a')
    assert.ok(
      plan.some((step) => /USING COVERING INDEX \w+ \(workspace_id=\? AND \w+_key=\?\)/.test(step)),
      JSON.stringify(plan),
    )
  }
})
