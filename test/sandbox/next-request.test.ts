import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forkOf, openSandbox } from './sandbox.ts'

test('While the clock is frozen, an import has ended with the next request, and what follows gets the ids that it always gets', async (t) => {
  const sandbox = await openSandbox(t)
  const records = Array.from({ length: 1_000 }, (_, number) => ({ name: `Hamper ${number}` }))
  const importInto = async () => {
    const client = await forkOf(sandbox, { seed: 'import', clock: { now: '2026-02-02T09:00:00Z', mode: 'frozen' } })
    const { headers } = await client.post('/api-v1-bulk/products', { records })
    const made = await client.post('/api-v1-deals', { title: 'Hampers' })
    const job = await client.get(headers.get('location')!)
    const { body } = await client.get('/api-v1-changes?limit=10&after=start')
    return [made.body.data, job.body.data, body.data]
  }

  const [one, other] = [await importInto(), await importInto()]

  assert.deepEqual([one[1].status, one[1].processed_records], ['completed', 1_000])
  assert.deepEqual(one, other)
})
