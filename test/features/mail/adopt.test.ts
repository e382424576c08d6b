import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { deactivateUser } from '../../../src/access/user.ts'
import { assertError } from '../../support/client.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { newColleague } from '../../support/visitor.ts'

const run = promisify(execFile)

test('The operator gives the messages that only a deactivated user sees to another user, and no others', async (t) => {
  const { server, ada, bob, personal } = await openMailbox(t)
  const alone = await personal()
  const both = await personal({ userIds: [ada.id, bob.id] })
  const heir = await newColleague(server, 'member', 'eve@acme.example.org')
  const adopt = () =>
    run(process.execPath, [
      ...['dist/kontor.cjs', 'message', 'adopt', '--from', ada.id, '--to', heir.id],
      ...['--data', server.directory, '--json'],
    ])
  await assert.rejects(adopt(), /The first user is active/)
  await server.store.writeAccess((tx) => deactivateUser(tx, ada.id))

  assert.deepEqual(JSON.parse((await adopt()).stdout), { messages: 1 })
  assert.deepEqual(JSON.parse((await adopt()).stdout), { messages: 0 })

  const { body } = await heir.get(`/api-v1-messages/${alone}`)
  assert.deepEqual(body.data.user_ids, [ada.id, heir.id])
  const history = await heir.get(`/api-v1-messages/${alone}/history`)
  assert.equal(history.body.data[0].type, 'message.updated')
  assertError(await heir.get(`/api-v1-messages/${both}`), 404, 'NOT_FOUND')
})
