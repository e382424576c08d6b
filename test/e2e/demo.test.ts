import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { demoNow } from '../../src/commands/seed/calendar.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { type Client, clientFor } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'
import { executable, launch } from '../support/program.ts'

const now = new Date(demoNow).toISOString()
const today = now.slice(0, 10)
const resources = ['organizations', 'contacts', 'deals', 'tasks', 'activities', 'users', 'stages'] as const
const changeTypes = 'organization.*,contact.*,deal.*,task.*,activity.*,stage.*'

interface Demo extends Record<(typeof resources)[number], JsonRecord[]> {
  companyId: string
  changes: JsonRecord[]
}

let first: Promise<Demo> | undefined

/** The data of a sandbox that the first test starts. */
function demoOf(t: TestContext): Promise<Demo> {
  first ??= readDemo(t)
  return first
}

/** Starts a sandbox and reads all its data. */
async function readDemo(t: TestContext): Promise<Demo> {
  const { first } = await launch(t, executable, ['sandbox', '--seed', 'demo'])
  const client = clientFor(first.url!, { id: '', key: first.key! })
  const lists = resources.map(async (name) => [
    name,
    await readAll(client, `/api-v1-${name}?limit=100${name === 'contacts' ? '&include=emails,phones' : ''}`),
  ])
  const { body } = await client.get(`/api-v1-changes?limit=1000&types=${changeTypes}`)
  assert.equal(body.has_more, false)
  return { companyId: first.company_id, changes: body.data, ...Object.fromEntries(await Promise.all(lists)) }
}

async function readAll(client: Client, path: string): Promise<JsonRecord[]> {
  const records: JsonRecord[] = []
  for (let page = 1; ; page++) {
    const { body } = await client.get(`${path}&page=${page}`)
    records.push(...body.data)
    if (!body.pagination.has_more) return records
  }
}

function daysLater(days: number): string {
  return new Date(demoNow + days * dayMs).toISOString().slice(0, 10)
}

/** The deals whose stage is of this kind. */
function dealsOf(demo: Demo, kind: 'open' | 'won' | 'lost'): JsonRecord[] {
  const ids = demo.stages.filter((stage) => stage.kind === kind).map(({ id }) => id)
  return demo.deals.filter((deal) => ids.includes(deal.stage_id))
}

test('The demo data are the same on every start, including ids, times and the log of changes', async (t) => {
  const demo = await demoOf(t)
  assert.deepEqual(await readDemo(t), demo)
})

test('The demo has 40 organizations, 120 contacts, deals in all stages, and tasks and activities of every kind', async (t) => {
  const demo = await demoOf(t)
  assert.equal(demo.organizations.length, 40)
  assert.equal(demo.contacts.length, 120)
  assert.ok(demo.deals.length >= 30 && demo.deals.length <= 60)
  assert.equal(new Set(demo.deals.map(({ stage_id }) => stage_id)).size, 6)
  assert.equal(new Set(demo.organizations.map(({ status }) => status)).size, 4)
  assert.equal(new Set(demo.tasks.map(({ status }) => status)).size, 4)
  assert.equal(new Set(demo.activities.map(({ type }) => type)).size, 5)
  assert.deepEqual(demo.users.map(({ role }) => role).sort(), ['admin', 'member', 'owner'])
})

test('The demo’s deals close after they begin: open ones on the demo’s day or in the three months after it', async (t) => {
  const demo = await demoOf(t)
  for (const deal of demo.deals) assert.ok(deal.expected_close_date > deal.created_at.slice(0, 10), deal.title)
  const closings = dealsOf(demo, 'open').map((deal): string => deal.expected_close_date)
  assert.deepEqual(
    closings.filter((date) => date < today || date > daysLater(92)),
    [],
  )
  assert.ok(closings.filter((date) => date >= daysLater(7) && date < daysLater(14)).length >= 3)
  for (const deal of dealsOf(demo, 'won')) assert.ok(deal.expected_close_date < today, deal.title)
})

test('Every won or lost deal of the demo has a note with the reason, written when it was closed', async (t) => {
  const demo = await demoOf(t)
  for (const [kind, subject] of [
    ['won', /^Won: /],
    ['lost', /^Lost: /],
  ] as const) {
    assert.ok(dealsOf(demo, kind).length >= 5)
    for (const deal of dealsOf(demo, kind)) {
      const note = demo.activities.find((each) => each.deal_id === deal.id && subject.test(each.subject))
      const closed = demo.changes.find(({ type, record_id }) => type === `deal.${kind}` && record_id === deal.id)
      assert.equal(note?.type, 'note')
      assert.ok(note.description.length > 20)
      assert.ok(note.created_at > closed!.at && Date.parse(note.created_at) < Date.parse(closed!.at) + dayMs)
    }
  }
})

test('The demo’s tasks are due after they were created: some a day or two ago, today, this week and next week', async (t) => {
  const demo = await demoOf(t)
  for (const task of demo.tasks) {
    assert.ok(task.due_date > task.created_at, task.title)
    assert.ok(task.assigned_to, task.title)
    if (task.status === 'completed') assert.ok(task.completed_at > task.created_at && task.completed_at < now)
  }
  const open = demo.tasks.filter(({ status }) => status === 'pending' || status === 'in_progress')
  const dueDays = open.map(({ due_date }): string => due_date.slice(0, 10))
  assert.deepEqual(
    dueDays.filter((day) => day < daysLater(-4)), // the demo's day is a Monday
    [],
  )
  for (const [from, until] of [
    [-4, 0],
    [0, 1],
    [1, 5],
    [7, 12],
  ] as const) {
    assert.ok(dueDays.filter((day) => day >= daysLater(from) && day < daysLater(until)).length >= 3, `${from}`)
  }
})

test('Nothing in the demo is newer than the demo’s day, and users did it in business hours', async (t) => {
  const demo = await demoOf(t)
  for (const name of ['organizations', 'contacts', 'deals', 'tasks', 'activities'] as const) {
    for (const record of demo[name]) assert.ok(record.created_at <= record.updated_at && record.updated_at < now)
  }
  const changes = demo.changes.filter(({ resource }) => resource !== 'stage')
  assert.deepEqual(
    changes.map(({ at }) => at),
    changes.map(({ at }) => at).sort(),
  )
  assert.deepEqual(new Set(changes.map(({ actor }) => actor.id)), new Set(demo.users.map(({ id }) => id)))
  for (const { at } of changes) {
    const moment = new Date(at)
    assert.ok(moment.getUTCDay() >= 1 && moment.getUTCDay() <= 5, at)
    assert.ok(moment.getUTCHours() >= 8 && moment.getUTCHours() < 17, at)
  }
})

test('The demo’s contacts are reached at their organization, and no two are the same', async (t) => {
  const demo = await demoOf(t)
  const domains = new Map(demo.organizations.map(({ id, domain }) => [id, domain]))
  const addresses = demo.contacts.map((contact): string => contact.contact_emails[0].email)
  for (const [index, contact] of demo.contacts.entries()) {
    assert.equal(addresses[index]!.split('@')[1], domains.get(contact.organization_id))
    assert.match(addresses[index]!, /^[a-z.-]+@[a-z-]+\.example$/)
    assert.match(contact.contact_phones[0].phone_number, /^\+\d{9,13}$/)
    assert.ok(contact.job_title)
  }
  assert.equal(new Set(addresses).size, addresses.length)
})

test('The demo’s activities describe what happened, and repeat no text more than three times', async (t) => {
  const demo = await demoOf(t)
  const times = Map.groupBy(demo.activities, ({ description }): string => description)

  for (const [text, activities] of times) assert.ok(text.length > 20 && activities.length <= 3, text)
  for (const { type, metadata, subject } of demo.activities) {
    if (type === 'rating') assert.equal(subject, `${metadata.rating} of 5 stars`)
  }
})
