import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { hasWork, planBatch } from '../../src/changes/readers/batch-reader.ts'
import { batchReaders } from '../../src/features/index.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { planOf, StatementWatch } from './statements.ts'
import { isOfVisibility } from './visibility-steps.ts'

/** Whether a step reads few rows although it names none: those that a limit or a subquery has found, or the row of an id. */
const readsFew = (detail: string) => /^SCAN \(subquery-\d+\)$|^SCAN made$|\(rowid=\?\)$/.test(detail)
/** A statement that reads one row, the first or the last of its index. */
const readsOne = /^SELECT (?:1|seq) FROM \w+ WHERE workspace_id = \+:workspace (?:ORDER BY seq DESC )?LIMIT 1$/

test('No reader of the log reads all records of a workspace to deal with a few', async (t) => {
  const watch = new StatementWatch()
  watch.isOn = false
  const server = await start(t, { work: 'nowhere', prepare: watch.prepare })
  const { id, client } = await server.company('Acme')
  const workspaceId = findWorkspaceId(server.store.access, id, 'live')
  const dealWithAll = async () => {
    for (const reader of batchReaders) {
      while (hasWork(reader, server.store.workspace(workspaceId))) {
        watch.isOn = true
        const batch = planBatch(reader, server.store.workspace(workspaceId))
        watch.isOn = false
        for (const write of batch?.writes ?? []) await server.store.write(workspaceId, write)
      }
    }
  }
  await dealWithAll()
  const contact_id = (await make(client, 'contact')).id
  const { id: deal_id, stage_id } = await make(client, 'deal', { contact_id })
  await make(client, 'activity', { contact_id })
  await make(client, 'task', { deal_id })
  await client.patch(`/api-v1-stages/${stage_id}`, { kind: 'won' })
  await dealWithAll()

  const statements = [...new Set(watch.statements)]
  assert.ok(statements.length > 10, statements.join('\n'))
  for (const sql of statements.filter((each) => !readsOne.test(each))) {
    const steps = planOf(watch.db, sql, '[]').filter((step) => !isOfVisibility(step) && !readsFew(step))
    for (const step of steps) {
      assert.ok(!/^(?:SCAN|SEARCH) /.test(step) || step.includes(' AND '), `${step}\n${sql}`)
    }
  }
})
