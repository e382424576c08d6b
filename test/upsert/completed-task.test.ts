import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/client.ts'
import { declareField } from '../support/fields.ts'
import { start } from '../support/start.ts'

test('An upsert of a task that is completed already leaves the time at which it was, unless it reopened it', async (t) => {
  const { company, clock } = await start(t)
  const { client } = await company('Acme')
  await declareField(client, 'number', 'text', { resource: 'task', unique: true })
  const completed = { title: 'Call', status: 'completed', metadata: { number: 'T-1' } }
  const results: ApiResponse[] = []
  for (const body of [completed, completed, { ...completed, status: 'pending' }, completed]) {
    results.push(await client.put('/api-v1-tasks?match_on=metadata.number', body))
    clock.advance(1000)
  }

  const [made, same, reopened, again] = results.map(({ body }) => body.data.completed_at)
  assert.deepEqual(
    results.flatMap(({ status, headers }) => [status, headers.get('kontor-outcome')]),
    [201, 'created', 200, 'unchanged', 200, 'updated', 200, 'updated'],
  )
  assert.deepEqual([same, reopened, Date.parse(again) - Date.parse(made)], [made, null, 3000])
})
