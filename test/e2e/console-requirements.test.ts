import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

async function stages(api: Visitor): Promise<Record<string, string>> {
  const { body } = await api.get('/api-v1-stages')
  return Object.fromEntries(body.data.map(({ id, name }: JsonRecord) => [name, id]))
}

const columnOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Drops the only deal of the board into a stage. */
async function drop(page: Page, title: string, stage: string): Promise<void> {
  await page.getByRole('link', { name: title }).hover()
  await page.mouse.down()
  await columnOf(page, stage).hover()
  await page.mouse.up()
}

test('A deal that lacks what a stage requires is asked for just that where it is dropped', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Budget', type: 'text' })
  await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  const { Proposal } = await stages(api)
  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['metadata.budget', 'people'] })
  const { id } = await make(api, 'deal', { title: 'New warehouse', metadata: { source: 'fair' } })
  await openPage(page, '/pipeline')

  await drop(page, 'New warehouse', 'Proposal')

  const form = page.getByRole('dialog', { name: 'Needed in Proposal: New warehouse' })
  await form.waitFor()
  assert.deepEqual(await form.locator('label').allTextContents(), ['Contact', 'Budget'])
  await form.getByLabel('Budget').fill('approved')
  await form.getByRole('button', { name: 'Move to Proposal' }).click()
  await form.getByText('A person is required in the stage "Proposal"').waitFor()
  await idle(page)
  await form.getByLabel('Contact').fill('Ada')
  await page.getByRole('option', { name: /Ada Weber/ }).click()
  await form.getByRole('button', { name: 'Move to Proposal' }).click()

  await columnOf(page, 'Proposal').getByText('New warehouse').waitFor()
  await idle(page)
  const { stage, metadata, contact } = (await api.get(`/api-v1-deals/${id}`)).body.data
  assert.deepEqual([stage.name, contact.first_name], ['Proposal', 'Ada'])
  assert.deepEqual([metadata.source, metadata.budget], ['fair', 'approved'])
  assert.deepEqual(complaints, [])
})

test('A stage that requires the contact and people asks for one person', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  const { Proposal } = await stages(api)
  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['contact_id', 'people'] })
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')

  await drop(page, 'New warehouse', 'Proposal')

  const form = page.getByRole('dialog', { name: /^Needed in/ })
  await form.waitFor()
  assert.deepEqual(await form.locator('label').allTextContents(), ['Contact'])
  await form.getByLabel('Contact').fill('Ada')
  await page.getByRole('option', { name: /Ada Weber/ }).click()
  await form.getByRole('button', { name: 'Move to Proposal' }).click()
  await columnOf(page, 'Proposal').getByText('New warehouse').waitFor()
  assert.equal((await api.get(`/api-v1-deals/${id}`)).body.data.contact.first_name, 'Ada')
})

test('What a stage requires since the form is open is asked for there, too', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Budget', type: 'text' })
  const { Proposal } = await stages(api)
  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['expected_close_date'] })
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  await drop(page, 'New warehouse', 'Proposal')
  const form = page.getByRole('dialog', { name: /^Needed in/ })
  await form.getByLabel('Closes on').fill('2026-12-24')

  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['expected_close_date', 'metadata.budget'] })
  await form.getByRole('button', { name: 'Move to Proposal' }).click()
  await form.getByText('Budget is required').waitFor()
  assert.equal(await form.getByLabel('Closes on').inputValue(), '2026-12-24')
  await form.getByLabel('Budget').fill('approved')
  await form.getByRole('button', { name: 'Move to Proposal' }).click()

  await columnOf(page, 'Proposal').getByText('New warehouse').waitFor()
  await idle(page)
  assert.deepEqual((await api.get(`/api-v1-deals/${id}`)).body.data.metadata, { budget: 'approved' })
})

test('Closing the form leaves the deal where it was', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { Proposal } = await stages(api)
  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['expected_close_date'] })
  await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')

  await drop(page, 'New warehouse', 'Proposal')
  await page.getByRole('dialog', { name: /^Needed in/ }).waitFor()
  await page.keyboard.press('Escape')

  await idle(page)
  await columnOf(page, 'Lead').getByText('New warehouse').waitFor()
})

test('The page of a deal asks for what a stage requires, too', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { Qualified } = await stages(api)
  await api.patch(`/api-v1-stages/${Qualified}`, { requires: ['expected_close_date'] })
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, `/deals/${id}`)

  await page.getByRole('region', { name: 'Stage' }).getByRole('button', { name: 'Qualified' }).click()
  const form = page.getByRole('dialog', { name: 'Needed in Qualified: New warehouse' })
  await form.getByLabel('Closes on').fill('2026-12-24')
  await form.getByRole('button', { name: 'Move to Qualified' }).click()

  await form.waitFor({ state: 'detached' })
  await idle(page)
  const { stage, expected_close_date } = (await api.get(`/api-v1-deals/${id}`)).body.data
  assert.deepEqual([stage.name, expected_close_date], ['Qualified', '2026-12-24'])
})

test('The form of a stage alone asks for what the chosen stage requires and the deal lacks', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Budget', type: 'text' })
  await make(api, 'field', { resource: 'deal', key: 'source', label: 'Source', type: 'text' })
  await make(api, 'field', { resource: 'deal', key: 'rival', label: 'Rival', type: 'text' })
  const { Qualified, Proposal } = await stages(api)
  const requires = ['expected_close_date', 'metadata.budget', 'metadata.source']
  await api.patch(`/api-v1-stages/${Qualified}`, { requires })
  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['metadata.rival', 'metadata.budget'] })
  const { id } = await make(api, 'deal', { title: 'New warehouse', metadata: { source: 'fair' } })
  await openPage(page, `/deals/${id}`)

  await page.getByRole('button', { name: 'Change Stage' }).focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog')
  await form.getByLabel('Stage').selectOption('Proposal')
  await form.getByLabel('Rival').fill('what is no longer shown is not sent')
  await form.getByLabel('Budget').fill('approved')
  await form.getByLabel('Stage').selectOption('Qualified')
  await form.getByLabel('Closes on').fill('2026-12-24')
  assert.equal(await form.getByLabel('Source').count(), 0)
  await form.getByRole('button', { name: 'Save' }).click()

  await form.waitFor({ state: 'detached' })
  await idle(page)
  const { stage, expected_close_date, metadata } = (await api.get(`/api-v1-deals/${id}`)).body.data
  assert.deepEqual([stage.name, expected_close_date], ['Qualified', '2026-12-24'])
  assert.deepEqual(metadata, { source: 'fair', budget: 'approved' })
})

test('Deals that move together are asked once for what they lack, and keep what they have', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Budget', type: 'text' })
  const { Proposal } = await stages(api)
  await api.patch(`/api-v1-stages/${Proposal}`, { requires: ['expected_close_date', 'metadata.budget'] })
  const metadata = { budget: 'small', source: 'fair' }
  await make(api, 'deal', { title: 'Lacks both', metadata: { source: 'fair', budget: ' ' } })
  await make(api, 'deal', { title: 'Lacks a date', metadata })
  await make(api, 'deal', { title: 'Lacks nothing', metadata, expected_close_date: '2026-10-01' })
  await openPage(page, '/deals?sort=title')
  await page.getByLabel('Select this page').check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Stage' }).click()
  await page.getByRole('dialog').getByLabel('Stage').selectOption('Proposal')
  await page.getByRole('button', { name: 'Change', exact: true }).click()

  const form = page.getByRole('dialog', { name: 'Needed in Proposal: 2 deals' })
  await form.waitFor()
  assert.deepEqual((await form.locator('label').allTextContents()).sort(), ['Budget', 'Closes on'])
  await form.getByLabel('Budget').fill('large')
  assert.ok(await form.getByRole('button', { name: 'Move to Proposal' }).isDisabled())
  await form.getByLabel('Closes on').fill('2026-12-24')
  await form.getByRole('button', { name: 'Move to Proposal' }).click()
  await page.getByText('2 deals changed.').waitFor()

  const found: JsonRecord[] = (await api.get('/api-v1-deals?sort=title&include=stage')).body.data
  assert.deepEqual(
    found.map(({ title, stage, expected_close_date, metadata }) => [title, stage.name, expected_close_date, metadata]),
    [
      ['Lacks a date', 'Proposal', '2026-12-24', metadata],
      ['Lacks both', 'Proposal', '2026-12-24', { source: 'fair', budget: 'large' }],
      ['Lacks nothing', 'Proposal', '2026-10-01', metadata],
    ],
  )
  assert.deepEqual(complaints, [])
})

test('The form of a new deal says which fields its stage requires', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Budget', type: 'text' })
  const { Lead, Qualified } = await stages(api)
  await api.patch(`/api-v1-stages/${Lead}`, { requires: ['expected_close_date'] })
  await api.patch(`/api-v1-stages/${Qualified}`, { requires: ['metadata.budget', 'people'] })
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()
  const form = page.getByRole('dialog', { name: 'New deal' })
  const labels = ['Contact', 'Budget', 'Closes on']
  const untilShown = async (expected: string) => {
    const shown = async () => {
      const texts = await form.locator('label').allTextContents()
      return texts.filter((text) => labels.some((label) => text.startsWith(label))).join()
    }
    await until(`the labels are ${expected}`, shown, { is: (texts) => texts === expected })
  }

  await untilShown('Contact (optional),Closes on,Budget (optional)')
  await form.getByLabel('Stage').selectOption('Qualified')
  await untilShown('Contact,Closes on (optional),Budget')
})

test('An admin chooses what a stage requires, and when its deals are stale', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Budget', type: 'text' })
  await openPage(page, '/settings/stages')

  await page.getByRole('button', { name: 'Edit Proposal' }).click()
  const form = page.getByRole('dialog', { name: 'Edit stage' })
  for (const name of ['Closes on', 'People', 'Budget']) await form.getByRole('checkbox', { name }).check()
  await form.getByLabel('Stale after days').fill('14')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })

  await page.getByText('Requires Closes on, People, Budget · Stale after 14 days').waitFor()
  await idle(page)
  const { Proposal } = await stages(api)
  const { requires, stale_after_days } = (await api.get(`/api-v1-stages/${Proposal}`)).body.data
  assert.deepEqual([requires, stale_after_days], [['expected_close_date', 'people', 'metadata.budget'], 14])
  assert.deepEqual(complaints, [])
})
