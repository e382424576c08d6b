import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { agentFor, type ToolResult } from './agent.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')

/** The calls of a recipe in docs/agents.md, as the page shows them. */
function callsOf(recipe: string): string[] {
  const [, section] = page.split(`### ${recipe}\n`)
  assert.ok(section, `docs/agents.md has no recipe ${recipe}`)
  return /```tools\n([\s\S]*?)\n```/.exec(section)![1]!.split('\n')
}

/** What an agent fills in for `<…>`, from the results so far. */
type Fill = Record<string, (results: ToolResult[]) => unknown>

/** Makes the calls of a recipe in order. Returns their results. Fails if one is refused. */
async function follow(agent: ReturnType<typeof agentFor>, recipe: string, fill: Fill = {}): Promise<ToolResult[]> {
  const results: ToolResult[] = []
  for (const call of callsOf(recipe)) {
    const filled = call.replace(/<([^<>]+)>/g, (_, what: string) => {
      assert.ok(fill[what], `the test does not know <${what}>`)
      return String(fill[what](results))
    })
    const [tool, given] = filled.split(/ (.*)/s, 2) as [string, string]
    results.push(await agent.use(tool, JSON.parse(given)))
  }
  return results
}

async function open(t: TestContext) {
  const { url, company, clock } = await start(t)
  clock.jump(Date.UTC(2026, 10, 24, 9) - clock.now())
  const { client } = await company('Acme')
  return { client, clock, agent: agentFor({ url, key: client.key }) }
}

const total = async (client: Client, path: string) => (await client.get(`/api-v1-${path}`)).body.pagination.total

test('Every recipe of docs/agents.md is run here', () => {
  const recipes = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name)

  assert.deepEqual(recipes, [
    'Clean up duplicates',
    'Log a call',
    'Prepare a meeting',
    'Weekly report',
    'Follow-up tasks',
  ])
})

test('Clean up duplicates: a merge is shown, then confirmed, and what belonged to both belongs to one', async (t) => {
  const { client, agent } = await open(t)
  const emails = [{ email: 'ada@example.com' }]
  const [one, two] = [
    await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber', emails }),
    await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber', job_title: 'CEO', emails }),
  ]
  await make(client, 'task', { contact_id: two.id })

  const [, , shown, asked, merged] = await follow(agent, 'Clean up duplicates', {
    'first of the group': ([groups]) => groups.data[0].ids[0],
    'second of the group': ([groups]) => groups.data[0].ids[1],
    'token of the call before': (results) => results.at(-1).confirm_token,
  })

  assert.equal(shown.dry_run, true)
  assert.match(asked.note, /Nothing has changed yet/)
  assert.deepEqual([merged.data.job_title, merged.moved.tasks + merged.moved.emails >= 0], ['CEO', true])
  assert.equal(await total(client, 'contacts'), 1)
  const { data } = (await client.get('/api-v1-tasks')).body
  assert.ok([one.id, two.id].includes(merged.data.id) && data[0].contact_id === merged.data.id)
})

test('Log a call: the call is in the log and the task waits, however often the agent repeats them', async (t) => {
  const { client, agent } = await open(t)
  const contact = await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  const fill: Fill = { 'the contact': ([{ results }]) => results[0].id.split(':')[1] }

  await follow(agent, 'Log a call', fill)
  await follow(agent, 'Log a call', fill)

  const [activity] = (await client.get(`/api-v1-activities?contact_id=${contact.id}`)).body.data
  const [task] = (await client.get(`/api-v1-tasks?contact_id=${contact.id}`)).body.data
  assert.deepEqual([activity.type, task.title, task.due_date], ['call', 'Send the offer', '2026-11-27T16:00:00.000Z'])
  assert.deepEqual([await total(client, 'activities'), await total(client, 'tasks')], [1, 1])
})

test('Prepare a meeting: the agent reads the organization and what belongs to it', async (t) => {
  const { client, agent } = await open(t)
  const organization = await make(client, 'organization', { name: 'Nordwind' })
  const other = await make(client, 'organization', { name: 'Südwind' })
  for (const { id } of [organization, other]) {
    for (const type of ['contact', 'deal', 'activity', 'task']) await make(client, type, { organization_id: id })
  }

  const [found, got, ...lists] = await follow(agent, 'Prepare a meeting', {
    'the organization': ([{ results }]) => results[0].id.split(':')[1],
  })

  assert.deepEqual([found.results[0].title, got.data.name], ['Nordwind', 'Nordwind'])
  for (const { data } of lists)
    assert.deepEqual(
      data.map((each: ToolResult) => each.organization_id),
      [organization.id],
    )
  assert.equal(lists.length, 4)
})

test('Weekly report: the sums are those of the week before', async (t) => {
  const { client, agent, clock } = await open(t)
  const stages = (await client.get('/api-v1-stages')).body.data
  const stageNamed = (name: string) => stages.find((stage: ToolResult) => stage.name === name).id
  clock.jump(-5 * 86_400_000)
  await make(client, 'deal', { title: 'Won', value: 5000, currency: 'EUR', stage_id: stageNamed('Won') })
  await make(client, 'activity', { type: 'call' })
  clock.jump(5 * 86_400_000)
  await make(client, 'deal', { title: 'Too late', value: 70, currency: 'EUR', stage_id: stageNamed('Won') })
  await make(client, 'deal', { title: 'Open', value: 1000, currency: 'EUR', stage_id: stageNamed('Lead') })

  const [described, won, all, activities, changes] = await follow(agent, 'Weekly report')

  assert.equal(described.data.stages.length, 6)
  assert.deepEqual(
    won.data.map((each: ToolResult) => each.count),
    [1],
  )
  assert.match(JSON.stringify(won.data[0]['sum:value']), /5000/)
  assert.equal(
    all.data.reduce((sum: number, each: ToolResult) => sum + each.count, 0),
    3,
  )
  assert.deepEqual(
    activities.data.map((each: ToolResult) => [each.group.type, each.count]),
    [['call', 1]],
  )
  assert.ok(Array.isArray(changes.data))
})

test('Follow-up tasks: a deal that nobody has touched gets one task, once', async (t) => {
  const { client, agent, clock } = await open(t)
  const stages = (await client.get('/api-v1-stages')).body.data
  const stage_id = stages.find((stage: ToolResult) => stage.name === 'Proposal').id
  const owner = await client.addUser({ full_name: 'Grace Hopper' })
  clock.jump(-20 * 86_400_000)
  const stale = await make(client, 'deal', { title: 'Stale', stage_id, assigned_to: owner })
  clock.jump(20 * 86_400_000)
  await make(client, 'deal', { title: 'Fresh', stage_id, assigned_to: owner })
  const fill: Fill = {
    'the stage Proposal': ([{ data }]) => data.stages.find((stage: ToolResult) => stage.name === 'Proposal').id,
    'the deal': ([, deals]) => deals.data[0].id,
    'the owner of the deal': ([, deals]) => deals.data[0].assigned_to,
  }

  const [, deals, tasks, shown] = await follow(agent, 'Follow-up tasks', fill)
  await follow(agent, 'Follow-up tasks', fill)

  assert.deepEqual([deals.data.length, tasks.data.length, shown.changes[0].type], [1, 0, 'task.created'])
  const { data, pagination } = (await client.get('/api-v1-tasks')).body
  assert.deepEqual([pagination.total, data[0].deal_id, data[0].assigned_to], [1, stale.id, owner])
})

test('Each set-up in docs/agent-clients.md that is JSON is valid, and leads to the server', () => {
  const clients = readFileSync(new URL('../../docs/agent-clients.md', import.meta.url), 'utf8')
  const blocks = [...clients.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text!)

  assert.equal(blocks.length, 5)
  for (const block of blocks) assert.match(JSON.stringify(JSON.parse(block)), /https:\/\/crm\.example\.com/)
})
