import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const rows = async (page: Page) => (await page.getByRole('row').getByRole('link').allInnerTexts()).slice(0, 9)
const viewIn = (page: Page) => new URL(page.url()).searchParams.get('view')

test('The filters and the order of a list are saved as a view, chosen again, and deleted', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deals = [10, 40, 20, 30].map((value) => ({ title: `Deal ${value}`, value }))
  await make(api, 'deal', ...deals)
  await openPage(page, '/deals?value[gte]=20&sort=-value')
  await page.getByText('1–3 of 3').waitFor()

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Large deals')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/deals\?view=[\w-]+$/)
  await page.getByText('1–3 of 3').waitFor()
  const id = viewIn(page)!
  const { data } = (await api.get(`/api-v1-views/${id}`)).body

  assert.deepEqual(
    [data.name, data.filter, data.sort, data.visibility],
    ['Large deals', 'value%5Bgte%5D=20', '-value', 'personal'],
  )
  await idle(page)
  assert.deepEqual(await page.getByLabel('View', { exact: true }).locator('option:checked').allInnerTexts(), [
    'Large deals',
  ])
  await page.getByLabel('View', { exact: true }).selectOption('')
  await page.getByText('1–4 of 4').waitFor()
  assert.equal(viewIn(page), null)
  await page.getByLabel('View', { exact: true }).selectOption('Large deals')
  await page.getByText('1–3 of 3').waitFor()

  await page.getByRole('button', { name: 'Delete the view Large deals' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('1–4 of 4').waitFor()
  assert.equal((await api.get('/api-v1-views')).body.pagination.total, 0)
})

test('What is added to a view is saved with it, and a new filter replaces that of the view', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const filter = 'filter[name][like]=o&status=lead'
  const { id } = await make(api, 'view', { name: 'Leads', resource: 'organization', filter, sort: 'name' })
  await make(api, 'organization', { name: 'Nordwind', status: 'active' }, { name: 'Ost', status: 'lead' })
  await openPage(page, `/organizations?view=${id}&status=active`)
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('button', { name: 'Remove filter: Status Active' }).waitFor()

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Customers')
  await page.getByRole('dialog').getByLabel('For').selectOption('shared')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL((url) => url.searchParams.get('view') !== id)

  const { data } = (await api.get('/api-v1-views?name=Customers')).body
  assert.deepEqual(
    [[...new URLSearchParams(data[0].filter)], data[0].sort, data[0].visibility],
    [
      [
        ['filter[name][like]', 'o'],
        ['status', 'active'],
      ],
      'name',
      'shared',
    ],
  )
  await idle(page)
  assert.deepEqual(await rows(page), ['Nordwind'])
})

test('A search looks among the records of the view, also by the fields that the view filters by', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const titles = ['Harbour north', 'Harbour south', 'Station north']
  await make(api, 'deal', ...titles.map((title) => ({ title })))
  const view = { name: 'Harbours', resource: 'deal', filter: 'title[like]=harbour' }
  const { id } = await make(api, 'view', view)
  await openPage(page, `/deals?view=${id}`)
  await page.getByText('1–2 of 2').waitFor()

  await page.getByRole('searchbox').fill('north')

  await page.getByText('1 found', { exact: true }).waitFor()
  await idle(page)
  assert.deepEqual(await rows(page), ['Harbour north'])
})
