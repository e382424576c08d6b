import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { targetsOf } from './reads.ts'

const skip = withoutBrowser

const columnOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('The filters of the board leave the deals of the user and the stages of a kind', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const me = (await api.get('/console/session')).body.data.user.id
  await make(
    api,
    'deal',
    { title: 'Mine', value: 1_000, probability: 50, assigned_to: me, expected_close_date: '2020-01-31' },
    { title: 'Other', value: 500 },
    { title: 'Mine too', value: 250, assigned_to: me },
    { title: 'Mine abroad', value: 70, currency: 'CHF', assigned_to: me },
  )
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('4 deals · €1,750').waitFor()
  await columnOf(page, 'Lead').getByText('€500 weighted').waitFor()
  await page.locator('.fault', { hasText: 'Overdue: 31 Jan 2020' }).waitFor()

  await page.getByRole('button', { name: 'My deals' }).click()
  await columnOf(page, 'Lead').getByText('3 deals · €1,250').waitFor()
  await page.getByRole('searchbox').fill('abroad')
  await columnOf(page, 'Lead').getByText('1 deal · CHF').waitFor()
  await page.getByLabel('Stages').selectOption('Open')
  await columnOf(page, 'Won').waitFor({ state: 'detached' })

  await idle(page)
  assert.deepEqual(await page.locator('.deal a').allInnerTexts(), ['Mine abroad'])
})

test('A filter of the board requests no sum of its stages twice', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const me = (await api.get('/console/session')).body.data.user.id
  await make(api, 'deal', { title: 'Mine', value: 1_000, assigned_to: me }, { title: 'Other', value: 500 })
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('2 deals · €1,500').waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(...targetsOf(request.url())))

  await page.getByRole('button', { name: 'My deals' }).click()

  await columnOf(page, 'Lead').getByText('1 deal · €1,000').waitFor()
  const sums = asked.filter((target) => target.startsWith('/api-v1-deals/summary'))
  assert.ok(sums.length > 0)
  assert.deepEqual(sums, [...new Set(sums)])
})

test('The board shows the deals of everyone, of the user or of a chosen owner', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const me = (await api.get('/console/session')).body.data.user.id
  const grace = (await api.post('/console/users', { full_name: 'Grace Hopper', email: `grace-${me}@acme.example` }))
    .body
  await make(
    api,
    'deal',
    { title: 'Mine', assigned_to: me },
    { title: 'Hers', assigned_to: grace.data.user.id },
    { title: 'Of nobody' },
  )
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('3 deals').waitFor()
  const owner = page.getByRole('combobox', { name: 'Owner' })

  await owner.click()
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await columnOf(page, 'Lead').getByText('1 deal').waitFor()
  await page.getByRole('link', { name: 'Hers' }).waitFor()
  assert.equal(await owner.inputValue(), 'Grace Hopper')
  await idle(page)
  assert.equal(await page.locator('.chip:visible').count(), 0, 'the owner is shown once')

  await page.getByRole('button', { name: 'My deals' }).click()
  await page.getByRole('link', { name: 'Mine' }).waitFor()
  assert.match(await owner.inputValue(), /^Ada Weber/)
  await page.getByRole('button', { name: 'My deals' }).click()
  await columnOf(page, 'Lead').getByText('3 deals').waitFor()
  assert.equal(await owner.inputValue(), '')
})

test('The currency of the sums is the one that most deals of the pipeline have, whatever the filters leave', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(
    api,
    'deal',
    ...['A', 'B', 'C'].map((title) => ({ title, value: 10, currency: 'EUR' })),
    ...['D abroad', 'E abroad'].map((title) => ({ title, value: 100, currency: 'CHF' })),
    { title: 'F abroad', value: 7, currency: 'EUR' },
  )
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('6 deals · €37').waitFor()

  await page.getByRole('searchbox').fill('abroad')

  await columnOf(page, 'Lead').getByText('3 deals · €7').waitFor()
})

test('The sums in all currencies open by keyboard, and each leads to its deals', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...['A', 'B'].map((title) => ({ title, value: 10, currency: 'EUR', probability: 50 })), {
    title: 'Abroad',
    value: 1_234.5,
    currency: 'CHF',
    probability: 50,
  })
  await openPage(page, '/pipeline')

  const button = page.getByRole('button', { name: '+1 Lead: sums in all currencies', exact: true })
  await button.waitFor()
  assert.equal(await button.innerText(), '+1')
  await button.focus()
  await page.keyboard.press('Enter')
  const sums = page.getByRole('dialog', { name: 'Lead: sums in all currencies' }).getByRole('link')
  await sums.nth(1).waitFor()
  await idle(page)
  assert.match(await sums.nth(1).innerText(), /^CHF.1,234.50\s+CHF.617.25 weighted$/)
  await sums.nth(1).click()

  await page.getByRole('row', { name: /Abroad/ }).waitFor()
  await idle(page)
  assert.equal(await page.locator('tbody tr').count(), 1)
})
