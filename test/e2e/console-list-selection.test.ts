import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

const deals = (length: number) =>
  Array.from({ length }, (_, n) => ({ title: `Deal ${String(n + 1).padStart(2, '0')}`, probability: 30 }))
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const selected = (page: Page, text: string) => bar(page).getByText(`${text} selected`, { exact: true }).waitFor()

test('All records that a list finds, on several pages, move to a stage, and one undo moves them back', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'deal', ...deals(60))
  const stages = (await api.get('/api-v1-stages')).body.data
  const won = stages.find((stage: { kind: string }) => stage.kind === 'won')
  const wonDeals = async () => (await api.get(`/api-v1-deals?stage_id=${won.id}&probability=100`)).body.pagination.total
  await openPage(page, '/deals?sort=title')

  await page.getByLabel('Select this page').check()
  await selected(page, '50 deals')
  await bar(page).getByRole('button', { name: 'Select all 60' }).click()
  await selected(page, '60 deals')
  await bar(page).getByRole('button', { name: 'Stage' }).click()
  await page.getByRole('dialog').getByLabel('Stage').selectOption(won.name)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText('60 deals changed.').waitFor()
  assert.equal(await wonDeals(), 60)
  await idle(page)
  assert.equal(await bar(page).count(), 0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('60 records undone.').waitFor()
  assert.equal(await wonDeals(), 0)
  assert.deepEqual(complaints, [])
})

test('A selection spans pages and ranges, and is deleted and restored as a whole', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...deals(53))
  const total = async () => (await api.get('/api-v1-deals')).body.pagination.total
  await openPage(page, '/deals?sort=title')

  await page.getByLabel('Select Deal 01').click()
  await page.getByLabel('Select Deal 04').click({ modifiers: ['Shift'] })
  await selected(page, '4 deals')
  await page.getByLabel('Select Deal 03').click()
  await selected(page, '3 deals')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Select Deal 52').click()
  await selected(page, '4 deals')
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete 4 deals?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('4 deals deleted.').waitFor()
  assert.equal(await total(), 49)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('4 records undone.').waitFor()
  assert.equal(await total(), 53)
})

test('A selection is assigned; a record that somebody deleted meanwhile is reported and stays selected', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  const { id } = await make(api, 'deal', ...deals(3))
  await openPage(page, '/deals?sort=title')
  await page.getByLabel('Select this page').check()
  await selected(page, '3 deals')
  await api.delete(`/api-v1-deals/${id}`)

  await bar(page).getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('dialog').getByLabel('Owner').fill(user.full_name)
  await page.getByRole('option', { name: user.full_name }).click()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText(/^2 deals changed\. 1 deal not changed: /).waitFor()
  await selected(page, '1 deal')
  assert.equal((await api.get(`/api-v1-deals?assigned_to=${user.id}`)).body.pagination.total, 2)
})

test('A declared field is set on all selected records, also on one that changes meanwhile, and their other metadata stays', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'tag', label: 'Tag', type: 'text' })
  await make(api, 'deal', { title: 'Deal 01', metadata: { source: 'fair' } })
  await openPage(page, '/deals')
  await page.getByLabel('Select Deal 01').check()
  await bar(page).getByRole('button', { name: 'Set field' }).click()
  await page.getByRole('dialog').getByLabel('Field').selectOption('Tag')
  await page.getByRole('dialog').getByLabel('Tag').fill('renewal')
  let refusals = 1
  await page.route('**/api-v1-deals/*', (route) => {
    if (route.request().method() !== 'PATCH' || refusals-- === 0) return route.fallback()
    return route.fulfill({ status: 412, json: { error: { code: 'CONFLICT', message: 'It has changed' } } })
  })
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText('1 deal changed.').waitFor()
  assert.deepEqual((await api.get('/api-v1-deals')).body.data[0].metadata, { source: 'fair', tag: 'renewal' })
})

test('Stop leaves the rest of a selection as it is, selected, and one undo takes back what was changed', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...deals(12))
  const release = await hold(page, '**/api-v1-deals/*', 'DELETE')
  const total = async () => (await api.get('/api-v1-deals')).body.pagination.total
  await openPage(page, '/deals')
  await page.getByLabel('Select this page').check()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await bar(page).getByRole('button', { name: 'Stop' }).click()
  release('continue')

  await page.getByText('4 deals deleted. 8 deals not deleted: Stopped.').waitFor()
  await selected(page, '8 deals')
  assert.equal(await total(), 8)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('4 records undone.').waitFor()
  assert.equal(await total(), 12)
})

test('A bulk action waits while the server refuses because of its limit, and leaves nothing out', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  await make(api, 'deal', ...deals(6))
  let refusals = 0
  await page.route('**/api-v1-deals/*', (route) => {
    if (route.request().method() !== 'DELETE' || refusals >= 5) return route.fallback()
    refusals++
    return route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many' } } })
  })
  await page.clock.install()
  await openPage(page, '/deals')
  await page.getByLabel('Select this page').check()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

  await until('all are deleted', async () => {
    await page.clock.fastForward(5_000)
    return page.getByText('6 deals deleted.', { exact: true }).isVisible()
  })
  assert.equal(refusals, 5)
  assert.equal((await api.get('/api-v1-deals')).body.pagination.total, 0)
})

test('A bulk action has no default: it is enabled by a choice, of nobody too, and says what happens to how many', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  await make(api, 'deal', ...deals(3).map((deal) => ({ ...deal, assigned_to: user.id })))
  const owned = async () => (await api.get(`/api-v1-deals?assigned_to=${user.id}`)).body.pagination.total
  await openPage(page, '/deals?sort=title')
  const dialog = page.getByRole('dialog', { name: 'Change 3 deals' })
  const change = dialog.getByRole('button', { name: 'Change', exact: true })

  for (const action of ['Assign', 'Stage', 'Set field']) {
    await page.getByLabel('Select this page').check()
    await bar(page).getByRole('button', { name: action }).click()
    assert.equal(await change.isDisabled(), true, action)
    await dialog.press('Control+Enter')
    await idle(page)
    assert.equal(await dialog.getByRole('status').innerText(), '')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  assert.equal(await owned(), 3)

  await bar(page).getByRole('button', { name: 'Assign' }).click()
  await dialog.getByLabel('Nobody').check()
  await dialog.getByText('Owner of 3 deals becomes nobody.').waitFor()
  await dialog.getByLabel('Nobody').uncheck()
  assert.equal(await change.isDisabled(), true)
  await dialog.getByLabel('Nobody').check()
  await change.click()
  await page.getByText('3 deals changed.').waitFor()
  assert.equal(await owned(), 0)
})

test('Any field of all selected records is changed or emptied, such as the close date', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...deals(2))
  const found = async (query: string) => (await api.get(`/api-v1-deals?${query}`)).body.pagination.total
  await openPage(page, '/deals')
  const dialog = page.getByRole('dialog')
  const change = async (label: string, set: () => Promise<void>, sentence: string) => {
    await page.getByLabel('Select this page').check()
    await bar(page).getByRole('button', { name: 'Set field' }).click()
    await dialog.getByLabel('Field').selectOption(label)
    await set()
    await dialog.getByText(sentence).waitFor()
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await bar(page).waitFor({ state: 'detached' })
    await idle(page)
  }

  await change('Closes on', () => dialog.getByLabel('Closes on').fill('2026-12-24'), 'becomes “24 Dec 2026”')
  assert.equal(await found('expected_close_date=2026-12-24'), 2)
  await change('Probability', () => dialog.getByLabel('Probability').fill('45'), 'Probability of 2 deals becomes “45%”')
  assert.equal(await found('probability=45'), 2)
  await change('Closes on', () => dialog.getByLabel('No value').check(), 'Closes on of 2 deals becomes empty')
  assert.equal(await found('expected_close_date=null'), 2)
})

test('Only the selected records are exported', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...deals(103)) // more than one request takes
  await openPage(page, '/deals?sort=title')
  await page.getByLabel('Select this page').check()
  await bar(page).getByRole('button', { name: 'Select all 103' }).click()
  await selected(page, '103 deals')
  await page.getByLabel('Select Deal 02').uncheck()
  await selected(page, '102 deals')
  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export selection' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  assert.equal(text.trim().split('\n').length, 1 + 102)
  assert.doesNotMatch(text, /Deal 02/)

  await follow(page, '/deals?q=Deal')
  assert.equal(await bar(page).count(), 0) // what another search finds is not selected
})
