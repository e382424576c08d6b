import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, owner } from '../support/console.ts'
import { openPage } from '../support/page.ts'

test('A person with users in several companies who signs in again comes back to the company of the page, with the unsaved input', {
  skip: withoutBrowser,
}, async (t) => {
  const elsewhere = await openConsole(t)
  const { api, page, context } = await openConsole(t, { fresh: true })
  const account = { email: `ada-${randomUUID()}@acme.example`, current_password: owner.password }
  for (const user of [elsewhere.api, api]) assert.equal((await user.patch('/console/account', account)).status, 200)
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create organization' }).click()

  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByLabel('Password').fill(owner.password)
  await again.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Typed before' }).waitFor()
  assert.equal((await api.get('/api-v1-organizations')).body.data[0].name, 'Typed before')
})
