import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { deliverMail, newAddress, rawMail, startWithMail } from '../features/mail/mails.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { merge, organizations } from './merging.ts'

/** More than the other records that a merge moves. */
const messages = 10_100

test('What has moved in a merge stays when a merged record has been erased, however many messages have moved with it', {
  timeout: 300_000,
}, async (t) => {
  const server = await startWithMail(t)
  const { id: companyId, client } = await server.company('Acme')
  const [survivor, other] = [await make(client, 'organization', {}), await make(client, 'organization', {})]
  const deal = await make(client, 'deal', { organization_id: other.id })
  const { address } = await newAddress(client)
  const { id } = (await deliverMail(client, address, rawMail({ To: address }))).body.data
  await client.patch(`/api-v1-messages/${id}`, { organization_id: other.id })
  await server.store.write(findWorkspaceId(server.store.access, companyId, 'live'), (tx) => {
    const all = "SELECT name FROM pragma_table_xinfo('message', 'main') WHERE hidden = 0 AND :workspace"
    const columns = tx.values<string>(all).filter((name) => name !== 'id' && name !== 'identity')
    const copied = columns.map((name) => `"${name}"`).join()
    tx.run(
      `WITH RECURSIVE copy (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM copy WHERE number < ${messages})
      INSERT INTO main.message (id, ${copied})
      SELECT printf('0197a000-0000-7000-8000-%012d', number), ${copied} FROM copy CROSS JOIN main.message
      WHERE workspace_id = :workspace AND id = ?`,
      id,
    )
  })
  const request_id = (await merge(client, organizations, [survivor, other])).headers.get('x-request-id')
  assert.equal(
    (await client.get(`/api-v1-messages?organization_id=${survivor.id}`)).body.pagination.total,
    messages + 1,
  )
  assert.equal((await client.delete(`/api-v1-trash/${other.id}`)).status, 200)

  const { data } = (await client.post('/api-v1-undo', { request_id })).body

  assert.deepEqual([data.reversed, data.errored], [[], []])
  const kept = data.kept.find(({ record_id }: JsonRecord) => record_id === deal.id)
  assert.equal(kept.message, 'A record of the merge has been erased')
  assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).body.data.organization_id, survivor.id)
})
