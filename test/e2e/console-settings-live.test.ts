import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { goFollowing, idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const returning = "dispatchEvent(new Event('focus'))"

test('Users that others add and deactivate are shown without a reload, and each button says whose it is', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  await goFollowing(page, '/settings/users')
  const email = `zoe-${Date.now()}@acme.example`
  const { user } = (await api.post('/console/users', { full_name: 'Zoe', email })).body.data

  for (const name of ['New link Zoe', 'Revoke link Zoe', 'Deactivate Zoe'])
    await page.getByRole('button', { name, exact: true }).waitFor()
  await api.patch(`/console/users/${user.id}`, { is_active: false })
  await page.getByText('Deactivated').waitFor()
  await page.getByRole('button', { name: 'Activate Zoe', exact: true }).waitFor()
})

test('Keys that others create and revoke are shown without a reload, and what is typed stays', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  await goFollowing(page, '/keys')
  const key = await make(api, 'api_key', { name: 'CI', scopes: ['read:all'] })
  await page.getByRole('link', { name: 'CI' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Description').fill('For the nightly build')

  await api.post(`/api-v1-keys/${key.id}/revoke`)
  await page.evaluate(returning)
  await page.getByRole('main').getByText('Revoked', { exact: true }).first().waitFor()
  assert.equal(await dialog.getByLabel('Description').inputValue(), 'For the nightly build')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  await idle(page)

  for (const name of ['Edit', 'Disable', 'Revoke']) assert.equal(await page.getByRole('button', { name }).count(), 0)
})

test('Who returns to the settings sees the calendar address and the links as they are now', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const calendar = page.getByRole('region', { name: 'Calendar' })
  await api.post('/console/calendar', { time_zone: 'UTC' })
  await openPage(page, '/settings/account')
  await calendar.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  const secret = page.getByRole('dialog', { name: 'Your calendar’s address' })
  await secret.waitFor()
  await api.delete('/console/calendar')
  await page.evaluate(returning)
  await calendar.getByText('Create address').waitFor()
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  await secret.waitFor({ state: 'detached' })

  const email = `max-${Date.now()}@acme.example`
  const { user } = (await api.post('/console/users', { full_name: 'Max', email })).body.data
  await openPage(page, '/settings/users')
  await page.getByText('Password link not used yet').waitFor()
  await api.delete(`/console/users/${user.id}/invitation`)
  await page.evaluate(returning)
  await page.getByText('Password link not used yet').waitFor({ state: 'detached' })
})
