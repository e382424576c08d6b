import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

const columnOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const opacityOf = (page: Page) => page.evaluate("getComputedStyle(document.querySelector('.outcomes')).opacity")

type Outcome = [stage: string, probability: number]

async function outcomeOf(api: Visitor, id: string): Promise<Outcome> {
  const { stage, probability } = (await api.get(`/api-v1-deals/${id}`)).body.data
  return [stage.name, probability]
}

test('A deal dropped on Won gets the probability 100, and one undo restores its stage and probability', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', value: 1_000, probability: 40 })
  await openPage(page, '/pipeline')

  await page.getByRole('link', { name: 'New warehouse' }).hover()
  await page.mouse.down()
  await columnOf(page, 'Qualified').hover()
  await page.locator('.drops .won').hover()
  await page.mouse.up()

  await page.getByText('New warehouse is in Won now. Its probability is 100%.').waitFor()
  assert.deepEqual(await outcomeOf(api, id), ['Won', 100])
  await page.getByRole('button', { name: 'Undo' }).click()
  const isBack = ([stage, probability]: Outcome) => stage === 'Lead' && probability === 40
  await until('the deal is as before', () => outcomeOf(api, id), { is: isBack })
  await columnOf(page, 'Lead').getByText('1 deal · €1,000').waitFor()
  await idle(page)
  assert.equal(await page.locator('.drops').isVisible(), false, 'they are only visible while a deal is dragged')
  assert.deepEqual(complaints, [])
})

test('One click on the card of a deal wins it, and the focus stays on the board', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', probability: 40 })
  await openPage(page, '/pipeline')

  await page.getByRole('link', { name: 'New warehouse' }).hover()
  await page.getByRole('button', { name: 'Mark as won: New warehouse' }).click()

  await page.getByText('New warehouse is in Won now. Its probability is 100%.').waitFor()
  await columnOf(page, 'Won').getByText('1 deal').waitFor()
  assert.deepEqual(await outcomeOf(api, id), ['Won', 100])
  await idle(page)
  assert.equal(await page.getByRole('button', { name: /^Mark as/ }).count(), 0, 'the deal is closed')
  assert.ok(await page.evaluate("document.activeElement.closest('.column') !== null"))
})

test('Lost on the card of a deal asks for the reason, by keyboard too, and keeps it as a note', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', probability: 40 })
  await openPage(page, '/pipeline')

  await page.getByRole('button', { name: 'Move New warehouse' }).focus()
  for (const _ of ['won', 'lost']) await page.keyboard.press('Tab')
  await page.locator('.outcomes .lost:focus').waitFor()
  await idle(page)
  assert.equal(await opacityOf(page), '1')
  await page.keyboard.press('Enter')
  await page.getByLabel('Reason').fill('Too expensive')
  await page.keyboard.press('Enter')

  await page.getByText('New warehouse is in Lost now. Its probability is 0%.').waitFor()
  await columnOf(page, 'Lost').getByText('1 deal').waitFor()
  assert.deepEqual(await outcomeOf(api, id), ['Lost', 0])
  const [note] = (await api.get(`/api-v1-activities?deal_id=${id}`)).body.data
  assert.equal(note.description, 'Too expensive')
})

test('On a touch screen, a card shows Won and Lost without a pointer', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, touch: true })
  const { id } = await make(api, 'deal', { title: 'New warehouse', probability: 40 })
  await openPage(page, '/pipeline')
  await page.getByRole('link', { name: 'New warehouse' }).waitFor()
  assert.equal(await opacityOf(page), '1')

  await page.getByRole('button', { name: 'Mark as won: New warehouse' }).tap()

  await page.getByText('New warehouse is in Won now.').waitFor()
  assert.deepEqual(await outcomeOf(api, id), ['Won', 100])
})

test('Lost on the page of a deal keeps the reason as a note', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', probability: 40 })
  await openPage(page, `/deals/${id}`)

  await page.getByRole('button', { name: 'Lost', exact: true }).click()
  await page.getByLabel('Reason').fill('Too expensive')
  await page.keyboard.press('Enter')

  await page.getByText('New warehouse is in Lost now. Its probability is 0%.').waitFor()
  await page.getByRole('list').getByText('Too expensive').waitFor()
  assert.deepEqual(await outcomeOf(api, id), ['Lost', 0])
  await idle(page)
  assert.equal(await page.getByRole('button', { name: 'Lost', exact: true }).count(), 0)
})

test('The reason is kept on a deal whose organization was deleted, and on its contact', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  const contact = await make(api, 'contact', { first_name: 'Grace' })
  const references = { organization_id: organization.id, contact_id: contact.id }
  const { id } = await make(api, 'deal', { title: 'New warehouse', ...references })
  await api.delete(`/api-v1-organizations/${organization.id}`)
  await openPage(page, `/deals/${id}`)

  await page.getByRole('button', { name: 'Lost' }).click()
  await page.getByLabel('Reason').fill('Too expensive')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('Too expensive').waitFor()

  const [note] = (await api.get(`/api-v1-activities?deal_id=${id}`)).body.data
  assert.deepEqual([note.description, note.contact_id], ['Too expensive', contact.id])
})

test('Cancelling the reason leaves the deal where it is', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', probability: 40 })
  await openPage(page, `/deals/${id}`)

  await page.getByRole('button', { name: 'Lost', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await outcomeOf(api, id), ['Lead', 40])
})

test('The steps of a deal show its stage and move it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', value: 1_000, probability: 40 })
  await openPage(page, `/deals/${id}`)
  const steps = columnOf(page, 'Stage')

  await steps.getByRole('button', { name: 'Proposal' }).click()
  await steps.locator('[aria-current=step]', { hasText: 'Proposal' }).waitFor()
  await steps.getByText('€1,000').waitFor()

  assert.deepEqual(await outcomeOf(api, id), ['Proposal', 40])
})

test('A deal added in a column is in the stage of the column', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/pipeline')

  await page.getByRole('button', { name: 'Add deal in Proposal' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('New warehouse')
  await page.getByRole('button', { name: 'Create deal' }).click()

  await columnOf(page, 'Proposal').getByRole('link', { name: 'New warehouse' }).waitFor()
})

test('All stages are visible at 1920 px; at 1280 px a button tells how many are not, and leads to them', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { width: 1920 })
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lost').waitFor()
  assert.equal(await page.locator('.more-stages').count(), 0)
  assert.ok(await page.locator('.board').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))

  await page.setViewportSize({ width: 1280, height: 860 })
  await page.getByRole('button', { name: '1 more' }).click()
  await page.locator('.more-stages.before').waitFor()
})
