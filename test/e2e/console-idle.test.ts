import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const busyWith = (page: Page) => page.locator(':root').getAttribute('data-busy')
const names = (page: Page) => page.getByRole('rowheader').allInnerTexts()

test('A page says what it waits for until its data is shown', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Alpha' }, { name: 'Beta' })
  const release = await hold(page, /api-v1-organizations/, 'GET')

  await page.goto('/organizations?sort=name', { waitUntil: 'commit' })
  await page.waitForRequest(/api-v1-organizations/)
  const during = await busyWith(page)
  release('continue')
  await idle(page)

  assert.match(during!, /GET \/api-v1-organizations/)
  assert.deepEqual(await names(page), ['Alpha', 'Beta'])
})

test('A page is busy from a click, a key or typed text until it shows what follows', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Alpha' }, { name: 'Beta' })
  await openPage(page, '/organizations?sort=name')

  await page.getByRole('searchbox').first().fill('bet')
  await idle(page)
  const found = await names(page)
  await page.getByRole('searchbox').first().fill('')
  await idle(page)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await idle(page)
  const sorted = await names(page)
  await page.getByRole('link', { name: 'Beta' }).click()
  await idle(page)
  const heading = await page.getByRole('heading', { level: 1 }).innerText()
  await page.keyboard.press('Control+k')
  await idle(page)

  assert.deepEqual([found, sorted, heading], [['Beta'], ['Beta', 'Alpha'], 'Beta'])
  assert.equal(await page.getByRole('dialog').count(), 1)
})

test('A page that follows the changes of others is idle meanwhile', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const streams = page.waitForRequest((request) => request.headers().accept === 'text/event-stream')
  await openPage(page, '/organizations')
  await streams

  await idle(page)
  await make(api, 'organization', { name: 'Alpha' })

  await page.getByRole('rowheader', { name: 'Alpha' }).waitFor()
  await idle(page)
})

test('A page whose requests fail is idle', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/')
  await page.route(/api-v1-|console\/read/, (route) => route.abort())

  await page.getByRole('link', { name: 'Organizations' }).click()
  await idle(page)

  assert.match(await page.getByRole('main').innerText(), /cannot be reached/)
})
