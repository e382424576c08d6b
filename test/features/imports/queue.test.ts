import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureQueue } from '../../../src/features/imports/measure-queue.ts'
import { openMetrics } from '../../../src/http/metrics.ts'
import { noErasures } from '../../../src/store/erasure-watch.ts'
import { contacts, runBatch, runBatches, submit } from '../../support/imports.ts'
import { samplesIn } from '../../support/metrics.ts'
import { start } from '../../support/start.ts'

const unmeasured = {
  webhooks: () => ({ failing: 0, pending: 0 }),
  behind: () => ({}),
  disk: () => undefined,
  content: { removals: () => 0, faults: () => 0 },
  erasures: () => noErasures,
}

test('Metrics that cannot be read fail only that response', async (t) => {
  const { path } = await start(t)
  let broken = true
  const queue = () => {
    if (broken) throw new Error('disk I/O error')
    return { jobs: {}, records: 7 }
  }
  const metrics = await openMetrics({ host: '127.0.0.1', port: 0 }, { ...unmeasured, database: path, queue })
  t.after(metrics.close)

  assert.equal((await fetch(metrics.url)).status, 500)
  broken = false
  const response = await fetch(metrics.url)
  assert.equal(samplesIn(await response.text()).get('kontor_job_records_waiting'), 7)
})

test('The metrics count the queued jobs, the running jobs and their remaining records', async (t) => {
  const { store, path, client } = await start(t, { work: 'nowhere' })
  const queue = () => measureQueue(store)
  const metrics = await openMetrics({ host: '127.0.0.1', port: 0 }, { ...unmeasured, database: path, queue })
  t.after(metrics.close)
  const measured = async () => {
    const samples = samplesIn(await (await fetch(metrics.url)).text())
    const names = ['kontor_jobs{status="queued"}', 'kontor_jobs{status="processing"}', 'kontor_job_records_waiting']
    return names.map((name) => samples.get(name))
  }
  const [one, other] = [await client(), await client()]
  await submit(one, 'contacts', contacts(250))
  await submit(one, 'contacts', contacts(10))
  await submit(other, 'organizations', [{ name: 'Nordwind' }])

  const before = await measured()
  const [workspaceId] = store.access.values<number>('SELECT workspace_id FROM bulk_batch ORDER BY 1')
  await runBatch(store, workspaceId!)
  const during = await measured()
  await runBatches(store)

  assert.deepEqual(
    [before, during],
    [
      [3, 0, 261],
      [2, 1, 161],
    ],
  )
  assert.deepEqual(await measured(), [0, 0, 0])
})
