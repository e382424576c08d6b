import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeKey, setKeyActive, updateKey } from '../../../src/access/key.ts'
import { deactivateUser } from '../../../src/access/user.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import { contacts, jobAt, runBatch, runBatches, submit, totalOf } from '../../support/imports.ts'
import { start } from '../../support/start.ts'
import { newColleague, newOwner } from '../../support/visitor.ts'

const error = 'Insufficient permissions. Required scope: write:contacts'

test('An import writes nothing more once its key is disabled, revoked or without the scope', async (t) => {
  const losses: Record<string, (tx: Parameters<typeof revokeKey>[0], keyId: string) => unknown> = {
    disabled: (tx, keyId) => setKeyActive(tx, keyId, false),
    revoked: (tx, keyId) => revokeKey(tx, keyId),
    narrowed: (tx, keyId) => updateKey(tx, keyId, { scopes: '["read:all"]' }),
  }
  for (const [loss, lose] of Object.entries(losses)) {
    await t.test(loss, async (t) => {
      const server = await start(t, { work: 'nowhere' })
      const { client, key } = await server.company('Acme')
      const limited = await key({ scopes: ['write:contacts'] })
      const path = await submit(limited, 'contacts', contacts(150))
      const [workspaceId] = await sweep(server.store)
      await runBatch(server.store, workspaceId!)
      await server.store.writeAccess((tx) => void lose(tx, limited.keyId))

      await runBatches(server.store)

      const { status, created_records, failed_records, errors } = await jobAt(client, path)
      assert.deepEqual([status, created_records, failed_records], ['completed', 100, 50])
      assert.deepEqual(errors[0], { row: 101, error, code: 'INSUFFICIENT_PERMISSIONS' })
      assert.equal(await totalOf(client, 'contacts'), 100)
    })
  }
})

test('An import of a user who is deactivated writes nothing more', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const owner = await newOwner(server)
  const colleague = await newColleague(server, 'member')
  const { body } = await colleague.post('/api-v1-bulk/contacts', { records: contacts(3) })

  await server.store.writeAccess((tx) => deactivateUser(tx, colleague.id))
  await runBatches(server.store)

  const { data } = (await owner.get(`/api-v1-bulk/jobs/${body.data.job_id}`)).body
  assert.deepEqual([data.status, data.failed_records, data.errors[0].error], ['completed', 3, error])
})
