import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { cellsOf, exportOf } from '../export/exports.ts'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Exports the list that a page shows. Returns the file's name and its text. */
async function save(page: Page, format: RegExp): Promise<[name: string, text: string]> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: format }).check()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')]
}

test('A list is exported with its search, filters, order and columns, on all pages', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const acme = await make(api, 'organization', { name: 'Müller & Söhne' })
  const people = Array.from({ length: 60 }, (_, n) => ({
    ...{ first_name: 'Ada', last_name: `Weber ${String(n).padStart(2, '0')}`, organization_id: acme.id },
    emails: [{ email: `ada${n}@example.com` }],
  }))
  await make(api, 'contact', ...people, { first_name: 'Bo', organization_id: acme.id }, { first_name: 'Ada' })
  await openPage(page, `/contacts?q=ada&organization_id=${acme.id}&sort=last_name`)
  await page.getByText('1–50 of 60').waitFor()

  const [name, shown] = await save(page, /columns of this list/)
  const [, all] = await save(page, /all columns/)
  const [cards, text] = await save(page, /vCards/)

  const query = `q=ada&organization_id=${acme.id}&sort=last_name:asc`
  assert.equal(all, `\uFEFF${await exportOf(api, `/api-v1-contacts?${query}`)}`)
  assert.equal(text, await exportOf(api, `/api-v1-contacts?${query}`, 'text/vcard'))
  assert.deepEqual([name, cards], ['contacts.csv', 'contacts.vcf'])
  const [head, first, ...rest] = shown.trimEnd().split('\r\n').map(cellsOf)
  assert.equal(rest.length, 59)
  const names = ['\uFEFFfirst_name', 'last_name', 'organization.name', 'emails.email']
  const cells = names.map((name) => first![head!.indexOf(name)])
  assert.deepEqual(cells, ['Ada', 'Weber 00', 'Müller & Söhne', 'ada0@example.com'])
  assert.deepEqual(complaints, [])
})

test('An export that fails says why, and can be tried again by keyboard', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Fleet', value: 5 })
  await openPage(page, '/deals')
  await page.getByText('1–1 of 1').waitFor()
  const message = 'Too many snapshots and exports are being read'
  await page.route(/api-v1-deals\?.*columns/, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE', message } } }),
  )
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await dialog.getByRole('alert').getByText(message).waitFor()

  await page.unrouteAll()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).press('Enter'),
  ])

  const [head, first] = readFileSync(await file.path(), 'utf8')
    .split('\r\n')
    .map(cellsOf)
  assert.deepEqual(head!.slice(0, 3), ['\uFEFFtitle', 'value', 'currency'])
  assert.equal(first![0], 'Fleet')
})
