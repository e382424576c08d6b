import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { goFollowing, idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const cell = (table: Locator, name: string) => table.getByLabel(`${name}, row 1`, { exact: true })

test('What somebody else has written into a cell while one types into it is not overwritten without a word', {
  skip: withoutBrowser,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { live: true })
  const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
  const item = await make(api, 'line_item', { deal_id: deal.id, name: 'Hamper', unit_price: 10 })
  const path = `/api-v1-line-items/${item.id}`
  const stored = async () => {
    const { quantity, unit_price } = (await api.get(path)).body.data
    return [quantity, unit_price]
  }
  await goFollowing(page, `/deals/${deal.id}`)
  const table = page.getByRole('region', { name: 'Line items' })
  const quantity = cell(table, 'Quantity')

  await quantity.fill('3')
  await api.patch(path, { quantity: 7 })
  await table.getByText('€70').first().waitFor() // the table shows theirs
  await quantity.press('Enter')
  await table.getByText('Somebody else has changed it. Enter saves yours, Escape takes theirs.').waitFor()
  assert.deepEqual(await stored(), [7, 10])
  await quantity.press('Enter')
  await until('mine is saved', async () => (await stored())[0] === 3)
  await idle(page)

  await quantity.fill('4')
  await api.patch(path, { unit_price: 20 }) // another cell is not in the way
  await table.getByText('€60').first().waitFor()
  await quantity.press('Enter')
  await until('mine is saved', async () => (await stored())[0] === 4)
  await table.getByText('All saved.').waitFor()
  assert.deepEqual(await stored(), [4, 20])
  assert.deepEqual(complaints, [])
})

test('What is typed into a line item that somebody else deletes stays, with the reason why it cannot be saved, until it is taken back', {
  skip: withoutBrowser,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { live: true })
  const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
  const [first] = [
    await make(api, 'line_item', { deal_id: deal.id, name: 'Hamper', unit_price: 10 }),
    await make(api, 'line_item', { deal_id: deal.id, name: 'Vase', unit_price: 5 }),
  ]
  await goFollowing(page, `/deals/${deal.id}`)
  const table = page.getByRole('region', { name: 'Line items' })
  const name = cell(table, 'Name')

  await name.fill('Hamper with wine')
  await api.delete(`/api-v1-line-items/${first.id}`)
  await table.locator('footer').getByText('€5').waitFor()
  assert.equal(await name.inputValue(), 'Hamper with wine')
  await name.press('Enter')
  await table.getByText('The line item was deleted in the meantime.').waitFor()
  assert.equal(await name.inputValue(), 'Hamper with wine')

  await name.press('Escape')
  await until('the row is gone', async () => (await name.inputValue()) === 'Vase')
  await table.getByText('All saved.').waitFor()
  assert.deepEqual(complaints, [])
})

test('A cell whose answer was lost is saved again, and nobody else has changed it', {
  skip: withoutBrowser,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Christmas', currency: 'EUR' })
  const item = await make(api, 'line_item', { deal_id: deal.id, name: 'Hamper', unit_price: 10 })
  await openPage(page, `/deals/${deal.id}`)
  const table = page.getByRole('region', { name: 'Line items' })
  const quantity = cell(table, 'Quantity')
  let sent = 0
  await page.route(`**/api-v1-line-items/${item.id}`, async (route) => {
    if (route.request().method() !== 'PATCH' || ++sent > 1) return route.fallback()
    await route.fetch()
    await route.abort()
  })

  await quantity.fill('3')
  await quantity.press('Enter') // which leaves the row, too: that sends again what was not saved
  await until('it was sent again', () => sent === 2)

  await table.getByText('All saved.').waitFor()
  assert.equal(await quantity.inputValue(), '3')
  assert.equal((await api.get(`/api-v1-line-items/${item.id}`)).body.data.quantity, 3)
})
