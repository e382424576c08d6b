import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const path = '/console/activity-keys'

/** Creates a key with this body and logs a call with it. Returns the id of the activity. */
async function logWith(of: Visitor, body: object): Promise<string> {
  const made = await of.post('/api-v1-keys', { scopes: ['read:all', 'write:all'], ...body })
  const headers = { Authorization: `Bearer ${made.body.data.key}` }
  return (await of.post('/api-v1-activities', { type: 'call' }, headers)).body.data.id
}

test('An activity’s key is shown with the name of its user, a shared key without one; an activity of a user has no key', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const personal = await logWith(owner, { name: 'Sync', type: 'personal', user_id: member.id })
  const shared = await logWith(owner, { name: 'Zapier' })
  const own = (await member.post('/api-v1-activities', { type: 'note' })).body.data.id

  const { status, body } = await member.get(`${path}?ids=${personal},${shared},${own},${unknownId}`)

  assert.equal(status, 200)
  assert.deepEqual(body.data, [
    { activity_id: personal, name: 'Sync', user_name: 'The member' },
    { activity_id: shared, name: 'Zapier', user_name: null },
  ])
})

test('Keys of activities of another company, or of the other workspace, are not shown', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { client } = await server.company('Globex')
  const { id: others } = await make(client, 'activity')
  const inTest = await logWith(owner, { name: 'CI', environment: 'test' })

  const live = await owner.get(`${path}?ids=${others},${inTest}`)
  const test_ = await owner.get(`${path}?ids=${others},${inTest}`, { 'Kontor-Environment': 'test' })

  assert.deepEqual(live.body.data, [])
  assert.deepEqual(test_.body.data, [{ activity_id: inTest, name: 'CI', user_name: null }])
})

test('The keys of activities are for signed-in users, up to 100 ids at a time', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { client } = await server.company('Globex')
  const ids = (count: number) => Array.from({ length: count }, () => unknownId).join()

  assert.equal((await owner.get(`${path}?ids=${ids(100)}`)).status, 200)
  for (const query of [`?ids=${ids(101)}`, '?ids=', '', '?ids=7', `?ids=${unknownId},`]) {
    assertError(await owner.get(`${path}${query}`), 400, 'VALIDATION_ERROR', undefined, ['ids'])
  }
  assertError(await client.get(`${path}?ids=${unknownId}`), 403, 'INSUFFICIENT_PERMISSIONS')
})
