import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlowStatement } from '../../src/store/slow.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const path = '/api-v1-organizations'

test('A slow statement is reported with its plan and its request, but without its values', async (t) => {
  const slow: SlowStatement[] = []
  const server = await start(t, { slow: { ms: 0, report: (statement) => slow.push(statement) } })
  const client = await server.client()
  await make(client, 'organization')
  slow.length = 0

  await client.get(`${path}?name[like]=Geheimnis`, { 'X-Request-Id': 'the-read' })
  await client.post(path, { name: 'Geheimnis' }, { 'X-Request-Id': 'the-write' })

  const [read, written] = ['the-read', 'the-write'].map((id) => slow.filter(({ cause }) => cause === id))
  assert.ok(read!.some(({ sql, plan }) => sql.includes('FROM organization') && /SEARCH organization/.test(plan.join())))
  assert.ok(written!.some(({ sql }) => sql.startsWith('INSERT INTO main.organization')))
  assert.doesNotMatch(JSON.stringify(slow), /Geheimnis/)
})

test('A fast statement is not reported', async (t) => {
  const slow: SlowStatement[] = []
  const server = await start(t, { slow: { ms: 60_000, report: (statement) => slow.push(statement) } })

  await make(await server.client(), 'organization')

  assert.deepEqual(slow, [])
})
