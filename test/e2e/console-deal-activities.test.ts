import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

/** What the timeline shows of each entry: its subject, and with whom it was. */
async function entriesOn(page: Page): Promise<string[]> {
  const entries = await page.locator('.timeline > li').allInnerTexts()
  return entries.map((text) => `${text.split('\n')[0]} ${/with [\w ]+/.exec(text)?.[0] ?? ''}`.trim())
}

test('Calls with anybody on a deal are in its timeline, marked with the person, until the deal is closed', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const [ada, grace, other] = [
    await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber' }),
    await make(api, 'contact', { first_name: 'Grace', last_name: 'Hopper' }),
    await make(api, 'contact', { first_name: 'Edsger' }),
  ]
  const deal = await make(api, 'deal', { title: 'Hampers', contact_id: grace.id })
  await api.patch(`/api-v1-deals/${deal.id}`, { contact_id: ada.id }) // Grace stays on the deal
  const log = (subject: string, references: object, occurred_at?: string) =>
    make(api, 'activity', { type: 'call', subject, ...references, ...(occurred_at && { metadata: { occurred_at } }) })
  await log('Own', { deal_id: deal.id, contact_id: ada.id })
  await log('First', { contact_id: ada.id })
  await log('Earlier', { contact_id: grace.id }, '2020-01-02T10:00:00Z')
  await log('Elsewhere', { contact_id: other.id })
  await openPage(page, `/deals/${deal.id}`)

  assert.deepEqual(await entriesOn(page), ['First with Ada Weber', 'Own', 'Earlier with Grace Hopper'])
  const last = page.getByRole('region', { name: 'Summary' }).getByText('Call')
  await last.waitFor()
  assert.deepEqual(await violationsOn(page), [])

  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog', { name: 'Log call' })
  await dialog.getByRole('combobox').fill('Grace')
  await dialog.getByRole('option', { name: /^Grace Hopper/, selected: true }).waitFor()
  await page.keyboard.press('Tab')
  await dialog.getByLabel('What happened').fill('Wants an offer')
  await page.keyboard.press('Enter')
  await page.getByText('Call logged.').waitFor()
  await page.locator('.timeline').getByText('Wants an offer').waitFor()
  await idle(page)
  assert.equal((await entriesOn(page))[0], 'Wants an offer with Grace Hopper')
  await page.locator('.timeline').getByRole('link', { name: 'Grace Hopper' }).first().click()
  await page.waitForURL(`**/contacts/${grace.id}`)

  const { body } = await api.get('/api-v1-stages?filter[kind]=won')
  await api.patch(`/api-v1-deals/${deal.id}`, { stage_id: body.data[0].id })
  await log('After it was won', { contact_id: ada.id })
  await openPage(page, `/deals/${deal.id}`)
  assert.deepEqual(await entriesOn(page), [
    'Wants an offer with Grace Hopper',
    'First with Ada Weber',
    'Own',
    'Earlier with Grace Hopper',
  ])
  await api.patch(`/api-v1-stages/${body.data[0].id}`, { kind: 'open' })
  await openPage(page, `/deals/${deal.id}`)
  assert.equal((await entriesOn(page))[0], 'After it was won with Ada Weber')
  assert.deepEqual(complaints, [])
})
