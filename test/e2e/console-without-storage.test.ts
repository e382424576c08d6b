import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, openPage } from '../support/page.ts'

/** What a browser does that may not store anything for this server. */
const forbidden = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError') } })`

test('In a browser that may store nothing but cookies, the console works and forgets what it would remember', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await page.addInitScript(forbidden)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await openPage(page, `/organizations/${id}`)
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()
  await page.getByLabel('Subject').fill('Called')
  await page.getByRole('button', { name: 'Log note' }).click()
  await page.getByRole('main').getByText('Called').waitFor()
  for (const path of ['/', '/pipeline', '/organizations', '/settings/account']) await follow(page, path)
  await page.getByRole('button', { name: 'Dark', exact: true }).click()
  assert.equal(await page.locator(':root').getAttribute('data-theme'), 'dark')
  await openPage(page, '/organizations')
  assert.equal(await page.locator(':root').getAttribute('data-theme'), null)
  await page.getByRole('button', { name: 'Compact rows' }).click()
  await page.getByRole('button', { name: 'Roomy rows' }).click()
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('A draft for which the browser has no room stays on the page, which says so and asks before it is left', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await openPage(page, `/organizations/${id}`)
  await page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2) {
    try { sessionStorage.setItem('full' + size, 'x'.repeat(size)) } catch {}
  }`)
  await page.getByLabel('Subject').fill('Called about the offer')
  const said = page.getByText('The browser’s storage is full')
  await said.waitFor()

  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Called about the offer')
  await page.getByRole('button', { name: 'Log note' }).click()

  await page.getByRole('main').getByText('Called about the offer').waitFor()
  await said.waitFor({ state: 'detached' })
  await follow(page, '/contacts')
})
