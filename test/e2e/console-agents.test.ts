import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentFor } from '../mcp/agent.ts'
import { withoutBrowser } from '../support/browser.ts'
import { enterAs, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { addColleague } from './mail-console.ts'

const skip = withoutBrowser

/** The console, and an agent whose key may only propose. */
async function openWithAgent(t: TestContext, options: Parameters<typeof openConsole>[1] = {}) {
  const console = await openConsole(t, options)
  const key = { name: 'Assistant', scopes: ['read:all', 'write:all'], mcp_mode: 'propose' }
  const { key: secret } = (await console.api.post('/api-v1-keys', key)).body.data
  return { ...console, agent: agentFor({ url: console.url, key: secret }) }
}

test('The page Connect an agent makes a key that may only propose, and shows the set-up of each client with it', {
  skip,
}, async (t) => {
  const { page, api, url, complaints } = await openConsole(t)
  await openPage(page, '/keys')
  await page.getByRole('link', { name: 'Connect an agent' }).click()
  await page.getByText('svc_live_YOUR_KEY').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('radio', { name: 'Propose changes' }).isChecked(), true)
  await page.getByLabel('Name').fill('Assistant')
  await page.getByRole('button', { name: 'Create key' }).click()

  await page.getByText('Assistant is ready').waitFor()
  await idle(page)
  const key = (await page.locator('.secret code').first().innerText()).trim()
  const command = await page.locator('.secret code').nth(1).innerText()
  await page.getByRole('button', { name: 'Cursor' }).click()
  await idle(page)
  const cursor = JSON.parse(await page.locator('.secret code').nth(1).innerText())

  const [made] = (await api.get('/api-v1-keys?name=Assistant')).body.data
  assert.deepEqual([made.mcp_mode, made.scopes], ['propose', ['read:all', 'write:all']])
  assert.equal(command, `claude mcp add --transport http kontor ${url}/mcp --header "Authorization: Bearer ${key}"`)
  assert.deepEqual(cursor.mcpServers.kontor, { url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } })
  assert.equal((await agentFor({ url, key }).use('describe')).data.mode, 'propose')
  assert.deepEqual(complaints, [])
})

test('A user sees what an agent proposes field by field, applies some of the fields, and undoes it', {
  skip,
}, async (t) => {
  const { page, api, agent, complaints } = await openWithAgent(t)
  const contact = await make(api, 'contact', { first_name: 'Grace', last_name: 'Hopper', job_title: 'CTO' })
  const values = { job_title: 'CEO', last_name: 'Murray' }
  await agent.use('save_record', { type: 'contact', id: contact.id, values })
  await openPage(page, '/proposals')

  const row = page.getByRole('listitem').filter({ hasText: 'Grace' })
  await row.getByText('Assistant · test-agent 1.0').waitFor()
  await row.getByText('CTO').waitFor()
  await row.getByText('CEO').waitFor()
  assert.equal(await row.locator('.badge').innerText(), 'Change')
  await row.getByLabel('Last name').uncheck()
  await row.getByRole('button', { name: 'Apply 1 of 2 fields' }).click()
  await page.getByText('Proposal applied.').waitFor()
  await page.getByRole('heading', { name: 'No open proposals' }).waitFor()
  const applied = (await api.get(`/api-v1-contacts/${contact.id}`)).body.data
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()

  assert.deepEqual([applied.job_title, applied.last_name], ['CEO', 'Hopper'])
  assert.equal((await api.get(`/api-v1-contacts/${contact.id}`)).body.data.job_title, 'CTO')
  await page.getByRole('button', { name: 'Applied' }).click()
  await page.getByText('Save record').waitFor()
  await openPage(page, `/contacts/${contact.id}`)
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('proposed by test-agent 1.0').first().waitFor()
  assert.deepEqual(complaints, [])
})

test('A user rejects one proposal by the button with its name, selects all others, applies them, and undoes that at once', {
  skip,
}, async (t) => {
  const { page, api, agent } = await openWithAgent(t)
  for (const title of ['Call Ada', 'Write to Bob', 'Meet Carol']) {
    await agent.use('save_record', { type: 'task', values: { title } })
  }
  await openPage(page, '/proposals')

  await page.getByLabel('Select the proposal Meet Carol').waitFor()
  assert.equal(await page.locator('main li > div .badge').first().innerText(), 'Create')
  await page.getByRole('button', { name: 'Reject Write to Bob', exact: true }).click()
  await page.getByText('Proposal rejected.').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Write to Bob' }).waitFor({ state: 'detached' })
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Apply the selected' }).click()
  await page.getByText('2 proposals applied.').waitFor()

  const { data } = (await api.get('/api-v1-tasks?sort=created_at:asc')).body
  assert.deepEqual(
    data.map(({ title }: { title: string }) => title),
    ['Call Ada', 'Meet Carol'],
  )
  await page.locator('.toast', { hasText: '2 proposals applied.' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 records undone.').waitFor()
  assert.equal((await api.get('/api-v1-tasks')).body.pagination.total, 0)
})

test('Proposals that somebody else has decided meanwhile do not count as selected', { skip }, async (t) => {
  const { page, api, agent } = await openWithAgent(t)
  for (const title of ['Call Ada', 'Write to Bob', 'Meet Carol']) {
    await agent.use('save_record', { type: 'task', values: { title } })
  }
  await openPage(page, '/proposals')
  for (const title of ['Call Ada', 'Meet Carol']) await page.getByLabel(`Select the proposal ${title}`).check()
  const [newest] = (await api.get('/api-v1-proposals?status=open')).body.data
  assert.equal((await api.post(`/api-v1-proposals/${newest.id}/reject`)).status, 200)
  await page.evaluate("dispatchEvent(new Event('focus'))")

  const rest = page.getByLabel('1 selected')
  await rest.waitFor()
  assert.equal(await rest.isChecked(), false)
})

test('If a record has changed since it was proposed, the console asks before it applies', { skip }, async (t) => {
  const { page, api, agent } = await openWithAgent(t)
  const task = await make(api, 'task', { title: 'Call' })
  await agent.use('save_record', { type: 'task', id: task.id, values: { title: 'Call Ada' } })
  await openPage(page, '/proposals')
  await page.getByRole('button', { name: 'Apply Call Ada', exact: true }).waitFor()
  await api.patch(`/api-v1-tasks/${task.id}`, { title: 'Call Bob' })

  await page.getByRole('button', { name: 'Apply Call Ada', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  const kept = (await api.get(`/api-v1-tasks/${task.id}`)).body.data.title
  await page.getByRole('button', { name: 'Apply Call Ada', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply anyway' }).click()
  await page.getByText('Proposal applied.').waitFor()

  assert.equal(kept, 'Call Bob')
  assert.equal((await api.get(`/api-v1-tasks/${task.id}`)).body.data.title, 'Call Ada')
})

test('An amount that an agent proposes has the currency of its record', { skip }, async (t) => {
  const { page, api, agent } = await openWithAgent(t)
  const deal = await make(api, 'deal', { title: 'Hampers', value: 1_000, currency: 'CHF' })
  await agent.use('save_record', { type: 'deal', id: deal.id, values: { value: 2_500 } })
  await agent.use('save_record', { type: 'deal', id: deal.id, values: { value: 3_000, currency: 'USD' } })
  await openPage(page, '/proposals')

  await page.getByRole('listitem').filter({ hasText: 'CHF 2,500' }).getByText('CHF 1,000').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'US$3,000' }).getByText('CHF 1,000').waitFor()
})

test('No undo is offered of an activity that an agent proposed: it is never deleted', { skip }, async (t) => {
  const { page, agent } = await openWithAgent(t)
  await agent.use('log_activity', { type: 'call', subject: 'Offer' })
  await openPage(page, '/proposals')

  await page.getByRole('listitem').filter({ hasText: 'Offer' }).getByRole('button', { name: 'Apply' }).click()

  await page.getByText('Proposal applied.').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
})

test('A proposed activity is called by its subject, one without a subject by its type in the user’s language', {
  skip,
}, async (t) => {
  const { page, agent } = await openWithAgent(t, { locale: 'de-DE' })
  await agent.use('log_activity', { type: 'call', subject: 'Offer' })
  await agent.use('log_activity', { type: 'meeting' })
  await openPage(page, '/proposals')

  await page.getByRole('button', { name: 'Anwenden Offer' }).waitFor()
  await page.getByRole('button', { name: 'Anwenden Termin' }).waitFor()
  await page.getByText('Aktivität: Termin').waitFor()
})

test('A member, who may not read the key of an agent, sees its program, and who has decided', { skip }, async (t) => {
  const { page, api, agent, context, url } = await openWithAgent(t)
  await agent.use('save_record', { type: 'task', values: { title: 'Call Ada' } })
  await enterAs(context, url, await addColleague(url, api, `member-${Date.now()}@acme.example`))
  await openPage(page, '/proposals')

  await page.getByText('API key · test-agent 1.0').waitFor()
  await page.getByRole('button', { name: 'Apply Call Ada' }).click()
  await page.getByRole('heading', { name: 'No open proposals' }).waitFor()
  await page.getByRole('button', { name: 'Applied' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Save record' }).getByText('Bob Lind').waitFor()
})
