import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('A long word on a card is divided by hyphens', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  await make(api, 'deal', { title: 'Hauptversammlungsbewirtschaftungsvertrag' })

  await openPage(page, '/pipeline')

  const text = await page.locator('.deal .title a').textContent()
  assert.equal(text!.replaceAll('\u00AD', '-'), 'Haupt-ver-samm-lungs-be-wirt-schaf-tungs-ver-trag')
})

test('Won and Lost fold, stay folded, and take deals while they are', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, '/pipeline')
  assert.equal(await page.getByRole('button', { name: /^Fold / }).count(), 2)
  await page.getByRole('button', { name: 'Fold Won' }).click()
  await page.getByRole('button', { name: 'Fold Lost' }).click()

  await openPage(page, '/pipeline')
  await page.getByRole('button', { name: 'Mark as won: Hampers' }).press('Enter')

  await page.getByRole('region', { name: 'Won', exact: true }).getByText('1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Unfold Won' }).click()
  await page.getByRole('region', { name: 'Won', exact: true }).getByRole('link', { name: 'Hampers' }).waitFor()

  const lost = (await api.get('/api-v1-stages')).body.data.find(({ kind }: { kind: string }) => kind === 'lost')
  await api.patch(`/api-v1-stages/${lost.id}`, { kind: 'open' })
  await openPage(page, '/pipeline')
  assert.equal(await page.getByRole('button', { name: 'Unfold Lost' }).count(), 0)
  await page.getByRole('region', { name: 'Lost', exact: true }).getByText('0 deals').waitFor()
})

test('The stage over which a deal is held can be seen, also if its column is folded and with forced colors', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Hampers' })
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, '/pipeline')
  await page.getByRole('button', { name: 'Fold Won' }).click()
  await page.getByRole('button', { name: 'Move Hampers' }).press('Space')
  const outlined = `[...document.querySelectorAll('.column')]
    .filter((each) => getComputedStyle(each).outlineStyle === 'solid')
    .map((each) => each.ariaLabel)`

  for (const name of ['Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']) {
    await page.keyboard.press('ArrowRight')
    await idle(page)
    assert.deepEqual(await page.evaluate(outlined), [name])
  }
})

test('A column that is unfolded shows its deals as they are then, not as they were when the page was opened', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const won = (await api.get('/api-v1-stages')).body.data.find(({ kind }: { kind: string }) => kind === 'won')
  await openPage(page, '/pipeline')
  await page.getByRole('button', { name: 'Fold Won' }).click()
  await openPage(page, '/pipeline')
  await make(api, 'deal', { title: 'Hampers', stage_id: won.id })

  await page.getByRole('button', { name: 'Unfold Won' }).click()

  await page.getByRole('region', { name: 'Won', exact: true }).getByRole('link', { name: 'Hampers' }).waitFor()
})

test('The line above the board shows the total of the visible open deals in each currency, and links to them', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { data: stages } = (await api.get('/api-v1-stages')).body
  const won = stages.find((stage: { kind: string }) => stage.kind === 'won')
  for (const [title, value, currency, stage_id] of [
    ['A', 1000, 'EUR', stages[0].id],
    ['B', 2000, 'EUR', stages[1].id],
    ['C', 700, 'PLN', stages[1].id],
    ['D', 5000, 'EUR', won.id],
  ] as const) {
    await make(api, 'deal', { title, value, currency, stage_id, probability: 50 })
  }

  await openPage(page, '/pipeline')
  const line = page.getByLabel('Totals')
  await line.getByText('3 open deals').waitFor()
  assert.deepEqual(await line.locator('.sums > a').allInnerTexts(), ['€3,000', '€1,500'])

  await line.getByRole('link', { name: '€3,000' }).click()
  await page.getByRole('heading', { name: 'Deals' }).waitFor()
  await idle(page)
  assert.deepEqual((await page.locator('tbody th a').allInnerTexts()).sort(), ['A', 'B'])
})

test('A card shows the open task of its deal that is due first', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
  await make(api, 'task', { title: 'Later', deal_id, due_date: '2031-12-24T10:00:00Z' })
  await make(api, 'task', { title: 'Call back', deal_id, due_date: '2031-12-04T10:00:00Z' })
  await make(api, 'task', { title: 'Done', deal_id, due_date: '2031-12-01T10:00:00Z', status: 'completed' })

  await openPage(page, '/pipeline')

  const task = page.locator('.deal .next-task')
  await task.getByText('4 Dec 2031').waitFor()
  assert.equal(await task.getByRole('link').innerText(), 'Call back')
})

test('On a phone, the board has one button for all filters, and shows the owner that was chosen', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { width: 360 })
  await openPage(page, '/pipeline')
  const buttons = page.getByRole('search').getByRole('button')
  assert.deepEqual(await buttons.filter({ visible: true }).allInnerTexts(), ['Filter'])

  await openPage(page, '/pipeline?assigned_to=null')

  await page.getByRole('button', { name: 'Remove filter: Owner none' }).waitFor()
})

/** The name of the element that has the focus, and its column. */
const focused = async (page: Page) => {
  const column = page.locator('.column:focus-within')
  const at = column.locator(':focus')
  return [(await at.getAttribute('aria-label')) ?? (await at.textContent()), await column.getAttribute('aria-label')]
}

test('A card that is won or lost by keyboard gives the focus to the next one, and the last one to its column', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  for (const title of ['Third', 'Second', 'First']) await make(api, 'deal', { title })
  await openPage(page, '/pipeline')

  await page.getByRole('button', { name: 'Mark as won: First' }).press('Enter')
  await page.getByText('First is in Won').waitFor()
  await idle(page)
  assert.deepEqual(await focused(page), ['Second', 'Lead'])
  for (const [title, next] of [
    ['Second', 'Third'],
    ['Third', 'Add deal in Lead'],
  ]) {
    await page.getByRole('button', { name: `Mark as lost: ${title}` }).press('Enter')
    await page.getByRole('button', { name: 'Move to Lost' }).press('Enter')
    await page.getByText(`${title} is in Lost`).waitFor()
    await idle(page)
    assert.deepEqual(await focused(page), [next, 'Lead'])
  }
})

test('A deal that stays where it was keeps the focus: its drop is cancelled, or what its stage requires is not given', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const stages: { id: string; name: string }[] = (await api.get('/api-v1-stages')).body.data
  for (const { id, name } of stages) {
    if (name !== 'Lead') await api.patch(`/api-v1-stages/${id}`, { requires: ['expected_close_date'] })
  }
  for (const title of ['Other', 'New warehouse']) await make(api, 'deal', { title, value: 1_000 })
  await openPage(page, '/pipeline')
  const grip = page.getByRole('button', { name: 'Move New warehouse' })
  const drag = async (stage: string) => {
    await page.locator('.deal', { hasText: 'New warehouse' }).locator('.number').hover()
    await page.mouse.down()
    await page.getByRole('region', { name: stage, exact: true }).hover()
  }
  const needed = page.getByRole('dialog', { name: /^Needed in/ })
  const cancelled: Record<string, () => Promise<unknown>> = {
    async 'dragged, then Escape'() {
      await drag('Qualified')
      await page.keyboard.press('Escape')
      await page.mouse.up()
    },
    async 'dragged to a stage that requires more'() {
      await drag('Qualified')
      await page.mouse.up()
      await needed.waitFor()
      await page.keyboard.press('Escape')
    },
    async 'moved by keyboard to a stage that requires more'() {
      await grip.focus()
      for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
      await needed.getByRole('button', { name: 'Cancel' }).click()
    },
    async 'won, which requires more'() {
      await page.getByRole('button', { name: 'Mark as won: New warehouse' }).press('Enter')
      await needed.waitFor()
      await page.keyboard.press('Escape')
    },
    async 'lost, without a reason'() {
      await drag('Lost')
      await page.mouse.up()
      await page.getByRole('dialog', { name: 'Mark as lost' }).waitFor()
      await page.keyboard.press('Escape')
    },
    async 'lost, which requires more'() {
      await page.getByRole('button', { name: 'Mark as lost: New warehouse' }).press('Enter')
      await page.getByRole('button', { name: 'Move to Lost' }).press('Enter')
      await needed.waitFor()
      await page.keyboard.press('Escape')
    },
  }
  for (const [how, cancel] of Object.entries(cancelled)) {
    await page.getByRole('heading', { name: 'Pipeline' }).focus()
    await cancel()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await idle(page)
    assert.deepEqual(await focused(page), ['Move New warehouse', 'Lead'], how)
  }
})
