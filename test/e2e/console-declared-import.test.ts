import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare, ofEachType } from '../support/declare.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Chooses a file of organizations. Returns the fields of its columns. */
async function choose(t: TestContext, page: Page, lines: readonly string[]): Promise<unknown[]> {
  const path = join(temporaryDirectory(t), 'organizations.csv')
  writeFileSync(path, lines.join('\r\n'))
  await openPage(page, '/import?into=organization')
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('button', { name: 'Check the rows' }).waitFor()
  return page.getByRole('combobox').evaluateAll((selects) => selects.map((each) => 'value' in each && each.value))
}

test('Columns that are called like a declared field are imported into it, with values of its type in the user’s time zone', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { timeZone: 'Asia/Tokyo' })
  await declare(api, 'organization', ...ofEachType, { key: 'q1', type: 'number' }, { key: 'q2', type: 'number' })
  const slots = await choose(t, page, [
    'Company;Sector;EMPLOYEES;Key account;renews;Next audit;Tier;site;Q2;Q1',
    'Nordwind;Energy;1,250.5;yes;31.12.2026;2026-06-15 08:30;Silver_Plus;https://nordwind.example;2;1',
    'Hafen;;;;;;;;;',
  ])
  assert.deepEqual(slots, [
    'name',
    ...['sector', 'employees', 'vip', 'renews', 'audit', 'tier', 'site', 'q2', 'q1'].map((key) => `metadata.${key}`),
  ])
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByRole('heading', { name: '2 organizations imported' }).waitFor()

  const { data } = (await api.get('/api-v1-organizations?sort=name')).body
  assert.deepEqual(
    data.map(({ metadata }: { metadata: object }) => metadata),
    [
      {},
      {
        ...{ sector: 'Energy', employees: 1250.5, vip: true, renews: '2026-12-31', audit: '2026-06-14T23:30:00.000Z' },
        ...{ tier: 'silver_plus', site: 'https://nordwind.example', q1: 1, q2: 2 },
      },
    ],
  )
})

test('A cell that is no value of its declared field is reported before the import, and its row is left out', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', ...ofEachType)
  await choose(t, page, [
    'Name,Employees,Tier,Renews on,Key account,Next audit',
    'Nordwind,about 50,bronze,1/2/2026,perhaps,soon',
    'Hafen,8,gold,2026-03-01,no,2026-03-01',
  ])
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('1 row can be imported, 1 row cannot').waitFor()
  for (const message of [
    'Employees: Enter a number',
    'Tier: Enter one of: gold, silver_plus',
    'Renews on: 1/2/2026 may be a day of two months',
  ]) {
    await page.getByText(message).waitFor()
  }
  await page.getByText('Key account: Enter yes or no').waitFor()
  await page.getByText('Next audit: Enter a date and time').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: '1 organization imported' }).waitFor()
  assert.deepEqual(
    (await api.get('/api-v1-organizations')).body.data.map(({ name }: { name: string }) => name),
    ['Hafen'],
  )
})

test('A declared field is preferred to another name of a built-in one', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', { key: 'region', type: 'text' }, { key: 'city', label: 'Branch', type: 'text' })
  assert.deepEqual(await choose(t, page, ['Name,Region,City,Branch', 'Nordwind,North,Kiel,Pier 4']), [
    'name',
    'metadata.region',
    'city',
    'metadata.city',
  ])
})

test('Numbers and dates of which a file does not tell how they are written are asked for, and then imported', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const path = join(temporaryDirectory(t), 'deals.csv')
  writeFileSync(path, 'title,value,expected_close_date\nA,1.234,03/04/2025\nB,2.500,12/05/2025\n')
  await openPage(page, '/import?into=deal')
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByLabel('Numbers are written like').waitFor()

  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('2 rows cannot').waitFor()
  await page.getByText('or choose in the step Columns how numbers are written').first().waitFor()
  await page.getByRole('button', { name: 'Change the columns' }).click()
  await page.getByLabel('Numbers are written like').selectOption('1.234,5')
  await page.getByLabel('Dates are written like').selectOption('12/31/2026 (the month first)')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByRole('heading', { name: '2 deals imported' }).waitFor()

  const { data } = (await api.get('/api-v1-deals?sort=title&title[in]=A,B')).body
  const values = data.map((each: Record<string, unknown>) => [each.value, each.expected_close_date])
  assert.deepEqual(values, [
    [1234, '2025-03-04'],
    [2500, '2025-12-05'],
  ])
})
