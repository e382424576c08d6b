import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCompanies } from '../../src/access/company.ts'
import { updateUser } from '../../src/access/user.ts'
import { assertError } from '../support/client.ts'
import { deliverMessage } from '../support/message.ts'
import { newColleague, newOwner } from '../support/visitor.ts'
import { serveOvertaken } from './overtake.ts'

test('An admin who becomes a member right before releasing a held message does not see it any more', async (t) => {
  const server = await serveOvertaken(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const companyId = listCompanies(server.store.access)[0]!.id
  const path = `/api-v1-messages/${await deliverMessage(server.store, companyId, { status: 'held', heldFor: [] })}`

  const released = await server.overtake(
    () => admin.patch(path, { status: 'matched' }),
    (tx) => updateUser(tx, admin.id, { role: 'member' }),
  )

  assertError(released, 404, 'NOT_FOUND')
  assert.equal((await owner.get(path)).body.data.status, 'held')
})
