import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole, setTime } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

/** A Monday. */
const now = '2026-11-23T10:00:00.000Z'

/** The tasks page of a user with tasks, on a Monday in UTC. */
async function withTasks(t: TestContext, ...tasks: { title: string; due_date?: string; status?: string }[]) {
  const opened = await openConsole(t, { timeZone: 'UTC', fresh: true })
  const { api, page } = opened
  const { user } = (await api.get('/console/session')).body.data
  for (const task of tasks) await make(api, 'task', { assigned_to: user.id, ...task })
  await setTime(page, now)
  await openPage(page, '/tasks')
  const group = (name: string) => page.getByRole('region', { name, exact: true })
  const stored = async (title: string) =>
    (await api.get(`/api-v1-tasks?filter[title][eq]=${encodeURIComponent(title)}`)).body.data[0]
  return { ...opened, group, stored, user }
}

test('Tasks are grouped by day: overdue, today, tomorrow, the days of a week, months, without a date', {
  skip,
}, async (t) => {
  const { page } = await withTasks(
    t,
    { title: 'Some day' },
    { title: 'In January', due_date: '2027-01-12T09:00:00Z' },
    { title: 'On Thursday', due_date: '2026-11-26T09:00:00Z' },
    { title: 'Tomorrow morning', due_date: '2026-11-24T09:00:00Z' },
    { title: 'This evening', due_date: '2026-11-23T18:00:00Z' },
    { title: 'This morning', due_date: '2026-11-23T09:00:00Z' },
    { title: 'Last week', due_date: '2026-11-16T09:00:00Z' },
  )
  await page.getByText('7 tasks').waitFor()
  assert.deepEqual(await violationsOn(page, ['landmark-unique']), [])
  await idle(page)
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
  assert.deepEqual(headings, [
    'Overdue 2',
    'Today 1',
    'Tomorrow 1',
    'Thursday 26 November 1',
    'January 2027 1',
    'Without a date 1',
  ])
})

test('One click moves an overdue task to today and one of today to tomorrow, and keeps the time if it is still ahead', {
  skip,
}, async (t) => {
  const { page, group, stored } = await withTasks(
    t,
    { title: 'At nine', due_date: '2026-11-20T09:00:00Z' },
    { title: 'At noon', due_date: '2026-11-20T12:00:00Z' },
    { title: 'This evening', due_date: '2026-11-23T18:30:00Z' },
    { title: 'All day', due_date: '2026-11-20T23:59:59.999Z' },
  )
  await page.getByRole('button', { name: 'Move to tomorrow: This evening' }).click()
  await group('Tomorrow').getByText('This evening').waitFor()
  assert.equal((await stored('This evening')).due_date, '2026-11-24T18:30:00.000Z')
  for (const title of ['At nine', 'At noon', 'All day']) {
    await page.getByRole('button', { name: `Move to today: ${title}` }).click()
    await group('Today').getByText(title).waitFor()
  }
  assert.equal((await stored('At nine')).due_date, '2026-11-23T23:59:59.999Z')
  assert.equal((await stored('At noon')).due_date, '2026-11-23T12:00:00.000Z')
  assert.equal((await stored('All day')).due_date, '2026-11-23T23:59:59.999Z')

  await page.getByRole('button', { name: 'Undo' }).last().click()
  await group('Overdue').getByText('All day').waitFor()
})

test('The keyboard moves a task to an offered day, to another day, or to no day, and goes on with the next task', {
  skip,
}, async (t) => {
  const { page, group, stored, complaints } = await withTasks(
    t,
    { title: 'First', due_date: '2026-11-24T09:00:00Z' },
    { title: 'Second', due_date: '2026-11-25T09:00:00Z' },
  )
  const reschedule = (title: string) => page.getByRole('button', { name: `Reschedule ${title}` })
  await reschedule('First').press('Enter')
  await page.locator('button:focus', { hasText: 'Today' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await reschedule('First').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Next Monday Mon' }).press('Enter')
  await group('November 2026').getByText('First').waitFor()
  await page.locator('a:focus', { hasText: 'Second' }).waitFor()
  await page.keyboard.press('Space')
  assert.equal((await stored('First')).due_date, '2026-11-30T09:00:00.000Z')

  await reschedule('Second').press('Enter')
  await page.getByLabel('Another day').fill('2027-03-05')
  await page.getByLabel('Another day').press('Enter')
  await group('March 2027').getByText('Second').waitFor()
  await reschedule('Second').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Without a date' }).press('Enter')
  await group('Without a date').getByText('Second').waitFor()
  assert.equal((await stored('Second')).due_date, null)
  assert.deepEqual(complaints, [])
})

test('A completed task is opened again by unticking it', { skip }, async (t) => {
  const { page, stored } = await withTasks(t, { title: 'Call back', status: 'completed' })
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Complete Call back', checked: true }).press('Space')
  await page.getByText('Open again: Call back').waitFor()
  await page.getByText('Completed tasks appear here.').waitFor()
  assert.deepEqual([(await stored('Call back')).status, (await stored('Call back')).completed_at], ['pending', null])
})

test('A task that is completed while another tab is chosen appears there', { skip }, async (t) => {
  const { page } = await withTasks(t, { title: 'Call back' })
  const release = await hold(page, '**/complete', 'PATCH')
  await page.getByRole('checkbox', { name: 'Complete Call back' }).click()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByText('Completed tasks appear here.').waitFor()
  release('continue')

  await page.getByRole('checkbox', { name: 'Complete Call back', checked: true }).waitFor()
  assert.deepEqual(await page.locator('.toast > span').allInnerTexts(), ['Done: Call back'])
})

test('The owner filter shows a colleague’s tasks or everyone’s, and a link to it works', { skip }, async (t) => {
  const { api, page, user } = await withTasks(t, { title: 'My own' })
  const grace = (await api.post('/console/users', { full_name: 'Grace Öz', email: `grace-${user.id}@acme.example` }))
    .body.data.user
  await make(api, 'task', { title: 'Hers', assigned_to: grace.id }, { title: 'Nobody’s' })
  const owner = page.getByRole('combobox', { name: 'Owner' })
  const tasks = page.getByRole('main').getByRole('listitem').getByRole('link')
  await page.getByText('1 task', { exact: true }).waitFor()
  assert.equal(await owner.inputValue(), user.full_name)

  await owner.fill('grace')
  await page.getByRole('option', { name: 'Grace Öz' }).click()
  await page.getByText('Hers').waitFor()
  await idle(page)
  assert.deepEqual(await tasks.allInnerTexts(), ['Hers'])
  await page.reload()
  await page.getByText('Hers').waitFor()
  await idle(page)
  assert.deepEqual([await tasks.allInnerTexts(), await owner.inputValue()], [['Hers'], 'Grace Öz'])
  await page.getByRole('button', { name: 'Clear Grace Öz' }).click()
  await page.getByText('3 tasks').waitFor()
  await page.getByRole('button', { name: 'Unassigned' }).click()
  await page.getByText('1 task', { exact: true }).waitFor()
  await idle(page)
  assert.deepEqual(await tasks.allInnerTexts(), ['Nobody’s'])
})

test('The tasks on a record are ticked, unticked and rescheduled there; open ones come first', { skip }, async (t) => {
  const { api, page, stored } = await withTasks(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await make(
    api,
    'task',
    { title: 'Sent', deal_id: id, status: 'completed' },
    { title: 'Later', deal_id: id, due_date: '2026-12-24T09:00:00Z' },
    { title: 'Sooner', deal_id: id, due_date: '2026-11-20T09:00:00Z' },
  )
  await openPage(page, `/deals/${id}`)
  const card = page.getByRole('region', { name: 'Tasks' })
  await card.getByText('Sooner').waitFor()
  assert.deepEqual(await card.getByRole('listitem').getByRole('link').allInnerTexts(), ['Sooner', 'Later', 'Sent'])

  await card.getByRole('button', { name: 'Move to today: Sooner' }).click()
  await card.getByText('due today').waitFor()
  await card.getByRole('checkbox', { name: 'Complete Sent' }).click()
  await page.getByText('Open again: Sent').waitFor()
  await card.getByRole('checkbox', { name: 'Complete Later' }).press('Space') // a notification may cover it
  await page.getByText('Done: Later').waitFor()
  assert.deepEqual([(await stored('Sent')).status, (await stored('Later')).status], ['pending', 'completed'])
})

test('The tasks page makes at most three requests at load, besides that of the banner for failing webhooks', {
  skip,
}, async (t) => {
  const { page } = await withTasks(t, { title: 'Call back' })
  await page.getByText('1 task', { exact: true }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api-v1-') && asked.push(request.url()))
  await page.reload()
  await page.getByText('1 task', { exact: true }).waitFor()
  await idle(page)
  const own = asked.filter((url) => !url.includes('/api-v1-webhooks'))
  assert.ok(own.length <= 3, asked.join('\n'))
})
