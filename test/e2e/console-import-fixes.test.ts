import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

async function choose(t: TestContext, page: Page, name: string, content: string | Buffer, of = 'Contacts') {
  const path = join(temporaryDirectory(t), name)
  writeFileSync(path, content)
  await openPage(page, '/import')
  await page.getByRole('radio', { name: of }).check()
  await page.locator('input[type=file]').setInputFiles(path)
}

test('Cells that fail are fixed in their places and checked again; rows that fail repeat nothing', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const csv =
    'first name,email\nGrace,grace@acme.example\n,ada@acme.example\n,ada@acme.example\nBob,b@acme.example,extra\n'
  await choose(t, page, 'people.csv', csv)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('1 row can be imported, 3 rows cannot').waitFor()
  await idle(page)
  assert.equal(await page.getByText('repeats an earlier one').count(), 0)
  const kinds = page.getByRole('region', { name: 'Errors' }).locator('summary')
  assert.deepEqual(await kinds.allInnerTexts(), [
    'First name is required 2 rows',
    'The row has 3 cells, the header has 2 1 row',
  ])

  await kinds.first().click()
  await page.getByLabel('Row 3: first name').fill('Ada')
  await page.getByLabel('Row 4: first name').fill('Eva')
  await page.getByLabel('Row 4: email').fill('eva@acme.example')
  await page.getByRole('button', { name: 'Check again' }).click()

  await page.getByText('3 rows can be imported, 1 row cannot').waitFor()
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByRole('heading', { name: '3 contacts imported, 1 row failed' }).waitFor()
})

test('Of a long check, the counts and the button stay in sight', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const rows = Array.from({ length: 60 }, (_, n) => `,p${n}@acme.example`)
  await choose(t, page, 'people.csv', ['first name,email', ...rows, 'Grace,g@acme.example'].join('\n'))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  const button = page.getByRole('button', { name: 'Import 1 row' })
  await button.waitFor()
  await page.setViewportSize({ width: 1280, height: 400 })

  await page.evaluate('scrollTo(0, document.body.scrollHeight)')

  const { y } = (await button.boundingBox())!
  assert.ok(y > 0 && y < 400, `the button is at ${y} px`)
})

test('An import goes on when the server was away for a moment, and repeats no row whose response was lost', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/import?into=contact')
  const rows = Array.from({ length: 1_001 }, (_, n) => `Grace ${n}`)
  const buffer = Buffer.from(['First name', ...rows].join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check the rows' }).click()
  const start = page.getByRole('button', { name: 'Import 1,001 rows' })
  await start.waitFor()
  let count = 0
  await page.route('**/api-v1-bulk/contacts', async (route) => {
    count++
    if (count === 1) await route.fetch()
    if (count === 1) return route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' })
    await (count === 2 ? route.abort() : route.continue())
  })

  await start.dblclick()

  await page.getByRole('heading', { name: '1,001 contacts imported' }).waitFor({ timeout: 30_000 })
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 1_001)
  assert.equal(count, 4, 'two requests, the first one three times')
})

test('Deals of Pipedrive that are won or lost beside open ones are pointed out, as they would get an open stage', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const header = 'Deal - Title,Deal - Stage,Deal - Status\n'
  const notice = page.getByText('also those that are won or lost by “Deal - Status”')
  await choose(t, page, 'deals.csv', `${header}Hampers,Proposal,Open\nCoaches,Proposal,Won\n`, 'Deals')
  await notice.waitFor()
  await choose(t, page, 'open.csv', `${header}Hampers,Proposal,Open\n`, 'Deals')
  await page.getByText('Recognized as Pipedrive').waitFor()
  await idle(page)
  assert.equal(await notice.count(), 0)

  await choose(t, page, 'closed.csv', `${header}Coaches,Proposal,Won\n`, 'Deals')
  await notice.waitFor()
  await page.getByLabel('Field for Deal - Status').selectOption('Stage: Name')
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: '1 deal imported' }).waitFor()
  const [{ stage }] = (await api.get('/api-v1-deals?include=stage')).body.data
  assert.equal(stage.name, 'Won')
})
