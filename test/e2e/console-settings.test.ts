import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, owner } from '../support/console.ts'
import { idle, openPage } from '../support/page.ts'
import { visit } from '../support/visitor.ts'

const skip = withoutBrowser

test('The account page changes the name, and the email after the password', { skip }, async (t) => {
  const { page, api, complaints } = await openConsole(t)
  const card = page.getByRole('region', { name: 'You' })

  await openPage(page, '/settings/account')
  await card.getByLabel('Full name').fill('Ada Lovelace')
  await card.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('Saved.').first().waitFor()
  assert.equal((await api.get('/console/session')).body.data.user.full_name, 'Ada Lovelace')
  await card.getByLabel('Email').fill('lovelace@acme.example')
  await card.getByLabel('Your password').fill('wrong horse battery')
  await card.getByRole('button', { name: 'Save' }).press('Enter')
  await card.getByText('This is not your current password').waitFor()
  await card.getByLabel('Your password').fill(owner.password)
  await card.getByRole('button', { name: 'Save' }).press('Enter')
  await card.getByLabel('Your password').waitFor({ state: 'detached' })
  assert.equal((await api.get('/console/session')).body.data.user.email, 'lovelace@acme.example')
  assert.deepEqual(complaints, [])
})

test('The account page ends the session of another browser, and the settings revoke a link', { skip }, async (t) => {
  const { page, api, url } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  const email = `two-${user.id}@acme.example`
  await api.patch('/console/account', { email, current_password: owner.password })
  const phone = visit(url)
  const agent = { 'User-Agent': 'Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0' }
  assert.equal((await phone.post('/console/session', { email, password: owner.password }, agent)).status, 201)
  const card = page.getByRole('region', { name: 'Sessions' })

  await openPage(page, '/settings/account')
  await card.getByText('This browser').waitFor()
  await card.getByRole('button', { name: 'Sign out Firefox, Android' }).press('Enter')
  await card.getByText('Firefox, Android').waitFor({ state: 'detached' })
  assert.equal((await phone.get('/console/session')).status, 401)
  assert.equal((await api.get('/console/session')).status, 200)

  await api.post('/console/users', { full_name: 'Max Weber', email: 'max@acme.example' })
  await openPage(page, '/settings/users')
  await page.getByText('Password link not used yet').waitFor()
  await page.getByRole('button', { name: 'Revoke link' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await page.getByText('Password link not used yet').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Max Weber' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Email').fill('max.weber@acme.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('max.weber@acme.example').waitFor()
})

test('A chosen theme is remembered by the browser, is there before the page has its script, and can be left to the system', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const card = page.getByRole('region', { name: 'Appearance' })
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
  const main = /\/assets\/console-.*\.js$/

  await openPage(page, '/settings/account')
  await card.getByRole('button', { name: 'Dark', exact: true }).press('Enter')
  await card.locator('[aria-pressed="true"]', { hasText: 'Dark' }).waitFor()
  await idle(page)
  assert.equal(await scheme(), 'dark')
  await page.route(main, (route) => route.abort())
  await page.goto('/settings/account')
  await page.locator('.shell[aria-busy]').waitFor()
  assert.equal(await scheme(), 'dark')

  await page.unroute(main)
  await openPage(page, '/settings/account')
  await card.getByRole('button', { name: 'As the system' }).press('Enter')
  await card.locator('[aria-pressed="true"]', { hasText: 'As the system' }).waitFor()
  await idle(page)
  assert.equal(await scheme(), 'light dark')
  await page.reload()
  await card.locator('[aria-pressed="true"]', { hasText: 'As the system' }).waitFor()
  await idle(page)
  assert.equal(await scheme(), 'light dark')
})

test('The company page shows what is used of the plan, and leads to imports, keys, webhooks and the trash', {
  skip,
}, async (t) => {
  const { page, api, url, complaints } = await openConsole(t)
  await api.post('/api-v1-organizations', { name: 'Nordwind' })
  await page.route('**/*', limitOrganizations)

  await openPage(page, '/settings/company')
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByText('1 of 4').waitFor()
  await plan.locator('.meter').waitFor()
  for (const [name, path] of [
    ['Import', 'import'],
    ['API keys', 'keys'],
    ['Webhooks', 'webhooks'],
    ['Trash', 'trash'],
  ]) {
    await openPage(page, '/settings/company')
    await page.getByRole('region', { name: 'Data and programs' }).getByRole('link', { name }).press('Enter')
    await page.waitForURL(`${url}/${path}`)
  }
  assert.deepEqual(complaints, [])
})

/** Shows a limit of four organizations, which the plans of a new server do not have. */
async function limitOrganizations(route: Route): Promise<void> {
  if (!decodeURIComponent(route.request().url()).includes('/console/plan')) return route.fallback()
  const response = await route.fetch()
  const body = (await response.text()).replace(/"max_organizations":null/, '"max_organizations":4')
  return route.fulfill({ response, body })
}

test('The error of a user whose email is taken is at the email, which has the focus', { skip }, async (t) => {
  const { page, api } = await openConsole(t)
  const { email } = (await api.get('/console/session')).body.data.user
  await openPage(page, '/settings/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Full name').fill('Ada')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Add user' }).click()

  const field = dialog.locator('.field', { has: page.locator('[aria-invalid]:focus') })
  await field.getByText(`already has a user with the email ${email}`).waitFor()
  assert.equal(await field.getByLabel('Email').inputValue(), email)
})
