import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { contact } from '../../src/crm/contact.ts'
import { readChanges } from '../support/changes.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { type Server, start } from '../support/start.ts'
import {
  links,
  readState,
  requestIdOf,
  type State,
  withoutLinks,
  withoutRelations,
  writeAnything,
} from '../support/world.ts'

const writes = 150
/** Verbs that every sequence of random writes has. */
const everyVerb = ['created', 'deleted', 'restored', 'stage_changed', 'updated']

/** What each write must have logged: the records that differ between two states. */
function expectedOf(before: State, after: State): JsonRecord[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])]
  return ids.flatMap((id): JsonRecord[] => {
    const [former, record] = [before.get(id), after.get(id)]
    if (isDeepStrictEqual(former, record)) return []
    if (!former || !record) return [{ record_id: id, changed: [], previous: null, data: record ?? former }]
    const changed = Object.keys(record).filter((name) => !isDeepStrictEqual(record[name], former[name]))
    const names = changed.filter((name) => name !== 'updated_at').sort()
    const previous = Object.fromEntries(names.map((name) => [name, former[name]]))
    return [{ record_id: id, changed: names, previous, data: record }]
  })
}

/** The same members of a logged change. The log names items as requests do, a record shows them under another name. */
function loggedOf({ type, record_id, ...change }: JsonRecord): JsonRecord {
  const changed: string[] = change.changed.filter((name: string) => !links.has(name))
  const [previous, data] = [withoutLinks(change.previous), withoutLinks(change.data)]
  if (type.endsWith('.restored')) return { record_id, changed: [], previous, data } // nobody saw the deleted record
  const shown = (name: string) => contact.collections[name]?.as ?? name
  const former = previous && Object.fromEntries(Object.entries(previous).map(([name, value]) => [shown(name), value]))
  return { record_id, changed: changed.map(shown).sort(), previous: former, data }
}

const byRecord = (a: JsonRecord, b: JsonRecord) => (a.record_id < b.record_id ? -1 : 1)

/** Writes at random, then compares the log with what was shown. Returns the verbs of the changes. */
async function compareLog({ company, clock }: Server, random: Random): Promise<Set<string>> {
  const { client } = await company('Acme')
  const states = [await readState(client)]
  const requests: string[] = []
  let last = (await readChanges(client)).at(-1)!.seq
  const note = async (request: string) => {
    requests.push(request)
    states.push(await readState(client))
    clock.advance(1 + random.below(5_000))
  }
  for (let write = 0; write < writes; write++) await note(await writeAnything(client, random, states.at(-1)!))
  const stage = await client.post('/api-v1-stages', { name: 'Moved to' }) // chance seldom moves a deal
  await note(requestIdOf(stage))
  const deal = await client.post('/api-v1-deals', { title: 'Moved', stage_id: stage.body.data.id })
  await note(requestIdOf(deal))
  const back = await client.post('/api-v1-stages', { name: 'Moved from' })
  await note(requestIdOf(back))
  const moved = await client.patch(`/api-v1-deals/${deal.body.data.id}/stage`, { stage_id: back.body.data.id })
  await note(requestIdOf(moved))
  const all = await readChanges(client)
  const logged = Map.groupBy(all, ({ request_id }) => request_id)
  for (const [number, requestId] of requests.entries()) {
    const own = (logged.get(requestId) ?? []).filter(({ resource }) => resource !== 'bulk_job')
    const first = own[0]?.seq ?? 0
    // What a new record must refer to was made by a request of its own, just before.
    const others = all.filter(({ seq, request_id }) => seq > last && seq < first && !requests.includes(request_id))
    const changes = [...others, ...own]
    last = Math.max(last, own.at(-1)?.seq ?? 0)
    const expected = expectedOf(states[number]!, states[number + 1]!)
    assert.deepEqual(changes.map(loggedOf).sort(byRecord), expected.sort(byRecord))
  }
  return new Set(all.map(({ type }) => type.split('.')[1]))
}

test('Every change has the record as it was shown then, and its true former values, whatever was written later', async (t) => {
  const server = await start(t)
  for (let round = 0; round < rounds; round++) {
    const verbs = await compareLog(server, randomOf(17 + round))

    assert.deepEqual([...verbs].filter((verb) => everyVerb.includes(verb)).sort(), everyVerb)
  }
})

test('The old states of a record with hundreds of changes are those that were shown', async (t) => {
  const { company, clock, store } = await start(t)
  const { client } = await company('Acme')
  const { id } = await make(client, 'contact')
  const shown = new Map<string, JsonRecord>()
  const stored = `SELECT count(*) FROM change JOIN change_term ON change_term.id = type
    WHERE workspace_id = :workspace AND text = 'contact.updated' AND data IS NOT NULL`

  const workspaceId = store.access.value<number>('SELECT min(id) FROM workspace')!
  while (shown.size < 250 || store.workspace(workspaceId).value<number>(stored)! < 2) {
    clock.advance(1_000)
    const number = shown.size
    const response =
      number % 3 === 0
        ? await client.post(`/api-v1-contacts/${id}/emails`, { email: `ada.${number}@example.com` })
        : await client.patch(`/api-v1-contacts/${id}`, { first_name: `Ada ${number}`, title: `Title ${number % 5}` })
    assert.ok(response.status < 300, JSON.stringify(response.body))
    const { body } = await client.get(`/api-v1-contacts/${id}`)
    shown.set(requestIdOf(response), withoutRelations(contact, body.data))
    if (number % 3 === 0 && number > 30)
      await client.delete(`/api-v1-contacts/${id}/emails/${body.data.contact_emails[0].id}`)
  }

  const changes = await readChanges(client)
  for (const [requestId, record] of shown) {
    const found = changes.filter(({ request_id }) => request_id === requestId)
    assert.deepEqual(
      found.map(({ data }) => data),
      [record],
    )
  }
})
