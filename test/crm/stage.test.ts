import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const pipeline = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']

async function stagesOf(client: Client): Promise<JsonRecord[]> {
  return (await client.get('/api-v1-stages')).body.data
}

/** Returns the names in order. Fails unless the positions are 0, 1, 2, … without gaps. */
async function namesOf(client: Client): Promise<string[]> {
  const stages = await stagesOf(client)
  assert.deepEqual(
    stages.map(({ position }) => position),
    stages.map((_, at) => at),
  )
  return stages.map(({ name }) => name)
}

/** decision E1 */
test('Stages', async (t) => {
  const server = await start(t)
  const fresh = async () => (await server.company('Acme')).client
  const url = ({ id }: JsonRecord) => `/api-v1-stages/${id}`

  await t.test('A new company has six stages in each of its two workspaces', async () => {
    const company = await server.company('Acme')
    const sandbox = await company.key({ environment: 'test' })

    assert.deepEqual(await namesOf(company.client), pipeline)
    assert.deepEqual(await namesOf(sandbox), pipeline)
    const ids = [...(await stagesOf(company.client)), ...(await stagesOf(sandbox))].map(({ id }) => id)
    assert.equal(new Set(ids).size, 12)
  })

  await t.test(
    'POST /api-v1-stages: a stage comes last unless the body has a position, and a large position means last',
    async () => {
      const client = await fresh()

      const last = await make(client, 'stage', { name: 'Archive', color: '#ABCDEF' })
      const far = await make(client, 'stage', { name: 'Far', position: 1000 })

      assert.deepEqual([last.position, last.color, far.position], [6, '#abcdef', 7])
      assert.deepEqual(await namesOf(client), [...pipeline, 'Archive', 'Far'])
    },
  )

  await t.test(
    'POST /api-v1-stages: a stage in the middle moves the ones after it, whose updated_at changes',
    async () => {
      const client = await fresh()
      server.clock.advance(1000)

      const made = await make(client, 'stage', { name: 'Demo', position: 2 })

      assert.deepEqual(await namesOf(client), pipeline.toSpliced(2, 0, 'Demo'))
      const changed = (await stagesOf(client)).filter(({ updated_at }) => updated_at === made.created_at)
      assert.deepEqual(
        changed.map(({ name }) => name),
        ['Demo', ...pipeline.slice(2)],
      )
    },
  )

  for (const [from, to] of [
    [0, 3],
    [4, 1],
    [5, 0],
    [0, 5],
    [2, 3],
    [2, 2],
  ] as const) {
    await t.test(`PATCH /api-v1-stages/:id: a stage moves from ${from} to ${to}`, async () => {
      const client = await fresh()
      const moved = (await stagesOf(client))[from]

      const { body } = await client.patch(url(moved), { position: to })

      assert.equal(body.data.position, to)
      assert.deepEqual(await namesOf(client), pipeline.toSpliced(from, 1).toSpliced(to, 0, moved.name))
    })
  }

  await t.test('PATCH /api-v1-stages/:id: a position after the end means last', async () => {
    const client = await fresh()

    const { body } = await client.patch(url((await stagesOf(client))[1]), { position: 99 })

    assert.equal(body.data.position, 5)
    assert.deepEqual(await namesOf(client), [...pipeline.toSpliced(1, 1), 'Qualified'])
  })

  await t.test('DELETE /api-v1-stages/:id: leaves no gap', async () => {
    const client = await fresh()

    await client.delete(url((await stagesOf(client))[2]))

    assert.deepEqual(await namesOf(client), pipeline.toSpliced(2, 1))
  })

  await t.test('/api-v1-stages: names are unique, case-insensitively', async () => {
    const client = await fresh()
    const [first, second] = await stagesOf(client)
    await make(client, 'stage', { name: 'Übergabe' })

    const responses = [
      await client.post('/api-v1-stages', { name: ' LEAD ', position: 0 }),
      await client.post('/api-v1-stages', { name: 'übergabe' }),
      await client.patch(url(second), { name: 'lead', position: 4 }),
    ]

    for (const response of responses) assertError(response, 409, 'ALREADY_EXISTS', undefined, ['name'])
    assert.deepEqual(await namesOf(client), [...pipeline, 'Übergabe'])
    assert.equal((await client.patch(url(first), { name: 'LEAD' })).body.data.name, 'LEAD')
  })

  await t.test('/api-v1-stages: the name of a deleted stage, or of one in another workspace, can be used', async () => {
    const company = await server.company('Acme')
    const sandbox = await company.key({ environment: 'test' })
    await deleteLast(company.client)
    await make(sandbox, 'stage', { name: 'Demo' })

    await make(company.client, 'stage', { name: 'lost' })
    await make(company.client, 'stage', { name: 'Demo' })

    assert.deepEqual(await namesOf(company.client), [...pipeline.slice(0, 5), 'lost', 'Demo'])
  })

  /** Deletes the last stage. */
  async function deleteLast(client: Client): Promise<void> {
    const { status } = await client.delete(url((await stagesOf(client)).at(-1)))
    assert.equal(status, 200)
  }

  await t.test(
    'DELETE /api-v1-stages/:id: a stage with deals cannot be deleted until they are moved or deleted',
    async () => {
      const client = await fresh()
      const [first, second] = await stagesOf(client)
      const moved = await make(client, 'deal')
      const gone = await make(client, 'deal')

      assertError(await client.delete(url(first)), 409, 'CONFLICT')
      await client.patch(`/api-v1-deals/${moved.id}/stage`, { stage_id: second.id })
      assertError(await client.delete(url(first)), 409, 'CONFLICT')
      assert.deepEqual(await namesOf(client), pipeline)
      await client.delete(`/api-v1-deals/${gone.id}`)

      assert.equal((await client.delete(url(first))).status, 200)
      assert.deepEqual(await namesOf(client), pipeline.slice(1))
    },
  )
})
