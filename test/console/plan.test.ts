import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'

test('The plan is shown to every user with the active users, and the records of the workspace alone', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server, 'free')
  const member = await newColleague(server, 'member')
  const former = await newColleague(server, 'admin')
  await owner.patch(`/console/users/${former.id}`, { is_active: false })
  await (await server.company('Nordwind')).client.post('/api-v1-contacts', { first_name: 'Grace' })
  const { id } = (await owner.post('/api-v1-organizations', { name: 'Südwind' })).body.data
  const { id: organization } = (await owner.post('/api-v1-organizations', { name: 'Westwind' })).body.data
  await owner.delete(`/api-v1-organizations/${id}`)
  await owner.post('/api-v1-deals', { title: 'Hampers' }, { 'Kontor-Environment': 'test' })

  const upload = await fetch(`${server.url}/api-v1-files?name=offer.txt&organization_id=${organization}`, {
    method: 'POST',
    headers: { Cookie: owner.cookie!, 'Kontor-Environment': 'live', 'Content-Type': 'text/plain' },
    body: 'hello',
  })
  assert.equal(upload.status, 201)

  const { status, body } = await member.get('/console/plan')

  assert.equal(status, 200)
  assert.equal(body.data.plan.name, 'free')
  assert.equal(body.data.users, 2)
  assert.deepEqual(body.data.used, { max_organizations: 1, max_contacts: 0, max_deals: 0, max_storage_bytes: 5 })
  const inTest = await member.get('/console/plan', { 'Kontor-Environment': 'test' })
  assert.deepEqual(inTest.body.data.used, { max_organizations: 0, max_contacts: 0, max_deals: 1, max_storage_bytes: 5 })
})
