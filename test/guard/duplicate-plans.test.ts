import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeable } from '../../src/features/index.ts'
import type { Connection } from '../../src/store/open.ts'
import { make, newItems } from '../support/make.ts'
import { start } from '../support/start.ts'

test('A create looks up the record that it may duplicate in an index alone', async (t) => {
  let db: Connection | undefined
  const statements: string[] = []
  const server = await start(t, {
    prepare(opened) {
      db = opened
      const prepare = opened.prepare.bind(opened)
      opened.prepare = ((sql: string) => {
        statements.push(sql)
        return prepare(sql)
      }) as typeof opened.prepare
    },
  })
  const client = await server.client()
  for (const resource of mergeable)
    await make(client, resource.name, { ...newItems(resource), ...resource.about.example })

  const lookups = statements.filter((sql) => sql.endsWith('LIMIT 1') && sql.includes(' LIMIT 100) AS '))
  const looked = mergeable.filter(({ duplicates }) => duplicates.some(({ fields, within }) => !fields && !within))
  assert.equal(lookups.length, looked.length)
  for (const sql of lookups) {
    const marks = [...sql.matchAll(/\?/g)].map(() => 'a')
    const plan = db!.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...marks, { workspace: 1 }) as { detail: string }[]
    assert.ok(
      plan.some(({ detail }) => /USING COVERING INDEX \w+ \(workspace_id=\? AND \w+_key=\?\)/.test(detail)),
      JSON.stringify(plan),
    )
  }
})
