import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

type Api = Awaited<ReturnType<typeof openConsole>>['api']

async function itemsOf(api: Api, dealId: string): Promise<unknown[][]> {
  const { body } = await api.get(`/api-v1-line-items?filter[deal_id]=${dealId}`)
  return body.data.map(({ name, quantity, unit_price, total }: Record<string, unknown>) => [
    ...[name, quantity, unit_price, total],
  ])
}

const tableOf = (page: Page) => page.getByRole('region', { name: 'Line items' })
const cell = (table: Locator, name: string, row: number) => table.getByLabel(`${name}, row ${row}`, { exact: true })

const focused = (page: Page, table: Locator, name: string, row: number) =>
  cell(table, name, row).and(page.locator(':focus')).waitFor()

/** Resolves when the items are these, as `[name, quantity, unit price, total]`, and the page shows that they are saved. */
async function untilSaved(page: Page, api: Api, dealId: string, expected: unknown[][]): Promise<void> {
  const text = JSON.stringify(expected)
  await until(`the items are ${text}`, async () => JSON.stringify(await itemsOf(api, dealId)) === text)
  await tableOf(page).getByText('All saved.').waitFor()
  await idle(page)
}

test('Line items are typed by keyboard: a product found by letters, Tab to its quantity, Enter to the next row and to a new one', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'product', { name: 'Hamper', sku: 'XM-01', price: 49.9, currency: 'EUR' })
  const deal = await make(api, 'deal', { title: 'Christmas', value: 5, currency: 'EUR' })
  await openPage(page, `/deals/${deal.id}`)
  const table = tableOf(page)

  await table.getByRole('button', { name: 'Add line item' }).click()
  await focused(page, table, 'Product', 1)
  await page.keyboard.type('ham')
  await page.getByRole('option', { name: 'Hamper' }).waitFor()
  await page.keyboard.press('Enter')
  await untilSaved(page, api, deal.id, [['Hamper', 1, 49.9, 49.9]])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await focused(page, table, 'Product', 2)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Delivery')
  await page.keyboard.press('Tab')
  await untilSaved(page, api, deal.id, [
    ['Hamper', 20, 49.9, 998],
    ['Delivery', 1, 0, 0],
  ])
  await page.keyboard.press('Tab')
  await page.keyboard.type('12.345')
  await page.keyboard.press('Tab')
  await cell(table, 'Unit price', 2).and(page.locator('[aria-invalid]')).waitFor()
  await table.getByText('This may mean').waitFor()
  await cell(table, 'Unit price', 2).fill('12.35')
  await page.keyboard.press('Enter')
  await untilSaved(page, api, deal.id, [
    ['Hamper', 20, 49.9, 998],
    ['Delivery', 1, 12.35, 12.35],
  ])
  assert.equal((await api.get(`/api-v1-deals/${deal.id}`)).body.data.value, 1010.35)
  await table.getByText('€1,010.35').waitFor()
  assert.deepEqual(complaints, [])
})

test('Each change of a line item is one undo, Escape takes a cell back, and arrows move up and down', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
  for (const [position, name] of ['One', 'Two', 'Three'].entries()) {
    await make(api, 'line_item', { deal_id: deal.id, name, unit_price: position + 1, position: 0 })
  }
  await openPage(page, `/deals/${deal.id}`)
  const table = tableOf(page)
  const quantity = cell(table, 'Quantity', 2)

  await cell(table, 'Quantity', 1).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('7')
  await page.keyboard.press('Escape')
  assert.equal(await quantity.inputValue(), '1')
  await page.keyboard.type('8')
  await table.getByText('Not all is saved.').waitFor()
  await page.keyboard.press('ArrowDown')
  await untilSaved(page, api, deal.id, [
    ['One', 1, 1, 1],
    ['Two', 8, 2, 16],
    ['Three', 1, 3, 3],
  ])

  await page.keyboard.type('5')
  await page.keyboard.press('Control+z')
  assert.equal(await cell(table, 'Quantity', 3).inputValue(), '1')
  await page.keyboard.press('Control+z')
  await page.getByText('Undone.', { exact: true }).waitFor()
  await idle(page)
  assert.equal(await quantity.inputValue(), '1')
  assert.deepEqual((await itemsOf(api, deal.id))[1], ['Two', 1, 2, 2])

  await table.getByRole('button', { name: 'Actions of row 3' }).click()
  await page.getByRole('button', { name: 'Move up' }).click()
  await page.getByText('Moved.').waitFor()
  await idle(page)
  assert.deepEqual(
    (await itemsOf(api, deal.id)).map(([name]) => name),
    ['One', 'Three', 'Two'],
  )
  assert.equal(await cell(table, 'Name', 2).inputValue(), 'Three')
  await table.getByRole('button', { name: 'Actions of row 1' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('One deleted.').waitFor()
  await idle(page)
  assert.deepEqual(
    (await itemsOf(api, deal.id)).map(([name]) => name),
    ['Three', 'Two'],
  )
  assert.deepEqual(complaints, [])
})

test('Errors of line items are at their cells, numbers keep all their digits, and what a colleague changed is not overwritten', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'product', { name: 'Dinar hamper', price: 5, currency: 'KWD' })
  const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
  const one = { deal_id: deal.id, name: 'One', quantity: 1, unit_price: 1, position: 3 }
  const item = await make(api, 'line_item', one)
  await openPage(page, `/deals/${deal.id}`)
  const table = tableOf(page)

  await cell(table, 'Discount percent', 1).fill('101')
  await page.keyboard.press('Enter')
  await table.getByText('Discount percent must be from 0 to 100').waitFor()
  await cell(table, 'Discount percent', 1).focus()
  await page.keyboard.press('Escape')
  await table.getByText('Discount percent must be from 0 to 100').waitFor({ state: 'detached' })
  await cell(table, 'Unit price', 1).fill('123456789012.345678')
  await page.keyboard.press('Tab')
  await untilSaved(page, api, deal.id, [['One', 1, Number('123456789012.345678'), 123456789012.35]])
  assert.equal(await cell(table, 'Unit price', 1).inputValue(), '123456789012.345678')

  await api.patch(`/api-v1-line-items/${item.id}`, { quantity: 5 })
  await cell(table, 'Quantity', 1).fill('3')
  await page.keyboard.press('Tab')
  await table.getByText('Somebody else has changed it.').waitFor()
  assert.equal((await api.get(`/api-v1-line-items/${item.id}`)).body.data.quantity, 5)
  await cell(table, 'Quantity', 1).focus()
  await page.keyboard.press('Escape')
  await idle(page)
  assert.equal(await cell(table, 'Quantity', 1).inputValue(), '5')

  await table.getByRole('button', { name: 'Add line item' }).click()
  await focused(page, table, 'Product', 2)
  await page.keyboard.type('dinar')
  await page.getByRole('option', { name: 'Dinar hamper' }).click()
  await table.getByText('The product has a price in KWD').waitFor()
  assert.equal((await itemsOf(api, deal.id)).length, 1)
  await cell(table, 'Unit price', 2).fill('17')
  await page.keyboard.press('Tab')
  await untilSaved(page, api, deal.id, [
    ['One', 5, Number('123456789012.345678'), 617283945061.73],
    ['Dinar hamper', 1, 17, 17],
  ])

  await cell(table, 'Product', 1).fill('dinar')
  await page.getByRole('option', { name: 'Dinar hamper' }).click()
  await page.keyboard.press('Tab')
  await untilSaved(page, api, deal.id, [
    ['Dinar hamper', 5, Number('123456789012.345678'), 617283945061.73],
    ['Dinar hamper', 1, 17, 17],
  ])
})

test('A cell that is refused holds up no other one, and a cell is not saved while one types into it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
  await openPage(page, `/deals/${deal.id}`)
  const table = tableOf(page)

  const create = await hold(page, '**/api-v1-line-items', 'POST')
  await table.getByRole('button', { name: 'Add line item' }).click()
  await focused(page, table, 'Product', 1)
  await page.keyboard.press('Tab')
  for (const text of ['License', '7']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('12')
  create('continue')
  await until('the row is saved', async () => JSON.stringify(await itemsOf(api, deal.id)) === '[["License",7,0,0]]')
  await page.keyboard.type('50')

  const change = await hold(page, '**/api-v1-line-items/*', 'PATCH')
  await page.keyboard.press('Tab')
  change('abort')
  await cell(table, 'Unit price', 1).and(page.locator('[aria-invalid]')).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.keyboard.type('101')
  await page.keyboard.press('Tab')
  await table.getByText('Discount percent must be from 0 to 100').waitFor()
  await until('the price is saved', async () => JSON.stringify(await itemsOf(api, deal.id)).includes('1250'))
  await cell(table, 'Discount percent', 1).fill('10')
  await page.keyboard.press('Tab')
  await untilSaved(page, api, deal.id, [['License', 7, 1250, 7875]])
})

for (const { width, locale, title } of [
  { width: 1280, locale: 'en-US', title: 'wide' },
  { width: 360, locale: 'de-DE', title: 'of 360 px, in German' },
]) {
  test(`Line items fit a window ${title}, and axe finds nothing`, { skip }, async (t) => {
    const { api, page } = await openConsole(t, { width, locale })
    const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
    await make(api, 'line_item', { deal_id: deal.id, name: 'One', quantity: 3, unit_price: 1_250.5 })
    await make(api, 'line_item', { deal_id: deal.id, name: 'Two', quantity: 1, unit_price: 0.25 })
    await openPage(page, `/deals/${deal.id}`)
    const table = page.getByRole('region', { name: locale === 'de-DE' ? 'Positionen' : 'Line items' })
    await table.getByRole('button', { name: locale === 'de-DE' ? 'Position hinzufügen' : 'Add line item' }).click()
    await idle(page)

    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/items-${width}.png`, fullPage: true })
    assert.deepEqual(await violationsOn(page), [])
    assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= width)
  })
}
