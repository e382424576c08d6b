import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSpoken } from '../../src/console/web/text/spoken-days.ts'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { countInputs, idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('l logs a call anywhere, with a follow-up in the same form, which Undo takes back', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  const { id } = await make(api, 'contact', {
    first_name: 'Ada',
    last_name: 'Weber',
    organization_id: organization.id,
  })
  await openPage(page, '/reports')
  const walk = countInputs(page)

  await walk.press('l')
  const dialog = page.getByRole('dialog', { name: 'Log call' })
  const record = dialog.getByRole('combobox', { name: 'Contact, organization or deal' })
  await record.fill('ada web')
  await dialog.getByRole('option', { name: /^Ada Weber/, selected: true }).waitFor()
  await walk.press('Tab')
  await dialog.getByLabel('What happened').fill('Wants an offer')
  await walk.click(dialog.getByRole('button', { name: 'in 3 days' }))
  await dialog.getByLabel('Follow-up task').fill('Send the offer')
  await walk.press('Enter')
  await page.getByText('Follow-up added.').waitFor()
  await idle(page)

  assert.ok(walk.count <= 4, `${walk.count} clicks and keys`)
  const call = (await api.get('/api-v1-activities')).body.data[0]
  assert.deepEqual(
    [call.type, call.subject, call.contact_id, call.organization_id],
    ['call', 'Wants an offer', id, organization.id],
  )
  const task = (await api.get('/api-v1-tasks')).body.data[0]
  const me = (await api.get('/console/session')).body.data.user.id
  assert.deepEqual([task.title, task.contact_id, task.assigned_to], ['Send the offer', id, me])
  assert.equal(task.due_date, parseSpoken('in 3 days', new Date())!.toISOString())

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  assert.equal((await api.get('/api-v1-tasks')).body.pagination.total, 0)
  assert.deepEqual(complaints, [])
})

test('On the page of a record, l logs a call with it: what is typed next is what happened', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, `/deals/${deal.id}`)

  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog', { name: 'Log call' })
  await dialog.getByLabel('What happened').and(page.locator(':focus')).waitFor()
  assert.equal(await dialog.getByRole('combobox', { name: 'Contact, organization or deal' }).inputValue(), 'Coaches')
  await page.keyboard.type('Wants an offer')
  await page.keyboard.press('Enter')
  await page.getByText('Call logged.').waitFor()

  const [call] = (await api.get('/api-v1-activities')).body.data
  assert.deepEqual([call.subject, call.deal_id], ['Wants an offer', deal.id])
  await page.getByRole('link', { name: 'Deals' }).first().click()
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await idle(page)
  await page.keyboard.press('l')
  await dialog.waitFor()
  assert.equal(await dialog.getByRole('combobox', { name: 'Contact, organization or deal' }).inputValue(), '')
  assert.deepEqual(complaints, [])
})

test('Ctrl+K finds the command that logs a call, and Enter in its text sends it', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, '/')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search all records' }).fill('log call')
  await page.getByRole('option', { name: 'Log call', selected: true }).waitFor()
  await idle(page)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Log call' })
  assert.equal(await dialog.getByRole('button', { name: 'Log call' }).isDisabled(), true)
  await dialog.getByRole('combobox', { name: 'Contact, organization or deal' }).fill('Coa')
  await dialog.getByRole('option', { name: /^Coaches/, selected: true }).waitFor()
  await page.keyboard.press('Tab')
  await dialog.getByLabel('What happened').fill('Called')
  await page.keyboard.press('Enter')
  await page.getByText('Call logged.').waitFor()

  assert.equal((await api.get('/api-v1-activities')).body.data[0].subject, 'Called')
  assert.equal((await api.get('/api-v1-tasks')).body.pagination.total, 0)
})

test('English and German words mean days and times', () => {
  const wednesday = new Date(2026, 0, 28, 15, 30)
  const at = (month: number, day: number, hour = 23, minute = 59) => [month, day, hour, minute]
  const expected: Record<string, number[] | undefined> = {
    tomorrow: at(1, 29),
    Übermorgen: at(1, 30),
    'fri 10:00': at(1, 30, 10, 0),
    'Fr um 9:30 Uhr': at(1, 30, 9, 30),
    mittwoch: at(2, 4),
    'in 3 days': at(1, 31),
    'in 3 Tagen': at(1, 31),
    'in 2 wochen': at(2, 11),
    'in einer Woche': at(2, 4),
    'next week': at(2, 4),
    'nächste Woche': at(2, 4),
    'next month': at(2, 28),
    'nächster Monat': at(2, 28),
    'in 1000 weeks': undefined,
    'fri 25:00': undefined,
    someday: undefined,
    '': undefined,
  }
  for (const [text, parts] of Object.entries(expected)) {
    const moment = parseSpoken(text, wednesday)
    const found = moment && [moment.getMonth() + 1, moment.getDate(), moment.getHours(), moment.getMinutes()]
    assert.deepEqual(found, parts, text)
  }
  const years = ['28.1.', '27.1.', '27.1.2026'].map((text) => parseSpoken(text, wednesday)?.getFullYear())
  assert.deepEqual(years, [2026, 2027, 2026])
  assert.equal(parseSpoken('next month', new Date(2026, 0, 31))?.getDate(), 28)
})
