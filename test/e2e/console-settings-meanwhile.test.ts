import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { openPage } from '../support/page.ts'
import { bundle } from '../support/program.ts'
import { password } from '../support/visitor.ts'

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
