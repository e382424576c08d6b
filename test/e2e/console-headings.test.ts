import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

test('What an empty page says is the heading below that of the page, for those who go by headings', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/')
  for (const path of ['/trash', '/proposals', '/tasks', '/contacts/duplicates']) {
    await follow(page, path)
    await page.locator('main :is(h1, h2)').nth(1).waitFor()
    assert.deepEqual(await violationsOn(page, ['heading-order']), [], path)
  }
})

test('What an empty card says is a heading below that of the card', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'product', { name: 'Korb' }) // the workspace has a record
  for (const [path, title] of [
    ['/', 'Nothing closes soon'],
    ['/reports', 'No deal is open'],
  ] as const) {
    await openPage(page, path)
    await page.getByRole('heading', { name: title, level: 3 }).waitFor()
    assert.equal(await page.locator('.card > header h2').count(), await page.locator('.card h2').count(), path)
  }
})
