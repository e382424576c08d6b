import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { idsOf } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

async function newCompany(t: Parameters<typeof start>[0]): Promise<{ client: Client; first: JsonRecord }> {
  const { client } = await (await start(t)).company('Acme')
  return { client, first: (await list(client, 'pipelines'))[0] }
}

async function list(client: Client, name: string, query = ''): Promise<JsonRecord[]> {
  const { status, body } = await client.get(`/api-v1-${name}${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const namesOf = (records: JsonRecord[]): string[] => records.map(({ name }) => name)

test('A new workspace has one pipeline, the default, which has all its stages', async (t) => {
  const { client, first } = await newCompany(t)

  const [stages, own] = [await list(client, 'stages'), await list(client, 'stages', `?pipeline_id=${first.id}`)]

  assert.deepEqual([first.name, first.position, first.is_default], ['Sales', 0, true])
  assert.deepEqual([own, namesOf(own)[0]], [stages, 'Lead'])
})

test('Another pipeline that becomes the default takes the flag from the former one, in one request', async (t) => {
  const { client, first } = await newCompany(t)
  const partners = await make(client, 'pipeline', { name: 'Partners' })

  const refused = await client.patch(`/api-v1-pipelines/${first.id}`, { is_default: false })
  const moved = await client.patch(`/api-v1-pipelines/${partners.id}`, { is_default: true })

  assertError(refused, 400, 'VALIDATION_ERROR', undefined, ['is_default'])
  assert.equal(moved.body.data.is_default, true)
  const defaults = (await list(client, 'pipelines')).filter(({ is_default }) => is_default)
  assert.deepEqual(idsOf(defaults), [partners.id])
  const { body } = await client.get('/api-v1-changes?limit=100')
  const updates = body.data.filter(({ type }: JsonRecord) => type === 'pipeline.updated')
  const requests = updates.map(({ request_id }: JsonRecord) => request_id)
  assert.deepEqual([requests.length, new Set(requests).size], [2, 1])
  await client.post('/api-v1-undo', { request_id: requests[0] })
  assert.deepEqual(idsOf((await list(client, 'pipelines')).filter(({ is_default }) => is_default)), [first.id])
})

test('Stages and deals that name no pipeline go to the default one, deals to its first stage', async (t) => {
  const { client } = await newCompany(t)
  const partners = await make(client, 'pipeline', { name: 'Partners', is_default: true })

  const contacted = await make(client, 'stage', { name: 'Contacted' })
  await make(client, 'stage', { name: 'Signed' })
  const deal = await make(client, 'deal')

  assert.deepEqual([contacted.pipeline_id, contacted.position], [partners.id, 0])
  assert.equal(deal.stage_id, contacted.id)
})

test('Names of stages are unique in their pipeline, and their positions begin at 0 in each', async (t) => {
  const { client } = await newCompany(t)
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })

  const lead = await make(client, 'stage', { name: 'lead', pipeline_id })
  const taken = await client.post('/api-v1-stages', { name: 'LEAD', pipeline_id })
  const renamed = await client.patch(`/api-v1-pipelines/${pipeline_id}`, { name: 'sales' })

  assert.equal(lead.position, 0)
  assertError(taken, 409, 'ALREADY_EXISTS', undefined, ['name'])
  assertError(renamed, 409, 'ALREADY_EXISTS', undefined, ['name'])
})

test('Stages are listed by pipeline, then by position, page by page', async (t) => {
  const { client, first } = await newCompany(t)
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners', position: 0 })
  await make(client, 'stage', { name: 'Contacted', pipeline_id }, { name: 'Signed', pipeline_id })
  const expected = ['Contacted', 'Signed', 'Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']

  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await client.get(`/api-v1-stages?limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...namesOf(body.data))
    cursor = body.pagination.next_cursor
  }

  assert.deepEqual(seen, expected)
  assert.deepEqual(namesOf(await list(client, 'stages')), expected)
  await client.patch(`/api-v1-pipelines/${first.id}`, { position: 0 })
  assert.equal((await list(client, 'stages'))[0].name, 'Lead')
})

test('A stage moves to another pipeline with its deals, closes its gap, and comes last there', async (t) => {
  const { client, first } = await newCompany(t)
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  await make(client, 'stage', { name: 'Contacted', pipeline_id }, { name: 'won', pipeline_id })
  const stages = await list(client, 'stages', `?pipeline_id=${first.id}`)
  const { id } = await make(client, 'deal', { stage_id: stages[1].id })
  const url = `/api-v1-stages/${stages[1].id}`

  const taken = await client.patch(`/api-v1-stages/${stages[4].id}`, { pipeline_id })
  const moved = await client.patch(url, { pipeline_id })

  assertError(taken, 409, 'ALREADY_EXISTS', undefined, ['name'])
  assert.deepEqual([moved.body.data.pipeline_id, moved.body.data.position], [pipeline_id, 2])
  const rest = await list(client, 'stages', `?pipeline_id=${first.id}`)
  assert.deepEqual(
    rest.map(({ name, position }) => [name, position]),
    [...['Lead', 'Proposal', 'Negotiation', 'Won', 'Lost'].entries()].map(([at, name]) => [name, at]),
  )
  assert.deepEqual(idsOf(await list(client, 'deals', `?pipeline_id=${pipeline_id}`)), [id])
  assert.deepEqual(await list(client, 'deals', `?pipeline_id=${first.id}`), [])
  const { body } = await client.get('/api-v1-changes?limit=100')
  assert.equal(body.data.filter(({ type }: JsonRecord) => type === 'deal.updated').length, 0)
  const { request_id } = body.data.findLast(({ type }: JsonRecord) => type === 'stage.updated')
  await client.post('/api-v1-undo', { request_id })
  assert.deepEqual(await list(client, 'stages', `?pipeline_id=${first.id}`).then(namesOf), namesOf(stages))
  assert.deepEqual(idsOf(await list(client, 'deals', `?pipeline_id=${first.id}`)), [id])
})

test('Deals are filtered, grouped and summed by the pipeline of their stage', async (t) => {
  const { client, first } = await newCompany(t)
  const { id: other } = await make(client, 'pipeline', { name: 'Partners' })
  const { id: stage_id } = await make(client, 'stage', { name: 'Contacted', pipeline_id: other })
  await make(client, 'deal', { value: 1 }, { value: 2 }, { value: 30, stage_id }, { value: 40, stage_id })
  const values = async (query: string) =>
    (await list(client, 'deals', `?sort=value&${query}`)).map(({ value }) => value)

  assert.deepEqual(await values(`pipeline_id=${other}`), [30, 40])
  assert.deepEqual(await values(`filter[pipeline_id][ne]=${other}`), [1, 2])
  assert.deepEqual(await values(`pipeline_id[in]=${other},${first.id}`), [1, 2, 30, 40])
  assert.deepEqual(await values('pipeline_id=null'), [])
  assertError(await client.get('/api-v1-deals?pipeline_id=x'), 400, 'VALIDATION_ERROR', undefined, ['pipeline_id'])
  const groups = await list(client, 'deals', '/summary?group_by=pipeline_id&measure=count,sum:value')
  const expected = [first.id, other].sort().map((id) => {
    const sum = id === other ? 70 : 3
    return { group: { pipeline_id: id, currency: 'EUR' }, count: 2, 'sum:value': sum }
  })
  assert.deepEqual(groups, expected)
  const summed = await list(client, 'deals', `/summary?pipeline_id=${other}&group_by=stage_id&measure=sum:value`)
  assert.deepEqual(summed, [{ group: { stage_id, currency: 'EUR' }, count: 2, 'sum:value': 70 }])
})

test('The default pipeline, and one with deals, cannot be deleted', async (t) => {
  const { client, first } = await newCompany(t)
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  const { id: stage_id } = await make(client, 'stage', { name: 'Contacted', pipeline_id })
  const { id } = await make(client, 'deal', { stage_id })

  assertError(await client.delete(`/api-v1-pipelines/${first.id}`), 409, 'CONFLICT')
  assertError(await client.delete(`/api-v1-pipelines/${pipeline_id}`), 409, 'CONFLICT')
  await client.delete(`/api-v1-deals/${id}`)
  assert.equal((await client.delete(`/api-v1-pipelines/${pipeline_id}`)).status, 200)
})

for (const way of ['trash', 'undo'] as const) {
  test(`An empty pipeline is deleted with its stages in one request, and the ${way} brings back these, not others`, async (t) => {
    const { client } = await newCompany(t)
    const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
    const bodies = ['Contacted', 'Gone', 'Signed'].map((name) => ({ name, pipeline_id }))
    await make(client, 'stage', ...bodies)
    const [, gone] = await list(client, 'stages', `?pipeline_id=${pipeline_id}`)
    await client.delete(`/api-v1-stages/${gone.id}`)
    const before = await list(client, 'stages')

    const deleted = await client.delete(`/api-v1-pipelines/${pipeline_id}`)

    assert.equal(deleted.status, 200)
    const request_id = deleted.headers.get('x-request-id')
    const { body } = await client.get(`/api-v1-changes?limit=100`)
    const own = body.data
      .filter((each: JsonRecord) => each.request_id === request_id)
      .map(({ type }: JsonRecord) => type)
    assert.deepEqual(own, ['stage.deleted', 'stage.deleted', 'pipeline.deleted'])
    assert.equal((await list(client, 'stages')).length, 6)
    const alone = await client.post(`/api-v1-trash/${before.at(-1).id}/restore`, {})
    assertError(alone, 409, 'CONFLICT')
    if (way === 'trash') assert.equal((await client.post(`/api-v1-trash/${pipeline_id}/restore`, {})).status, 200)
    else assert.equal((await client.post('/api-v1-undo', { request_id })).body.data.errored.length, 0)
    const after = await list(client, 'stages')
    assert.deepEqual(
      after.map(({ updated_at: _, ...each }) => each),
      before.map(({ updated_at: _, ...each }) => each),
    )
  })
}

test('Erasing a deleted pipeline erases the stages that were deleted with it', async (t) => {
  const { client } = await newCompany(t)
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  const { id } = await make(client, 'stage', { name: 'Contacted', pipeline_id })
  await client.delete(`/api-v1-pipelines/${pipeline_id}`)

  assert.equal((await client.delete(`/api-v1-trash/${pipeline_id}`)).status, 200)

  assert.deepEqual(await list(client, 'trash'), [])
  assertError(await client.post(`/api-v1-trash/${id}/restore`, {}), 404, 'NOT_FOUND')
})

test('Undoing the creation of a pipeline with stages deletes all of them', async (t) => {
  const { client } = await newCompany(t)
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  await make(client, 'stage', { name: 'Contacted', pipeline_id })
  const { body } = await client.get('/api-v1-changes?limit=100')
  const { seq } = body.data.findLast(({ type }: JsonRecord) => type === 'pipeline.created')

  const undone = await client.post('/api-v1-undo', { seq })

  assert.equal(undone.body.data.reversed.length, 1, JSON.stringify(undone.body))
  assert.deepEqual([(await list(client, 'pipelines')).length, (await list(client, 'stages')).length], [1, 6])
})
