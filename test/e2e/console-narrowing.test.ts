import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('A search for the name of an organization offers its deals, on the list and on the board', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: organization_id } = await make(api, 'organization', { name: 'Weber GmbH' })
  await make(api, 'deal', { title: 'Hampers', organization_id })
  await make(api, 'deal', { title: 'Baskets' })
  for (const place of ['/deals', '/pipeline']) {
    await openPage(page, place)
    await page.getByRole('link', { name: 'Baskets' }).waitFor()
    await page.getByRole('searchbox').fill('weber')
    await page.getByRole('group', { name: 'Only for' }).getByRole('button', { name: 'Weber GmbH' }).click()
    await page.getByText('Organization Weber GmbH').waitFor()
    await page.getByRole('link', { name: 'Hampers' }).waitFor()
    await idle(page)
    assert.equal(await page.getByRole('link', { name: 'Baskets' }).count(), 0)
    assert.equal(await page.getByRole('searchbox').inputValue(), '')
  }
})

test('A board on which nothing matches says so, and clears the search', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, '/pipeline?q=umbrella')
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await page.getByRole('link', { name: 'Hampers' }).waitFor()
  await idle(page)
  assert.equal(await page.getByText('Nothing matches').count(), 0)
})

test('Filters take a period, no date at all, a range of values, me and nobody', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await idle(page)
  const today = await page.evaluate<string>("new Date().toLocaleDateString('sv')")
  const me = (await api.get('/console/session')).body.data.user.id
  const deals = [
    { title: 'Today', expected_close_date: today, value: 100, assigned_to: me },
    { title: 'Never', value: 200 },
    { title: 'Later', expected_close_date: '2999-01-01', value: 300 },
  ]
  for (const deal of deals) await make(api, 'deal', deal)
  const dialog = page.getByRole('dialog')
  const titles = async (choose: () => Promise<unknown>) => {
    await openPage(page, '/deals')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await choose()
    await dialog.getByRole('button', { name: 'Show' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.card[aria-busy=false] tbody [data-column=title]').first().waitFor()
    await idle(page)
    return (await page.locator('.records tbody [data-column=title]').allInnerTexts()).map((text) => text.trim()).sort()
  }
  const closing = dialog.getByRole('combobox', { name: 'Closes on', exact: true })

  assert.deepEqual(await titles(() => closing.selectOption('This month')), ['Today'])
  await idle(page)
  assert.match(page.url(), /expected_close_date%5Bgte%5D=\d{4}-\d\d-01&/)
  assert.deepEqual(await titles(() => closing.selectOption('Without a date')), ['Never'])
  const least = dialog.getByRole('textbox', { name: 'Value from' })
  assert.deepEqual(await titles(() => least.fill('200')), ['Later', 'Never'])
  const mine = dialog.getByRole('button', { name: '(Owner)' }).first()
  assert.deepEqual(await titles(() => mine.click()), ['Today'])
  const nobody = dialog.getByRole('button', { name: 'Nobody (Owner)' })
  assert.deepEqual(await titles(() => nobody.click()), ['Later', 'Never'])
})

test('The list of deals sums what it finds, by currency', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const values = [
    ['A', 100, 'EUR'],
    ['B', 50, 'EUR'],
    ['C', 70, 'USD'],
  ]
  for (const [title, value, currency] of values) await make(api, 'deal', { title, value, currency })
  await openPage(page, '/deals')
  const sums = page.locator('.toolbar .total')
  await sums.getByRole('link', { name: '€150' }).waitFor()
  await sums.getByText('+1').click()
  await sums.getByRole('link', { name: '$70' }).click()
  await page.getByText('Currency USD').waitFor()
  await page.getByRole('link', { name: 'A', exact: true }).waitFor({ state: 'detached' })
  await sums.getByRole('link', { name: '$70' }).waitFor()
  await page.getByRole('link', { name: 'C', exact: true }).waitFor()
})

test('The sum over the list of deals follows what the user changes and deletes in the list', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  for (const title of ['A', 'B']) await make(api, 'deal', { title, value: 100, currency: 'EUR' })
  await openPage(page, '/deals')
  const sum = (text: string) => page.locator('.toolbar .total').getByRole('link', { name: text, exact: true }).waitFor()
  await sum('€200')

  await page.getByRole('row', { name: 'B' }).locator('[data-column=value]').dblclick()
  await page.getByRole('dialog').getByLabel('Value').fill('40')
  await page.getByRole('button', { name: 'Save' }).click()
  await sum('€140')
  await page.getByLabel('Select A').check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await sum('€40')
})
