import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openConnection } from '../../../src/store/open.ts'
import { releases, unpack } from '../../releases/releases.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { contacts, runBatches } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

const jobId = '019ecb27-2200-7000-8000-000000000001'
const at = '2026-11-20T08:00:00.000Z'

test('An import that an earlier release has begun continues after the upgrade, and its jobs keep their counts', async (t) => {
  const directory = temporaryDirectory(t)
  unpack(releases.at(-1)!, directory)
  const db = openConnection(join(directory, 'kontor.db'), { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  const columns = 'type, type_key, status, status_key, total_records, processed_records, successful_records'
  const insertJob = db.prepare(`INSERT INTO bulk_job (workspace_id, id, ${columns}, failed_records, progress_percent,
      errors, completed_at, created_at, updated_at)
    VALUES (1, ?, 'import_contacts', 0, ?, ?, 5, ?, ?, ?, 0, '[]', ?, '${at}', '${at}')`)
  insertJob.run(jobId, 'processing', 1, 0, 0, 0, null)
  insertJob.run(jobId.replace(/1$/, '2'), 'completed', 2, 5, 4, 1, at)
  const outcome = { succeeded: 2, failed: 1, errors: [{ row: 2, error: 'Record must be an object' }] }
  const records = `${JSON.stringify(outcome)}\n${JSON.stringify(contacts(5, 'Upgraded'))}`
  db.prepare('INSERT INTO bulk_batch VALUES (1, ?, 1, ?)').run(jobId, records)
  db.close()

  const { store } = await start(t, { directory, work: 'nowhere' })
  await runBatches(store)

  const sql = `SELECT status, processed_records, successful_records, created_records, updated_records, failed_records, errors, record
    FROM bulk_job WHERE workspace_id = :workspace AND total_records = 5 ORDER BY id`
  const [continued, ended] = store.workspace(1).rows<Record<string, unknown>>(sql)
  const { record, ...counts } = continued!
  assert.deepEqual(counts, {
    ...{ status: 'completed', processed_records: 5, successful_records: 4, created_records: 4, updated_records: 0 },
    ...{ failed_records: 1, errors: JSON.stringify(outcome.errors) },
  })
  const { match_on, mode, dry_run } = JSON.parse(String(record))
  assert.deepEqual([match_on, mode, dry_run], [null, null, false])
  assert.deepEqual([ended!.created_records, ended!.failed_records], [4, 1])
  const names = `SELECT last_name FROM contact WHERE workspace_id = :workspace AND last_name LIKE 'Upgraded %' ORDER BY id`
  assert.deepEqual(store.workspace(1).values(names), ['Upgraded 4', 'Upgraded 5'])
})
