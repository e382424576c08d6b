import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { idle, openPage } from '../support/page.ts'
import { password } from '../support/visitor.ts'

const skip = withoutBrowser

const expired = 'This link is no longer valid: ask for a new one'

/** Whether the heading of the page has the focus. */
const isAtHeading = (page: Page) => page.evaluate<boolean>("document.activeElement.matches('main h1')")

test('A link works in one of two tabs; a newer one that is opened in the other tab works there', {
  skip,
}, async (t) => {
  const { api, page, context } = await openConsole(t)
  const email = `zoe-${Date.now()}@acme.example`
  const { user, invitation } = (await api.post('/console/users', { full_name: 'Zoe', email })).body.data
  const second = await context.newPage()
  await openPage(page, `/invitation#${invitation}`)
  await openPage(second, `/invitation#${invitation}`)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Your account: Zoe' }).waitFor()
  await idle(page)
  assert.ok(await isAtHeading(page))

  await second.getByLabel('Password').fill(password)
  await second.keyboard.press('Enter')
  await second.getByText(expired).waitFor()
  await second.reload()
  await second.getByText(expired).waitFor()
  const newer = (await api.post(`/console/users/${user.id}/invitation`)).body.data.invitation
  await second.goto(`/invitation#${newer}`) // only the part after # differs: no page is loaded
  await second.getByLabel('Password').fill('another horse battery')
  await second.keyboard.press('Enter')
  await second.getByRole('button', { name: 'Your account: Zoe' }).waitFor()
})

test('After signing in, the heading of the page has the focus', { skip }, async (t) => {
  const { api, page, context } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  const email = `ada-${user.id}@acme.example`
  await api.patch('/console/account', { email, current_password: password })
  await context.clearCookies()
  await openPage(page, '/deals')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Deals', exact: true }).waitFor()
  await idle(page)

  assert.ok(await isAtHeading(page))
})
