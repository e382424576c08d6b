import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { reads } from './reads.ts'

const skip = withoutBrowser

const deals = (length: number) =>
  Array.from({ length }, (_, n) => ({ title: `Deal ${String(n + 1).padStart(3, '0')}` }))

test('Everything that a list finds is selected, though a record is deleted while it is read', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Deal 000' })
  await make(api, 'deal', ...deals(102)) // with the first one, more than one request reads
  await openPage(page, '/deals?sort=title')
  await page.getByLabel('Select this page').check()
  let isDeleted = false
  await page.route(reads(/^\/api-v1-deals\?.*limit=100/), async (route) => {
    const response = await route.fetch()
    if (!isDeleted) await api.delete(`/api-v1-deals/${id}`)
    isDeleted = true
    return route.fulfill({ response })
  })

  await page.getByRole('button', { name: 'Select all 103' }).click()
  await page.getByText('103 deals selected', { exact: true }).waitFor()
  assert.ok(isDeleted)
})

test('In German, too, a selection that was stopped says so', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  await make(api, 'deal', ...deals(6))
  const release = await hold(page, '**/api-v1-deals/*', 'DELETE')
  await openPage(page, '/deals')
  await page.getByLabel('Diese Seite auswählen').check()
  const bar = page.getByRole('region', { name: 'Auswahl' })
  await bar.getByRole('button', { name: 'Löschen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click()
  await bar.getByRole('button', { name: 'Anhalten' }).click()
  release('continue')

  await page.getByText('4 Deals gelöscht. 2 Deals nicht gelöscht: Angehalten.').waitFor()
  await idle(page)
})
