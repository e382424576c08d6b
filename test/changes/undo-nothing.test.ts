import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { ended, submit } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

async function run(client: Client, what: string, records: unknown[], envelope = {}) {
  const path = await submit(client, what, records, envelope)
  await ended(client, path)
  return path.split('/').at(-1)
}

test('The undo of a job that changed nothing is 404, as is its dry run', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const record = { first_name: 'Ada', emails: [{ email: 'ada@x.example' }] }
  await make(client, 'contact', record)
  const jobs = {
    failed: await run(client, 'contacts', [{ first_name: '' }]),
    unchanged: await run(client, 'contacts', [record], { match_on: 'email' }),
    dryRun: await run(client, 'contacts', [{ first_name: 'Lin' }], { dry_run: true }),
    cancelled: await run(client, 'contacts', [{ first_name: 'Lin' }], { match_on: 'email', mode: 'update_only' }),
  }
  const undone = await run(client, 'contacts', [{ first_name: 'Lin' }])
  assert.equal((await client.post('/api-v1-undo', { bulk_job_id: undone })).body.data.reversed.length, 1)

  for (const [what, bulk_job_id] of Object.entries(jobs)) {
    for (const dry_run of [false, true]) {
      const response = await client.post('/api-v1-undo', { bulk_job_id, dry_run })
      assert.equal(response.status, 404, `${what}: ${JSON.stringify(response.body)}`)
      assertError(response, 404, 'NOT_FOUND')
      const history = await client.get(`/api-v1-changes?record_id=${bulk_job_id}`)
      for (const { seq, type, request_id } of history.body.data) {
        const bySeq = await client.post('/api-v1-undo', { seq, dry_run })
        assert.equal(bySeq.status, 404, `${what} ${type}: ${JSON.stringify(bySeq.body)}`)
        if (request_id)
          assert.equal((await client.post('/api-v1-undo', { request_id, dry_run })).status, 404, `${what} ${type}`)
      }
    }
  }
})
