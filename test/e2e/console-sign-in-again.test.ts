import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, owner } from '../support/console.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Ends the session of a person with a user in each of two companies, during the form of a new organization. */
async function interrupt(t: TestContext) {
  const elsewhere = await openConsole(t)
  const { api, page, context } = await openConsole(t, { fresh: true })
  const email = `ada-${randomUUID()}@acme.example`
  for (const user of [elsewhere.api, api]) {
    const { status } = await user.patch('/console/account', { email, current_password: owner.password })
    assert.equal(status, 200)
  }
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create organization' }).click()
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  const signIn = async (password: string) => {
    await again.getByLabel('Password').fill(password)
    await again.getByRole('button', { name: 'Sign in' }).click()
  }
  return { api, page, elsewhere, email, again, signIn }
}

test('A person with users in several companies who signs in again comes back to the company of the page, with the unsaved input', {
  skip,
}, async (t) => {
  const { api, page, signIn } = await interrupt(t)

  await signIn(owner.password)

  await page.getByRole('heading', { name: 'Typed before' }).waitFor()
  assert.equal((await api.get('/api-v1-organizations')).body.data[0].name, 'Typed before')
})

test('Signing in again with the password of another company stays on the page and says which password is needed', {
  skip,
}, async (t) => {
  const { page, elsewhere, email, again, signIn } = await interrupt(t)
  const passwords = { current_password: owner.password, new_password: 'another long password' }
  assert.equal((await elsewhere.api.post('/console/password', passwords)).status, 200)

  for (const given of [email, email.toUpperCase()]) {
    await again.getByLabel('Email').fill(given)
    await signIn(passwords.new_password)
    await again.getByText('This is not your password for Acme.').waitFor()
    await again.getByLabel('Password').fill('')
  }
  await signIn(owner.password)

  await page.getByRole('heading', { name: 'Typed before' }).waitFor()
})
