import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { assertError } from '../support/client.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { bundle, launch } from '../support/program.ts'
import { password } from '../support/visitor.ts'
import { alterReads, reads } from './reads.ts'

const skip = withoutBrowser

test('A part of the page that throws shows the error and the unsaved input; the rest still works', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Grace' })
  await openPage(page, `/contacts/${id}`)
  await page.getByLabel('Subject').fill('Half a sentence')

  // A response that the server never sends and the page cannot show.
  const broken = { data: { id, first_name: 'Grace', contact_emails: null } }
  await page.route(`**/api-v1-contacts/${id}`, (route) => route.fulfill({ json: broken }))
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Job title').fill('Admiral')
  await page.getByRole('button', { name: 'Save' }).click()

  const crash = page.getByRole('alert')
  await crash.getByRole('heading', { name: 'Something went wrong on this page' }).waitFor()
  await crash.getByText('Half a sentence').waitFor()
  await page.unroute(`**/api-v1-contacts/${id}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Grace' }).waitFor()
})

test('After a page has thrown, other pages work', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Grace' })
  const broken = { data: { id, first_name: 'Grace', contact_emails: null } }
  await alterReads(page, /api-v1-contacts\/./, () => ({ status: 200, body: broken }))
  await openPage(page, `/contacts/${id}`)
  await page.getByRole('heading', { name: 'Something went wrong on this page' }).waitFor()

  await page.getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
})

test('An unreachable server is reported, at the start and after a click', { skip }, async (t) => {
  const { page, context } = await openConsole(t, { fresh: true })
  const cookies = await context.cookies()
  await context.clearCookies() // as after a link on another site: the page must request the session
  await page.route(reads(/console.session/), (route) => route.abort())
  await openPage(page, '/')
  await page.getByText('The server cannot be reached').waitFor()
  await page.unrouteAll()
  await context.addCookies(cookies)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor()

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('.toast').getByText('The server cannot be reached').waitFor()
})

test('Signing out everywhere ends every session of the user, including this one', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/settings/account')

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()

  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assertError(await api.get('/console/session'), 401, 'UNAUTHORIZED')
})

test('A key can be copied without clipboard access, such as over HTTP from another machine', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('CI')
  await page.getByRole('button', { name: 'Create key' }).click()
  await idle(page)
  const key = await page.locator('.secret code').innerText()

  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()

  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('searchbox').press('Control+V')
  await idle(page)
  assert.equal(await page.getByRole('searchbox').inputValue(), key)
})

for (const [what, args, sign, deals] of [
  ['A sandbox without data', [], 'Set up', 'No deals yet'],
  ['A sandbox with the demo data', ['--seed', 'demo'], 'Save and sign in', 'Christmas hampers'],
] as const) {
  test(`${what} prints a link that opens the console`, { skip }, async (t) => {
    const { child, first } = await launch(t, bundle, ['sandbox', ...args], { stderr: 'pipe' })
    const [line] = await once(createInterface({ input: child.stderr! }), 'line')
    const [link] = /http\S+/.exec(line)!
    const { page, complaints } = await openScreen(t, first.url!)

    await openPage(page, link)
    await page.getByLabel('Password').fill(password)
    if (args.length === 0) {
      await page.getByLabel('Your name').fill('Ada')
      await page.getByLabel('Email').fill('ada@acme.example')
    }
    await page.getByRole('button', { name: sign }).click()
    await page.getByText('Test data').waitFor()
    await page.getByRole('link', { name: 'Deals', exact: true }).click()

    await page.getByText(deals).first().waitFor()
    assert.deepEqual(complaints, [])
  })
}
