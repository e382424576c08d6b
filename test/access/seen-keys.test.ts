import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFor } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'

const keys = '/api-v1-keys'
const inTest = { 'Kontor-Environment': 'test' }

test('Whoever has read the keys before, each caller sees those that it manages, and no others', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const { id } = (await owner.post(keys, { name: 'Live', scopes: ['read:all'] })).body.data
  const { body } = await owner.post(keys, { name: 'Test', scopes: ['admin:all'], environment: 'test' })
  const testKey = clientFor(server.url, body.data)
  const readers = {
    owner: [owner, {}],
    member: [member, {}],
    'owner in the test data': [owner, inTest],
    'test key': [testKey, {}],
  } as const
  const seenBy = async (name: keyof typeof readers) => {
    const [caller, headers] = readers[name]
    const [list, one] = [await caller.get(keys, headers), await caller.get(`${keys}/${id}`, headers)]
    return [name, list.body.pagination.total, one.status]
  }

  for (const [first, second] of [
    [
      ['owner', 2, 200],
      ['member', 0, 404],
    ],
    [
      ['owner in the test data', 2, 200],
      ['test key', 1, 404],
    ],
  ] as const) {
    assert.deepEqual(await seenBy(first[0]), first)
    assert.deepEqual(await seenBy(second[0]), second)
    await owner.patch(`${keys}/${id}`, { name: 'Renamed' }) // nothing that was read before is current
    assert.deepEqual(await seenBy(second[0]), second)
    assert.deepEqual(await seenBy(first[0]), first)
  }
})
