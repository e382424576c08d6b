import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { article, copyWith } from '../guard/new-resource.ts'
import { withoutBrowser } from '../support/browser.ts'
import { chooseMore, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const main = (page: Page) => page.getByRole('main')
const namesIn = (page: Page) => main(page).getByRole('rowheader').allInnerTexts()

test('A resource that is added to the definitions has a menu entry, a list, a form and record pages', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, {
    program: [process.execPath, join(copyWith(t, article), 'src/main.ts')],
  })
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  for (const data of [
    { name: 'Honey', price: 7.5, is_active: false },
    { name: 'Jam', sku: 'J-1', price: 4 },
  ]) {
    await page.request.post('/api-v1-articles', { data, headers: { 'Kontor-Environment': 'live' } })
  }
  await openPage(page, '/')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Articles' }).click()
  await main(page).getByRole('heading', { name: 'Articles' }).waitFor()
  await main(page).getByRole('button', { name: 'New article' }).click()
  const dialog = page.getByRole('dialog', { name: 'New article' })
  await dialog.waitFor()
  await idle(page)
  assert.equal(await dialog.locator('textarea').count(), 1)
  await dialog.getByLabel('Price').fill('-1')
  await dialog.getByLabel('Sku').fill('j-1')
  await dialog.getByRole('button', { name: 'Create article' }).click()
  await dialog.getByText('Name is required').waitFor()
  await idle(page)
  await dialog.getByLabel('Name').first().fill('Gift basket')
  await dialog.getByLabel('Price').fill('49.9')
  await dialog.getByText('€49.90').waitFor()
  await dialog.getByLabel('Channels').selectOption(['shop', 'web'])
  await dialog.getByLabel('Organization').fill('Nordw')
  await dialog.getByRole('option', { name: 'Nordwind' }).click()
  await dialog.getByRole('button', { name: 'Create article' }).click()
  await dialog.getByText('Article with this sku already exists').waitFor()
  await dialog.getByLabel('Sku').fill('G-1')
  await dialog.getByRole('button', { name: 'Create article' }).click()

  await main(page).getByRole('heading', { name: 'Gift basket', level: 1 }).waitFor()
  await main(page).getByText('€49.90').waitFor()
  await main(page).getByText('Shop, Web').waitFor()
  await idle(page)
  assert.equal(await main(page).getByRole('region', { name: 'Activity' }).count(), 0)
  await main(page).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('With honey\nand jam')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await main(page).getByRole('region', { name: 'Details' }).getByText('and jam').waitFor()

  await main(page).getByRole('link', { name: 'Nordwind' }).click()
  await page.waitForURL(`**/organizations/${id}`)
  await main(page).getByRole('region', { name: 'Articles' }).getByRole('link', { name: 'Gift basket' }).waitFor()

  await openPage(page, '/articles')
  await main(page).getByText('1–3 of 3').waitFor()
  await main(page).getByRole('button', { name: 'Price' }).click()
  await page.waitForURL('**/articles?sort=price')
  await main(page).locator('[aria-busy=false]').waitFor()
  await idle(page)
  assert.deepEqual(await namesIn(page), ['Jam', 'Honey', 'Gift basket'])
  await main(page).getByRole('searchbox', { name: 'Search by name or sku' }).fill('g-1')
  await main(page).getByRole('rowheader', { name: 'Jam' }).waitFor({ state: 'detached' })
  await idle(page)
  assert.deepEqual(await namesIn(page), ['Gift basket'])

  await openPage(page, '/articles')
  await main(page).getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('dialog').getByLabel('Price from').fill('5')
  await page.getByRole('dialog').getByLabel('Is active').selectOption('false')
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click()
  await main(page).getByRole('rowheader', { name: 'Jam' }).waitFor({ state: 'detached' })
  await idle(page)
  assert.deepEqual(await namesIn(page), ['Honey'])

  await main(page).getByRole('link', { name: 'Honey' }).click()
  await chooseMore(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/articles')
  assert.deepEqual(complaints, [])
})
