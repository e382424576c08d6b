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

async function choose(t: TestContext, page: Page, of: string, content: string): Promise<void> {
  const path = join(temporaryDirectory(t), 'file.csv')
  writeFileSync(path, content)
  await openPage(page, `/import?into=${of}`)
  await page.locator('input[type=file]').setInputFiles(path)
}

test('The check of activities says that they are never deleted, and no place offers to undo their import', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  await choose(t, page, 'activity', 'Type,Subject\ncall,Offer\n')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('Imported activities cannot be changed or deleted.').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).click()

  await page.getByRole('heading', { name: '1 activity imported' }).waitFor()
  const undo = page.getByRole('button', { name: 'Undo import' })
  const offers = [await undo.count()]
  await page.getByRole('link', { name: 'Show activities' }).click()
  await page.getByRole('row', { name: '1 Created' }).waitFor()
  offers.push(await undo.count())
  await openPage(page, '/import')
  await page.getByRole('region', { name: 'Earlier imports' }).getByRole('link', { name: '1 activity' }).waitFor()
  offers.push(await undo.count())

  assert.deepEqual(offers, [0, 0, 0])
})

test('The cells of a row that fails are wide enough to read an address, in any window', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const columns = ['First name', 'Last name', 'Job title', 'Email', 'Phone', 'Company', 'metadata.a', 'metadata.b']
  await choose(t, page, 'contact', `${columns}\nAda,Weber,Buyer,p.weber-at-mueller.example,1,Acme,a,b\n`)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  const cell = page.getByLabel('Row 2: Email')

  for (const width of [1920, 1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await idle(page)
    assert.ok((await cell.boundingBox())!.width >= 190, `at ${width}`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
  }
})

test('Columns with one heading have names of their own in the console, too', { skip }, async (t) => {
  const { page } = await openConsole(t)

  await choose(t, page, 'contact', 'First name,Notes,Notes\nAda,one,two\n')

  await page.getByLabel('Field for Notes (2)').waitFor()
  await page.getByText('These columns have data that will not be imported: Notes, Notes (2)').waitFor()
})

test('In German, the question before an undo of an import has the noun in the right case', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  await api.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Ada' }, { first_name: 'Bo' }] })
  await openPage(page, '/import')

  await page.getByRole('button', { name: 'Import rückgängig machen' }).click()

  await page.getByRole('dialog', { name: '2 Kontakte: Import rückgängig machen?' }).waitFor()
})

test('An import that was undone says so among the earlier ones, until that is undone, and is not offered to be undone again', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const { job_id } = (
    await api.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Ada' }, { first_name: 'Bo' }] })
  ).body.data
  await api.post('/api-v1-bulk/tasks', { records: [{ title: 'Call' }] })
  await openPage(page, '/import')
  const row = page
    .getByRole('region', { name: 'Earlier imports' })
    .getByRole('listitem')
    .filter({ hasText: '2 contacts' })

  await row.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()

  await row.getByText('undone').waitFor()
  assert.deepEqual((await api.get(`/console/undone-imports?ids=${job_id}`)).body.data, [job_id])
  assert.equal(await row.getByRole('button').count(), 0)
  await page.getByRole('button', { name: 'Redo' }).click()
  await row.getByText('undone').waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Undo import' }).waitFor()
  assert.deepEqual(complaints, [])
})
