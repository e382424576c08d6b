import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { reads, waitForRead } from './reads.ts'

const skip = withoutBrowser

const columnOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const cardOf = (page: Page, title: string) => page.locator('.deal', { hasText: title })

/** Simulates that the user returns to the window. */
const comeBack = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

/** Counts the requests for the sums: one for each load of the board. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 }
  page.on('request', (request) => {
    if (request.url().includes('/api-v1-deals/summary')) loads.count++
  })
  return loads
}

async function moveByKeyboard(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Move ${title}` }).focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
}

test('When the user returns to the window, the board shows changed deals, sums and stages', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const deleted = await make(api, 'deal', { title: 'Deleted', value: 1_000 })
  const moved = await make(api, 'deal', { title: 'Moved', value: 500 })
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('2 deals · €1,500').waitFor()
  const [, qualified, proposal] = (await api.get('/api-v1-stages')).body.data

  await api.delete(`/api-v1-deals/${deleted.id}`)
  await api.patch(`/api-v1-deals/${moved.id}/stage`, { stage_id: qualified.id })
  await make(api, 'deal', { title: 'Added', value: 7 })
  await api.patch(`/api-v1-stages/${proposal.id}`, { name: 'Offer' })
  await comeBack(page)

  await columnOf(page, 'Qualified').getByText('1 deal · €500').waitFor()
  await columnOf(page, 'Qualified').getByText('Moved').waitFor()
  await columnOf(page, 'Lead').getByText('1 deal · €7').waitFor()
  await columnOf(page, 'Lead').getByText('Added').waitFor()
  await columnOf(page, 'Offer').waitFor()
  assert.equal(await page.locator('.deal').count(), 2)
  assert.deepEqual(complaints, [])
})

test('A column with several loaded pages has as many deals after a reload of the board', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', ...Array.from({ length: 130 }, (_, n) => ({ title: `Deal ${n}` })))
  await openPage(page, '/pipeline')
  const cards = columnOf(page, 'Lead').locator('.deal')
  for (const last of ['Deal 105', 'Deal 80', 'Deal 55', 'Deal 30', 'Deal 5', 'Deal 0']) {
    await cards.last().scrollIntoViewIfNeeded()
    await page.getByText(last, { exact: true }).waitFor()
  }

  await api.delete(`/api-v1-deals/${id}`)
  await idle(page)
  await comeBack(page)

  await page.getByText('Deal 129', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(await cards.count(), 129)
})

test('The board reloads once for each return to the window, and not while a deal is dragged', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('1 deal').waitFor()
  const loads = countLoads(page)
  const stagesLoaded = () => waitForRead(page, /api-v1-stages/) // the last request after a return

  await page.getByRole('link', { name: 'New warehouse' }).hover()
  await page.mouse.down()
  await columnOf(page, 'Qualified').hover()
  await idle(page)
  await comeBack(page)
  await page.getByRole('heading', { name: 'Pipeline' }).hover() // outside of all stages
  await idle(page)
  await comeBack(page)
  assert.equal(loads.count, 0)
  const released = stagesLoaded()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await released
  assert.equal(loads.count, 1)

  const returned = stagesLoaded()
  await idle(page)
  await page.evaluate(`
    dispatchEvent(new Event('focus'))
    document.dispatchEvent(new Event('visibilitychange'))
  `)
  await returned
  assert.equal(loads.count, 2)
})

test('A deal that is being moved by keyboard stays selected when others change the board', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  const grip = page.getByRole('button', { name: 'Move New warehouse' })
  await grip.focus()
  await page.keyboard.press('Space')

  await api.delete(`/api-v1-deals/${id}`)
  await idle(page)
  await comeBack(page)
  await page.keyboard.press('ArrowRight')
  await idle(page)
  assert.equal(await grip.getAttribute('aria-pressed'), 'true')
  await page.keyboard.press('Escape')

  await cardOf(page, 'New warehouse').waitFor({ state: 'detached' })
})

test('A response that was requested before a move does not undo the move', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  await cardOf(page, 'New warehouse').waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    reads(/deals\/summary/),
    async (route) => {
      const response = await route.fetch()
      await promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  const asked = page.waitForRequest((request) => reads(/deals\/summary/)(new URL(request.url())))
  await comeBack(page)
  await asked

  const moved = page.waitForResponse('**/stage')
  await moveByKeyboard(page, 'New warehouse')
  await moved
  const again = waitForRead(page, /api-v1-deals\?/)
  resolve()
  await again

  await columnOf(page, 'Qualified').getByText('1 deal').waitFor()
  await idle(page)
  assert.equal(await columnOf(page, 'Lead').locator('.deal').count(), 0)
  assert.equal(await columnOf(page, 'Qualified').locator('.deal').count(), 1)
})

test('If the server rejects a move, the deal moves back and the board reloads', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  await cardOf(page, 'New warehouse').waitFor()

  const [, { id }] = (await api.get('/api-v1-stages')).body.data
  await api.delete(`/api-v1-stages/${id}`)
  await moveByKeyboard(page, 'New warehouse')

  await page.getByText('Not moved: Invalid stage').waitFor()
  await columnOf(page, 'Qualified').waitFor({ state: 'detached' })
  await columnOf(page, 'Lead').getByText('New warehouse').waitFor()
  await columnOf(page, 'Lead').getByText('1 deal').waitFor()
})

test('Moving a deal that was deleted elsewhere removes it, and the focus stays on the board', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', value: 1_000 })
  await openPage(page, '/pipeline')
  await columnOf(page, 'Lead').getByText('1 deal').waitFor()

  await api.delete(`/api-v1-deals/${id}`)
  await moveByKeyboard(page, 'New warehouse')

  await page.getByText('New warehouse has been deleted in the meantime.').waitFor()
  await cardOf(page, 'New warehouse').waitFor({ state: 'detached' })
  await columnOf(page, 'Lead').getByText('0 deals').waitFor()
  await idle(page)
  assert.ok(await page.evaluate("document.activeElement.closest('.column') !== null"))
})

test('A column that could not be loaded shows the error and a button to try again', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'New warehouse' })
  await page.route(reads(/api-v1-deals\?/), (route) => route.abort())
  await openPage(page, '/pipeline?show=open')
  await columnOf(page, 'Lead').getByText('The server cannot be reached').waitFor()

  await page.unrouteAll()
  await columnOf(page, 'Lead').getByRole('button', { name: 'Try again' }).click()

  await columnOf(page, 'Lead').getByText('New warehouse').waitFor()
  await idle(page)
  assert.equal(await columnOf(page, 'Lead').getByRole('alert').count(), 0)
})

test('When the user returns to the window, the home page shows new data', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/')
  await page.getByRole('heading', { name: 'Nothing logged yet' }).waitFor()

  await make(api, 'activity', { type: 'call', subject: 'First call' })
  await make(api, 'deal', { title: 'New warehouse', value: 1_000 })
  await comeBack(page)

  await page.getByRole('link', { name: 'First call' }).waitFor()
  await page.getByText('1 deal · €1,000').waitFor()
})
