import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { lastActivity } from '../../src/features/last-activity/last-activity.ts'
import { dayMs, timestamp } from '../../src/lib/clock.ts'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { type Server, start } from '../support/start.ts'
import { caughtUp, lastOf, occurred } from './last-activity.ts'

test('Random histories of writes, undos, merges, restores and erasures leave what follows from the records', async (t) => {
  for (let round = 0; round < 3 * rounds; round++) {
    const server = await start(t)
    const { client } = await server.company('Acme')
    await live(client, server, randomOf(round))
    await caughtUp(server)

    assert.deepEqual(await shownBy(client), await expectedFrom(client), `round ${round}`)
    for (const id of listWorkspaceIds(server.store.access)) {
      assert.deepEqual([...lastActivity.verify(server.store.workspace(id))], [])
    }
  }
})

/** Writes at random. Refused requests are part of it. */
async function live(client: Client, server: Server, random: Random): Promise<void> {
  const won = await make(client, 'stage', { name: 'Paid', kind: 'won' })
  const paths = ['organizations', 'contacts', 'deals'] as const
  const ids: Record<(typeof paths)[number] | 'tasks', string[]> = {
    organizations: [],
    contacts: [],
    deals: [],
    tasks: [],
  }
  const some = (path: keyof typeof ids) => (ids[path].length > 0 && random.below(4) > 0 ? random.pick(ids[path]) : null)
  const references = () => ({
    organization_id: some('organizations'),
    contact_id: some('contacts'),
    deal_id: some('deals'),
  })
  const keep = async (path: keyof typeof ids, body: object) => {
    const made = await client.post(`/api-v1-${path}`, body)
    if (made.status === 201) ids[path].push(made.body.data.id)
  }
  const acts: (() => Promise<unknown>)[] = [
    () => keep('organizations', { name: `O${random.below(99)}` }),
    () => keep('contacts', { first_name: `C${random.below(99)}` }),
    () => keep('deals', { title: 'D', contact_id: some('contacts') }),
    () => keep('tasks', { title: 'T', status: random.pick(['pending', 'completed']), ...references() }),
    () => client.post('/api-v1-activities', { type: 'call', ...references() }),
    () =>
      client.post('/api-v1-activities', {
        type: 'call',
        ...references(),
        ...occurred(`2026-06-${10 + random.below(9)}`),
      }),
    () => client.patch(`/api-v1-deals/${some('deals')}`, { stage_id: won.id }),
    async () => {
      const { body } = await client.get(`/api-v1-deals/${some('deals')}`)
      const kind = random.pick(['open', 'open', 'won', 'lost'])
      await client.patch(`/api-v1-stages/${random.pick([won.id, body.data?.stage_id ?? won.id])}`, { kind })
    },
    () => client.patch(`/api-v1-deals/${some('deals')}`, { contact_id: some('contacts') }),
    () => client.put(`/api-v1-deals/${some('deals')}/contacts/${some('contacts')}`, {}),
    () => client.put(`/api-v1-deals/${some('deals')}/contacts/${some('contacts')}`, {}),
    () => client.delete(`/api-v1-deals/${some('deals')}/contacts/${some('contacts')}`),
    () =>
      client.patch(`/api-v1-tasks/${some('tasks')}`, {
        status: random.pick(['pending', 'completed']),
        ...references(),
      }),
    () =>
      client.delete(
        `/api-v1-${random.pick(['deals', 'tasks', 'contacts', 'organizations'] as const)}/${some(random.pick(['deals', 'tasks', 'contacts', 'organizations'] as const))}`,
      ),
    async () => {
      const { body } = await client.get('/api-v1-trash')
      if (body.data.length === 0) return
      const { id } = random.pick<JsonRecord>(body.data)
      await (random.below(3) === 0
        ? client.delete(`/api-v1-trash/${id}`)
        : client.post(`/api-v1-trash/${id}/restore`, undefined))
    },
    () => client.post(`/api-v1-contacts/${some('contacts')}/merge`, { with: [some('contacts')] }),
    async () => {
      const { body } = await client.get('/api-v1-changes?after=start&limit=1000')
      const { seq } = random.pick<JsonRecord>(body.data)
      await client.post('/api-v1-undo', { seq })
    },
  ]
  for (const make of acts.slice(0, 3)) await make()
  for (let n = 0; n < 120; n++) {
    server.clock.advance(random.below(2) * dayMs)
    await random.pick(acts)()
  }
}

async function all(client: Client, path: string): Promise<JsonRecord[]> {
  return (await client.get(`/api-v1-${path}?per_page=100`)).body.data
}

async function shownBy(client: Client): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const path of ['organizations', 'contacts', 'deals']) {
    for (const { id } of await all(client, path)) found[id] = await lastOf(client, path, id)
  }
  return found
}

/** The same, computed from what lists show. */
async function expectedFrom(client: Client): Promise<Record<string, unknown>> {
  const [activities, tasks, deals, stages] = await Promise.all(
    ['activities', 'tasks', 'deals', 'stages'].map((path) => all(client, path)),
  )
  const times = (by: string, id: string) => [
    ...activities!.filter((each) => each[by] === id).map(occurredAt),
    ...tasks!.filter((each) => each[by] === id && each.completed_at !== null).map((each) => each.completed_at),
  ]
  const isOpen = (deal: JsonRecord) => stages!.find(({ id }) => id === deal.stage_id)?.kind === 'open'
  const found: Record<string, unknown> = {}
  for (const path of ['organizations', 'contacts'] as const) {
    const by = path === 'contacts' ? 'contact_id' : 'organization_id'
    for (const { id } of await all(client, path)) found[id] = times(by, id).sort().at(-1) ?? null
  }
  for (const deal of deals!) {
    const closed = isOpen(deal) ? undefined : await closedAt(client, deal.id)
    const people = await peopleOn(client, deal.id)
    const ofPeople = activities!
      .filter((each) => people.includes(each.contact_id))
      .filter((each) => closed === undefined || each.created_at <= closed)
    found[deal.id] = [...times('deal_id', deal.id), ...ofPeople.map(occurredAt)].sort().at(-1) ?? null
  }
  return found
}

/** The ids of the people on a deal, with those who are deleted. */
async function peopleOn(client: Client, id: string): Promise<string[]> {
  const { body } = await client.get(`/api-v1-deals/${id}/history?limit=1`)
  return body.data[0].data.contacts.map((each: JsonRecord) => each.id)
}

function occurredAt({ metadata: { occurred_at }, created_at }: JsonRecord): string {
  const at = occurred_at && timestamp(Date.parse(occurred_at))
  return at && at <= created_at ? at : created_at
}

/** When a deal was closed that is not open, or entered its stage, which was open then. */
async function closedAt(client: Client, id: string): Promise<string> {
  const { body } = await client.get(`/api-v1-deals/summary?id=${id}&group_by=closed_at`)
  if (body.data[0].group.closed_at !== null) return body.data[0].group.closed_at
  const history: JsonRecord[] = (await client.get(`/api-v1-deals/${id}/history?limit=100`)).body.data
  const isEntry = ({ type, changed }: JsonRecord) => type === 'deal.created' || changed.includes('stage_id')
  return history.filter(isEntry).sort((a, b) => b.seq - a.seq)[0]!.at
}
