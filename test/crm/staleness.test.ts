import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../src/store/migrations/index.ts'
import { changeBeside } from '../support/beside.ts'
import { newestOf } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const day = 86_400_000

/** A company whose deals are stale after 7 days in Lead and 14 in Proposal. */
async function open(server: Server) {
  const { client } = await server.company('Acme')
  const { body } = await client.get('/api-v1-stages')
  const ids = Object.fromEntries(body.data.map(({ id, name }: JsonRecord) => [name, id]))
  for (const [name, stale_after_days] of Object.entries({ Lead: 7, Proposal: 14, Won: 1 })) {
    await client.patch(`/api-v1-stages/${ids[name]}`, { stale_after_days })
  }
  return { client, stage: (name: string) => ({ stage_id: String(ids[name]) }) }
}

async function titles(client: Client, query: string): Promise<string[]> {
  const { status, body } = await client.get(`/api-v1-deals?sort=title&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ title }: JsonRecord) => title)
}

const stale = (client: Client) => titles(client, 'is_stale=true')

test('A deal is stale when its stage is open and nothing has happened for longer than its days, as of the request', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  for (const name of ['Lead', 'Proposal', 'Qualified', 'Won'])
    await make(client, 'deal', { title: name, ...stage(name) })

  const seen: string[][] = []
  for (const ms of [7 * day, 1, 7 * day - 1, 1]) {
    server.clock.advance(ms)
    seen.push(await stale(client))
  }

  assert.deepEqual(seen, [[], ['Lead'], ['Lead'], ['Lead', 'Proposal']])
  assert.deepEqual(await titles(client, 'is_stale=false'), ['Qualified', 'Won'])
  await client.patch(`/api-v1-stages/${stage('Lead').stage_id}`, { stale_after_days: null })
  assert.deepEqual(await stale(client), ['Proposal'])
  await client.patch(`/api-v1-stages/${stage('Proposal').stage_id}`, { kind: 'won' })
  assert.deepEqual(await stale(client), [])
})

test('Summaries, exports, views and pages take the filter, and combine it with others', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  for (let n = 0; n < 3; n++) await make(client, 'deal', { title: `Old ${n}`, value: n })
  server.clock.advance(8 * day)
  await make(client, 'deal', { title: 'New' })

  const { body } = await client.get('/api-v1-deals/summary?is_stale=true&measure=sum:value')
  assert.deepEqual([body.data[0].count, body.data[0]['sum:value']], [3, 3])
  assert.deepEqual(await titles(client, `is_stale=true&value[gte]=1&stage_id=${stage('Lead').stage_id}`), [
    'Old 1',
    'Old 2',
  ])
  const view = await make(client, 'view', { resource: 'deal', name: 'Stale', filter: 'is_stale=true' })
  assert.deepEqual(await titles(client, `view=${view.id}`), ['Old 0', 'Old 1', 'Old 2'])
  const csv = await client.get('/api-v1-deals?is_stale=true&columns=title', { accept: 'text/csv' })
  assert.match(csv.body, /^\uFEFF?title\r\nOld 2\r\nOld 1\r\nOld 0\r\n$/)
  const first = await client.get('/api-v1-deals?is_stale=true&limit=2')
  server.clock.advance(1000)
  const cursor = encodeURIComponent(first.body.pagination.next_cursor)
  assert.deepEqual(await titles(client, 'is_stale=true&limit=2').then((found) => found.length), 2)
  const next = await client.get(`/api-v1-deals?is_stale=true&limit=2&cursor=${cursor}`)
  assert.deepEqual(
    next.body.data.map(({ title }: JsonRecord) => title),
    ['Old 0'],
  )
})

test('The filter takes true or false and nothing else', async (t) => {
  const { client } = await open(await start(t))

  for (const query of ['is_stale=null', 'is_stale=1', 'is_stale[ne]=true', 'is_stale[in]=true', 'sort=is_stale'])
    assertError(await client.get(`/api-v1-deals?${query}`), 400, 'VALIDATION_ERROR')
})

test('A move and an activity make a deal fresh, and so does a completed task; an edit does not', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const make1 = (title: string) => make(client, 'deal', { title, ...stage('Qualified') })
  const [edited, moved, called, done] = [
    await make1('Edited'),
    await make1('Moved'),
    await make1('Called'),
    await make1('Done'),
  ]
  await client.patch(`/api-v1-stages/${stage('Qualified').stage_id}`, { stale_after_days: 7 })
  const task = await make(client, 'task', { title: 'Call', deal_id: done.id })
  server.clock.advance(8 * day)
  assert.equal((await stale(client)).length, 4)

  await client.patch(`/api-v1-deals/${edited.id}`, { value: 5 })
  await client.patch(`/api-v1-deals/${moved.id}`, stage('Lead'))
  await make(client, 'activity', { type: 'call', deal_id: called.id })
  await client.patch(`/api-v1-tasks/${task.id}/complete`, {})

  await until('only the edited deal is stale', () => stale(client), { is: (found) => found.join() === 'Edited' })
})

test('An undo of a move returns when the deal had entered the stage, and a restored deal keeps it', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const { id } = await make(client, 'deal', { title: 'Hampers' })
  server.clock.advance(8 * day)
  await client.patch(`/api-v1-deals/${id}`, stage('Proposal'))
  assert.deepEqual(await stale(client), [])

  await client.post('/api-v1-undo', { seq: await newestOf(client, id) })
  assert.deepEqual(await stale(client), ['Hampers'])
  await client.delete(`/api-v1-deals/${id}`)
  assert.deepEqual(await stale(client), [])
  await client.post(`/api-v1-trash/${id}/restore`, {})
  assert.deepEqual(await stale(client), ['Hampers'])
})

test('An upgrade takes from the log when deals entered their stages', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const born = await make(client, 'deal', { title: 'Born' })
  const moved = await make(client, 'deal', { title: 'Moved' })
  const old = await make(client, 'deal', { title: 'Older than the log' })
  server.clock.advance(8 * day)
  await client.patch(`/api-v1-deals/${moved.id}`, stage('Qualified'))
  await client.patch(`/api-v1-deals/${moved.id}`, stage('Lead'))
  for (const { id } of [born, moved, old]) await client.patch(`/api-v1-deals/${id}`, { value: 7 })

  changeBeside(server, (db) => {
    db.prepare('DELETE FROM change WHERE record_id = unhex(?)').run(old.id.replaceAll('-', ''))
    db.exec('DROP INDEX deal_idle; ALTER TABLE deal DROP COLUMN entered_at')
    const { sql } = migrations.find(({ version }) => version === 28)!
    db.exec(sql.slice(sql.indexOf('ALTER TABLE deal'), sql.indexOf('CREATE TABLE stage')))
  })

  assert.deepEqual(await stale(client), ['Born'])
  server.clock.advance(8 * day)
  assert.deepEqual(await stale(client), ['Born', 'Moved', 'Older than the log'])
})
