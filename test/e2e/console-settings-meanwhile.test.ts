import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScreen, withoutBrowser as skip } from '../support/browser.ts'
import { enterAs, openConsole } from '../support/console.ts'
import { idle, openPage } from '../support/page.ts'
import { bundle } from '../support/program.ts'
import { password } from '../support/visitor.ts'
import { addColleague } from './mail-console.ts'
import { alterReads } from './reads.ts'

const failing = () => ({
  status: 503,
  body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'The database is busy' } },
})

test('Who changes the time zone of the company keeps the currency that a colleague has chosen meanwhile', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/settings/company')
  const form = page.getByRole('region', { name: 'Currency' })
  await api.patch('/console/company', { currency: 'CHF' })
  await form.getByLabel('Time zone').fill('Europe/Zurich')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()

  const { currency, time_zone } = (await api.get('/console/session')).body.data.company
  assert.deepEqual([currency, time_zone], ['CHF', 'Europe/Zurich'])
})

test('Who changes the own email keeps the name that a colleague has corrected meanwhile', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { program: bundle, fresh: true })
  await openPage(page, '/settings/account')
  const form = page.getByRole('region', { name: 'You', exact: true })
  await form.getByLabel('Email').fill('ada.weber@acme.example')
  await form.getByLabel('Your password').fill(password)
  await api.patch('/console/account', { full_name: 'Ada Weber-Lind' })
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()

  const { email, full_name } = (await api.get('/console/session')).body.data.user
  assert.deepEqual([email, full_name], ['ada.weber@acme.example', 'Ada Weber-Lind'])
})

test('Fields that cannot be loaded are said to be, and no fields of other records are shown instead', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await api.post('/api-v1-fields', { resource: 'organization', key: 'size', label: 'Size', type: 'number' })
  await openPage(page, '/settings/fields')
  const fields = page.getByRole('region', { name: 'Fields' })
  await fields.getByText('Size').waitFor()
  const stop = await alterReads(page, /api-v1-fields/, failing)
  await page.getByRole('button', { name: 'Contacts', exact: true }).click()
  await fields.getByRole('alert').getByText('The database is busy').waitFor()
  assert.equal(await fields.getByText('Size').count(), 0)

  await stop()
  await fields.getByRole('button', { name: 'Try again' }).click()
  await fields.getByText('None. A field is part of the metadata').waitFor()
})

test('A list of the settings that cannot be read again after a change says so', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await api.post('/api-v1-fields', { resource: 'organization', key: 'size', label: 'Size', type: 'number' })
  await openPage(page, '/settings/fields')
  const fields = page.getByRole('region', { name: 'Fields' })
  const stop = await alterReads(page, /api-v1-fields/, failing)
  await fields.getByRole('button', { name: 'Delete size' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await fields.getByRole('alert').getByText('The database is busy').waitFor()

  await stop()
  await fields.getByRole('button', { name: 'Try again' }).click()
  await fields.getByText('None. A field is part of the metadata').waitFor()
  await idle(page)
  assert.equal(await fields.getByRole('alert').count(), 0)
})

test('An admin is offered nothing about owners that only owners may do', { skip }, async (t) => {
  const { api, url } = await openConsole(t)
  const admin = await addColleague(url, api, `admin-${Date.now()}@acme.example`, 'admin')
  await api.post('/console/users', { full_name: 'Zoe', email: `zoe-${Date.now()}@acme.example` })
  const { page, context } = await openScreen(t, url, { fresh: true })
  await enterAs(context, url, admin)
  await openPage(page, '/settings/users')
  const users = page.getByRole('region', { name: 'Users' }).getByRole('listitem')
  const owner = users.filter({ hasText: 'Ada Weber' })

  assert.deepEqual([await owner.getByRole('button').count(), await owner.getByRole('combobox').isDisabled()], [0, true])
  const roles = users.filter({ hasText: 'Zoe' }).getByRole('combobox').getByRole('option')
  assert.deepEqual(await roles.allInnerTexts(), ['Admin', 'Member'])
  await page.getByRole('button', { name: 'Add user' }).click()
  await idle(page)
  const added = page.getByRole('dialog').getByLabel('Role').getByRole('option')
  assert.deepEqual(await added.allInnerTexts(), ['Admin', 'Member'])
})

test('A backup that runs is shown until it has ended, also if the server could not be asked in between', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const schedule = { interval: '1d', keep: 7 }
  const idleReport = { schedule, is_running: false, has_failed: false, last: null, next_at: null }
  const answers = [{ data: { ...idleReport, is_running: true } }, undefined, { data: idleReport }]
  await alterReads(page, /console\/backups/, () => {
    const body = answers.length > 1 ? answers.shift() : answers[0]
    return body ? { status: 200, body } : failing()
  })
  await openPage(page, '/settings/company')
  await page.getByRole('region', { name: 'Backups' }).getByRole('button', { name: 'Back up now' }).waitFor()
  assert.equal(answers.length, 1)
})
