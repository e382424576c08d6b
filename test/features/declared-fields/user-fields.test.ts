import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { newColleague, newOwner } from '../../support/visitor.ts'

/** A company with an owner and a colleague, each of whom has an organization. */
async function open(t: Parameters<typeof start>[0]) {
  const server = await start(t)
  const owner = await newOwner(server)
  const colleague = await newColleague(server, 'member')
  await make(owner, 'field', { resource: 'organization', key: 'owner', type: 'user' })
  const { data: users } = (await owner.get('/api-v1-users')).body
  const me = users.find(({ role }: { role: string }) => role === 'owner').id
  const other = users.find(({ role }: { role: string }) => role === 'member').id
  const owners = {
    Mine: me.toUpperCase(),
    Theirs: other,
    Nobody: null,
    Unknown: '0197a000-0000-7000-8000-000000000000',
  }
  for (const [name, id] of Object.entries(owners)) await make(owner, 'organization', { name, metadata: { owner: id } })
  return { server, owner, colleague, me, other }
}

type Api = Pick<Awaited<ReturnType<typeof newOwner>>, 'get'>

async function names(api: Api, query: string): Promise<string[]> {
  const { status, body } = await api.get(`/api-v1-organizations?sort=name&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ name }: { name: string }) => name)
}

test('Records are found by the user in a field, and `me` is who asks', async (t) => {
  const { owner, colleague, other } = await open(t)

  assert.deepEqual(await names(owner, `metadata.owner=${other}`), ['Theirs'])
  assert.deepEqual(await names(owner, 'metadata.owner=me'), ['Mine'])
  assert.deepEqual(await names(colleague, 'metadata.owner=me'), ['Theirs'])
  assert.deepEqual(await names(owner, `metadata.owner[in]=me,${other}`), ['Mine', 'Theirs'])
  assert.deepEqual(await names(owner, 'metadata.owner[ne]=me'), ['Nobody', 'Theirs', 'Unknown'])
  assert.deepEqual(await names(owner, 'metadata.owner=null'), ['Nobody', 'Unknown'])
})

test('Summaries and exports take `me`, and group by users', async (t) => {
  const { owner, colleague, me, other } = await open(t)
  const summary = async (api: Api, query: string) =>
    (await api.get(`/api-v1-organizations/summary?${query}`)).body.data.map(
      ({ group, count }: { group: Record<string, unknown>; count: number }) => [group['metadata.owner'] ?? null, count],
    )

  assert.deepEqual(
    new Map(await summary(owner, 'group_by=metadata.owner')),
    new Map([[null, 2] as const, ...[me, other].sort().map((id) => [id, 1] as const)]),
  )
  assert.deepEqual(await summary(colleague, 'metadata.owner=me'), [[null, 1]])
})

test('A malformed id, and `me` with a key that belongs to nobody, are refused', async (t) => {
  const { owner } = await open(t)
  const { key } = (await owner.post('/api-v1-keys', { name: 'Shared', environment: 'live', scopes: ['read:all'] })).body
    .data

  for (const value of ['you', '5', 'ME']) {
    assertError(await owner.get(`/api-v1-organizations?metadata.owner=${value}`), 400, 'VALIDATION_ERROR')
  }
  for (const query of ['?metadata.owner=me', '?metadata.owner[in]=me', '/summary?metadata.owner=me']) {
    const headers = { Authorization: `Bearer ${key}`, cookie: '' }
    const response = await owner.get(`/api-v1-organizations${query}`, headers)
    assert.equal(response.status, 400, JSON.stringify(response.body))
    assert.match(response.body.error.message, /me is the user of a session or of a personal key/)
  }
})

test('A deactivated user stays filterable, also after an edit', async (t) => {
  const { owner, other } = await open(t)
  await owner.patch(`/console/users/${other}`, { is_active: false })
  const [{ id }] = (await owner.get('/api-v1-organizations?name=Theirs')).body.data

  await owner.patch(`/api-v1-organizations/${id}`, { metadata: { owner: other, more: 1 } })

  assert.deepEqual(await names(owner, `metadata.owner=${other}`), ['Theirs'])
})
