import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSpoken } from '../../src/console/web/text/spoken-days.ts'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

for (const [timeZone, endOfDay, atNine] of [
  ['Asia/Tokyo', '2027-03-28T14:59:59.999Z', '2027-03-28T00:00:00.000Z'],
  ['America/Los_Angeles', '2027-03-29T06:59:59.999Z', '2027-03-28T16:00:00.000Z'],
  ['Europe/Berlin', '2027-03-28T21:59:59.999Z', '2027-03-28T07:00:00.000Z'], // 23 hours long
] as const) {
  test(`In ${timeZone}, a due date without a time is the end of that day, and a time is on that day`, {
    skip,
  }, async (t) => {
    const { api, page } = await openConsole(t, { timeZone })
    await openPage(page, '/tasks')
    await page.getByRole('button', { name: 'New task' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Send the offer')
    await dialog.getByLabel('Due date (optional)', { exact: true }).fill('2027-03-28')
    await dialog.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('Task created').waitFor()
    const task = async () => (await api.get('/api-v1-tasks')).body.data[0]
    assert.equal((await task()).due_date, endOfDay)

    await page.getByRole('link', { name: 'Send the offer' }).click()
    await page.getByText('28 Mar 2027', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await idle(page)
    assert.equal(await dialog.getByLabel('Due date: time').inputValue(), '')
    assert.equal(await dialog.getByLabel('Due date (optional)', { exact: true }).inputValue(), '2027-03-28')
    await dialog.getByLabel('Due date: time').fill('09:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    assert.equal((await task()).due_date, atNine)
  })
}

test('A time without a date and an incomplete date are errors at the field', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/tasks')
  await page.getByRole('button', { name: 'New task' }).first().click()
  const dialog = page.getByRole('dialog')
  const [day, time] = [dialog.getByLabel('Due date (optional)', { exact: true }), dialog.getByLabel('Due date: time')]
  const create = dialog.getByRole('button', { name: 'Create task' })
  await dialog.getByLabel('Title').fill('Send the offer')

  await time.fill('09:00')
  await create.click()
  await dialog.getByText('Enter the date that this time belongs to').waitFor()
  await day.focus()
  await page.keyboard.type('28')
  await create.click()
  await dialog.getByText('The date is not complete').waitFor()

  assert.equal((await api.get('/api-v1-tasks')).body.pagination.total, 0)
  await day.fill('2027-03-28')
  await create.click()
  await page.getByText('Task created').waitFor()
})

test('An incomplete expected close date is an error, not an empty value', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches', expected_close_date: '2027-03-28' })
  await openPage(page, `/deals/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Closes on').focus()
  await page.keyboard.press('Backspace')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The date is not complete').waitFor()

  assert.equal((await api.get(`/api-v1-deals/${id}`)).body.data.expected_close_date, '2027-03-28')
})

test('Words of a due date can be a date, and hours need no minutes', () => {
  const now = new Date(2026, 10, 29, 12)
  const said = ['24.12.', '1.2.', '24.12.2027 15 uhr', '2027-03-01', 'morgen um 9', 'fri 10', '31.2.', 'fri 25', 'in 2']

  const meant = said.map((text) => parseSpoken(text, now))

  const at = (year: number, month: number, day: number, hour?: number) =>
    hour === undefined ? new Date(year, month - 1, day, 23, 59, 59, 999) : new Date(year, month - 1, day, hour)
  assert.deepEqual(meant, [
    ...[at(2026, 12, 24), at(2027, 2, 1), at(2027, 12, 24, 15), at(2027, 3, 1), at(2026, 11, 30, 9)],
    ...[at(2026, 12, 4, 10), undefined, undefined, undefined],
  ])
})

for (const [locale, add, title, words, said, create] of [
  ['en-GB', 'New task', 'Title', 'Due date: in words', 'in 2 weeks', 'Create task'],
  ['de-DE', 'Neue Aufgabe', 'Titel', 'Fällig am: in Worten', 'in 2 wochen', 'Aufgabe anlegen'],
] as const) {
  test(`A due date can be said in words: ${said}`, { skip }, async (t) => {
    const { api, page } = await openConsole(t, { locale, timeZone: 'UTC' })
    await openPage(page, '/tasks')
    await page.getByRole('button', { name: add }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(title).fill('Call back')
    await dialog.getByLabel(words).fill('some day')
    await page.keyboard.down('Enter')
    await dialog.locator('.fault').waitFor()
    await idle(page) // the focus has moved
    await page.keyboard.up('Enter')
    assert.equal(await dialog.getByLabel(words).inputValue(), 'some day')
    await dialog.getByLabel(words).fill(said)
    assert.match(await dialog.locator('input[type=date]').inputValue(), /^\d{4}-\d\d-\d\d$/)
    await dialog.getByRole('button', { name: create }).click()
    await dialog.waitFor({ state: 'detached' })

    const [task] = (await api.get('/api-v1-tasks')).body.data
    assert.equal(task.due_date.slice(0, 10), parseSpoken(said, new Date())!.toISOString().slice(0, 10))
  })
}

test('A task of the composer has a preset as its due date, and a colleague; another day is said in words', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { timeZone: 'UTC' })
  await api.post('/console/users', { full_name: 'Bea Kern', email: `bea.${Date.now()}@acme.example` })
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await openPage(page, `/organizations/${id}`)
  await page.getByLabel('Subject').fill('Send the offer')
  await page.getByRole('button', { name: 'Task', exact: true }).click()
  await page.getByRole('button', { name: 'next week' }).click()
  await page.getByRole('combobox', { name: 'Assigned to' }).fill('Bea')
  await page.getByRole('option', { name: /^Bea Kern/ }).click()
  await page.getByRole('form').getByRole('button', { name: 'Add task' }).click()
  await page.getByText('Task added.').waitFor()
  await idle(page)
  const [task] = (await api.get('/api-v1-tasks?include=assigned_user')).body.data
  assert.equal(task.assigned_user.full_name, 'Bea Kern')
  assert.equal(task.due_date.slice(0, 10), parseSpoken('next week', new Date())!.toISOString().slice(0, 10))

  await page.getByRole('button', { name: 'Reschedule Send the offer' }).click()
  await page.getByLabel('Day in words').fill('in 3 days 10:00')
  await page.keyboard.press('Enter')
  await page.locator('.toast', { hasText: 'Send the offer' }).last().waitFor()
  await idle(page)
  const [moved] = (await api.get('/api-v1-tasks')).body.data
  assert.match(moved.due_date, /T10:00:00/)
})
