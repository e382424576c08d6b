import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Ctrl+K searches all records, and the arrow keys and Enter open one', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'organization', { name: 'Zanzibar Ltd', city: 'Munich' })
  await make(api, 'deal', { title: 'For zanzibar' })
  await openPage(page, '/tasks')
  await page.getByRole('heading', { name: 'Tasks' }).first().waitFor()

  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search all records' })
  await box.fill('zanz')
  const options = page.getByRole('listbox', { name: 'Matches' }).getByRole('option')
  await options.nth(1).waitFor()

  await idle(page)
  assert.match(await options.nth(0).innerText(), /^Zanzibar Ltd\s+Munich$/)
  assert.equal(await options.nth(0).getAttribute('aria-selected'), 'true')
  assert.match(await options.nth(1).innerText(), /^For zanzibar/)
  await box.press('ArrowDown')
  await idle(page)
  assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true')
  assert.equal(await box.getAttribute('aria-activedescendant'), await options.nth(1).getAttribute('id'))
  await box.press('Enter')
  await page.getByRole('heading', { name: 'For zanzibar' }).first().waitFor()
  await idle(page)
  assert.match(page.url(), /\/deals\/[\da-f-]{36}$/)
  assert.equal(await box.count(), 0)
  assert.deepEqual(complaints, [])
})

test('Enter pressed before the matches arrive opens the best one, and Escape closes the search', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  await openPage(page, '/')

  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const box = page.getByRole('combobox', { name: 'Search all records' })
  await box.fill('nobody')
  await page.getByText('Nothing matches').waitFor()
  await box.press('Escape')
  await box.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await box.fill('web ada')
  await box.press('Enter')

  await page.getByRole('heading', { name: 'Ada Weber' }).first().waitFor()
  await idle(page)
  assert.match(page.url(), /\/contacts\//)
})

test('A result shows what matched, such as the phone number of which a part was searched', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const phones = [{ phone_number: '+49 431 5550 1789', type: 'work', is_primary: true }]
  await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber', phones })
  await openPage(page, '/deals')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search all records' }).fill('55501789')
  await page.getByRole('option', { name: /^Ada Weber.*\+49 431 5550 1789/ }).waitFor()
  await page.getByRole('combobox', { name: 'Search all records' }).fill('Ada')
  await page.getByRole('option', { name: 'Ada Weber', exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('searchbox').fill('55501789')
  await page
    .getByRole('group', { name: 'Only for' })
    .getByRole('button', { name: /5550 1789/ })
    .waitFor()
  await page.getByRole('button', { name: 'New deal' }).first().click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Contact' }).fill('55501789')
  await page.getByRole('option', { name: /^Ada Weber.*\+49 431 5550 1789/ }).waitFor()
})
