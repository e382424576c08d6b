import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { reads } from './reads.ts'

const skip = withoutBrowser

/** Opens the page of a deal with a new line item, of which only the quantity is typed. */
async function typeQuantity(t: TestContext) {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Christmas' })
  await openPage(page, `/deals/${id}`)
  const table = page.getByRole('region', { name: 'Line items' })
  const quantity = table.getByLabel('Quantity, row 1', { exact: true })
  await table.getByRole('button', { name: 'Add line item' }).click()
  await quantity.fill('7')
  return { page, id, quantity, question: page.getByRole('dialog', { name: 'Discard what is not saved?' }) }
}

test('When a record cannot be read again after a change, its page stays with what is typed, and says so', {
  skip,
}, async (t) => {
  const { page, id, quantity } = await typeQuantity(t)
  const ofDeal = reads(new RegExp(`^/api-v1-deals/${id}(\\?|$)`))
  await page.route(ofDeal, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()))

  await page.getByRole('button', { name: 'Change Closes on' }).click()
  await page.getByRole('dialog').getByLabel('Closes on').fill('2027-03-01')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('main').getByText('The server cannot be reached').waitFor()
  assert.equal(await quantity.inputValue(), '7')

  await page.unroute(ofDeal)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('1 Mar 2027').waitFor()
  await idle(page)
  assert.equal(await page.getByText('The server cannot be reached').count(), 0)
  assert.equal(await quantity.inputValue(), '7')
})

test('The tabs of a record keep what is typed without asking, and leaving its page asks after that, too', {
  skip,
}, async (t) => {
  const { page, quantity, question } = await typeQuantity(t)

  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('region', { name: 'History' }).waitFor()
  await idle(page)
  assert.equal(await question.count(), 0)
  assert.equal(await quantity.inputValue(), '7')

  await page.getByRole('link', { name: 'Contacts' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await idle(page)
  assert.equal(await quantity.inputValue(), '7')
})

test('The search over every page asks before it leaves one with unsaved input, by keyboard and by click', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const name = page.getByRole('main').getByLabel('Name').first()
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  const search = async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search all records' }).fill('go to contacts')
    await page.getByRole('option', { name: 'Go to Contacts', selected: true }).waitFor()
  }
  await openPage(page, '/settings/company')
  await name.fill('Meyer Reisen')

  await search()
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await idle(page)
  assert.equal(await name.inputValue(), 'Meyer Reisen')
  await search()
  await page.getByRole('option', { name: 'Go to Contacts' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await idle(page)
  assert.equal(await name.inputValue(), 'Meyer Reisen')

  await search()
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
})

test('What is chosen in the search with the mouse is one step of the history', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/deals')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search all records' }).fill('go to contacts')
  await page.getByRole('option', { name: 'Go to Contacts' }).click()
  await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
  await idle(page)

  await page.goBack()

  await page.getByRole('heading', { name: 'Deals', exact: true }).waitFor()
})
