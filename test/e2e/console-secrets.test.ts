import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { follow, idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Begins to create a key on a page, leaves the page before the response, and returns the secret that is shown then. */
async function leaveWhileMaking(t: TestContext, path: string, begin: (page: Page) => Promise<void>) {
  const { api, page, complaints } = await openConsole(t)
  await openPage(page, '/contacts')
  await follow(page, path)
  const release = await hold(page, '**/api-v1-keys', 'POST')
  await begin(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create key' }).click()
  await sent
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
  release('continue')
  const shown = page.getByRole('dialog', { name: 'CI is ready' })
  await shown.waitFor()
  await page.keyboard.press('Escape')
  await idle(page)
  const secret = await shown.locator('code').innerText()
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await shown.waitFor({ state: 'detached' })
  const [made] = (await api.get('/api-v1-keys?name=CI')).body.data
  assert.ok(secret.startsWith(made.prefix))
  assert.deepEqual(complaints, [])
}

test('The secret of a key is shown although the user has left the page that makes it', { skip }, async (t) => {
  await leaveWhileMaking(t, '/keys', async (page) => {
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('CI')
  })
})

test('The secret of a key for an agent is shown although the user has left the page that makes it', {
  skip,
}, async (t) => {
  await leaveWhileMaking(t, '/agents', (page) => page.getByLabel('Name').fill('CI'))
})
