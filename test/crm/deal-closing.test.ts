import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/lib/clock.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { changeBeside } from '../support/beside.ts'
import { newestOf, readChanges } from '../support/changes.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { closedAt, move, open } from './closing.ts'

test('A deal is closed when it enters a won or lost stage, anew when it changes sides, and opens again', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const { id } = await make(client, 'deal', { title: 'Hampers', ...stage('Lead') })
  const seen = [await closedAt(client, id)]

  for (const name of ['Won', 'Paid', 'Lost', 'Proposal', 'Won']) {
    server.clock.advance(dayMs)
    await move(client, id, stage(name))
    seen.push(await closedAt(client, id))
  }
  server.clock.advance(dayMs)
  await move(client, id, { title: 'Baskets', value: 5 })

  const at = (days: number) => new Date(Date.parse('2026-06-15T12:00:00.000Z') + days * dayMs).toISOString()
  assert.deepEqual(seen, [null, at(1), at(1), at(3), null, at(5)])
  assert.equal(await closedAt(client, id), at(5))
})

test('Every way to write a deal keeps its time of closing: create, both patches, upsert and import', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const created = await make(client, 'deal', { title: 'Created', ...stage('Won') })
  const moved = await make(client, 'deal', { title: 'Moved' })
  await client.post('/api-v1-fields', { resource: 'deal', key: 'code', type: 'text', unique: true })
  const put = (to: object) =>
    client.put('/api-v1-deals?match_on=metadata.code', { title: 'Put', metadata: { code: 'a' }, ...to })
  const { id } = (await put({})).body.data
  server.clock.advance(dayMs)

  await client.patch(`/api-v1-deals/${moved.id}/stage`, stage('Lost'))
  await put(stage('Won'))
  await importAll(client, 'deals', [{ title: 'Imported', ...stage('Lost') }])

  const imported = (await client.get('/api-v1-deals?title=Imported')).body.data[0]
  const [first, second] = ['2026-06-15T12:00:00.000Z', '2026-06-16T12:00:00.000Z']
  const times = await Promise.all([created, moved, { id }, imported].map((each) => closedAt(client, each.id)))
  assert.deepEqual(times, [first, second, second, second])
})

test('The time of closing is in no record: neither in responses, nor in the log, the history, a snapshot or an export', async (t) => {
  const { client, stage } = await open(await start(t))
  const { id } = await make(client, 'deal', { title: 'Hampers' })
  await move(client, id, stage('Won'))
  const seq = await newestOf(client, id)

  const paths = [
    ...['', '/history', `?as_of=${seq - 1}`].map((path) => `/api-v1-deals/${id}${path}`),
    ...['/api-v1-deals', '/api-v1-changes', '/api-v1-snapshot'],
  ]
  for (const path of paths) {
    for (const Accept of path === '/api-v1-deals' ? ['text/csv', 'application/x-ndjson', '*/*'] : ['*/*']) {
      const { status, body } = await client.get(path, { Accept })
      assert.equal(status, 200, path)
      assert.doesNotMatch(JSON.stringify(body), /closed_at|unshown/, path)
    }
  }
  const last = (await readChanges(client)).at(-1)!
  assert.deepEqual([last.type, last.changed], ['deal.won', ['stage_id']])
  assert.equal((await client.patch(`/api-v1-deals/${id}`, { closed_at: '2020-01-01' })).status, 400)
})

test('Lists, their sort, and summaries use the time of closing; its months are in UTC', async (t) => {
  const server = await start(t)
  const [acme, globex] = [await open(server), await open(server)]
  await make(globex.client, 'deal', { title: 'Elsewhere', ...globex.stage('Won') })
  const { client, stage } = acme
  for (const [title, name] of [
    ['June', 'Won'],
    ['July', 'Lost'],
    ['August', 'Won'],
  ] as const) {
    await make(client, 'deal', { title, value: 10, ...stage(name) })
    server.clock.advance(31 * dayMs)
  }
  await make(client, 'deal', { title: 'Open' })
  const titles = async (query: string) =>
    (await client.get(`/api-v1-deals?${query}`)).body.data.map(({ title }: JsonRecord) => title)

  assert.deepEqual(await titles('closed_at[gte]=2026-07-01&sort=closed_at'), ['July', 'August'])
  assert.deepEqual(await titles('filter[closed_at]=null'), ['Open'])
  assert.deepEqual(await titles('closed_at[ne]=null&sort=-closed_at&limit=2'), ['August', 'July'])
  const { body } = await client.get('/api-v1-deals/summary?group_by=closed_at:month&measure=sum:value')
  assert.deepEqual(
    body.data.map(({ group, count }: JsonRecord) => [group['closed_at:month'], count]),
    [
      [null, 1],
      ['2026-06-01', 1],
      ['2026-07-01', 1],
      ['2026-08-01', 1],
    ],
  )
})

test('The median of the days from creation to closing leaves out open deals, and is null without closed ones', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const path = '/api-v1-deals/summary?measure=median:days_to_close'
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await make(client, 'deal', { title: `Deal ${n}` })).id)
  const before = await client.get(path)

  for (const [at, hours] of [12, 24, 36, 48].entries()) {
    server.clock.advance(hours * 3_600_000)
    await move(client, ids[at]!, stage(at < 3 ? 'Won' : 'Lost'))
  }

  assert.deepEqual(before.body.data, [{ group: {}, count: 5, 'median:days_to_close': null }])
  const won = await client.get(`${path},count&${new URLSearchParams(stage('Won'))}`)
  assert.deepEqual(won.body.data, [{ group: {}, count: 3, 'median:days_to_close': 1.5 }])
  assert.deepEqual((await client.get(path)).body.data[0]['median:days_to_close'], 2.25)
})

test('A stage that becomes won or open leaves its deals’ times as they are, until they move', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const early = await make(client, 'deal', { title: 'Early', ...stage('Proposal') })
  const won = await make(client, 'deal', { title: 'Won', ...stage('Won') })
  const time = await closedAt(client, won.id)
  server.clock.advance(dayMs)

  await client.patch(`/api-v1-stages/${stage('Proposal').stage_id}`, { kind: 'won' })
  await client.patch(`/api-v1-stages/${stage('Won').stage_id}`, { kind: 'open' })

  assert.deepEqual([await closedAt(client, early.id), await closedAt(client, won.id)], [null, time])
  await move(client, early.id, stage('Paid'))
  await move(client, won.id, stage('Lead'))
  assert.deepEqual(
    [await closedAt(client, early.id), await closedAt(client, won.id)],
    ['2026-06-16T12:00:00.000Z', null],
  )
})

test('An upgrade takes the time from the log: of the move from another kind of stage, or of the creation', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const born = await make(client, 'deal', { title: 'Born won', ...stage('Won') })
  const moved = await make(client, 'deal', { title: 'Moved' })
  const lost = await make(client, 'deal', { title: 'Lost', ...stage('Won') })
  const old = await make(client, 'deal', { title: 'Older than the log', ...stage('Lost') })
  const open_ = await make(client, 'deal', { title: 'Open' })
  server.clock.advance(dayMs)
  for (const [id, name] of [
    [moved.id, 'Won'],
    [lost.id, 'Lost'],
  ] as const)
    await move(client, id, stage(name))
  server.clock.advance(dayMs)
  await move(client, moved.id, stage('Paid'))
  for (const { id } of [born, lost, old]) await move(client, id, { value: 7 })
  const all = [born, moved, lost, open_]
  const before = await Promise.all(all.map(({ id }) => closedAt(client, id)))

  changeBeside(server, (db) => {
    db.prepare('DELETE FROM change WHERE record_id = unhex(?)').run(old.id.replaceAll('-', ''))
    db.exec('DROP INDEX deal_closed_at; DROP INDEX deal_closing; ALTER TABLE deal DROP COLUMN closed_at')
    db.exec(migrations.find(({ version }) => version === 15)!.sql)
  })

  assert.deepEqual(await Promise.all(all.map(({ id }) => closedAt(client, id))), before)
  assert.equal(await closedAt(client, old.id), '2026-06-17T12:00:00.000Z', 'the time of its last change')
})
