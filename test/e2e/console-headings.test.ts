import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
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
