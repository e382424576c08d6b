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

async function stageOf(api: Visitor, id: string): Promise<string> {
  return (await api.get(`/api-v1-deals/${id}`)).body.data.stage.name
}

const columnOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('Dragging a deal to another stage changes both sums', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', value: 1_000 })
  await openPage(page, '/pipeline')

  const card = page.getByRole('link', { name: 'New warehouse' })
  await card.hover()
  await page.mouse.down()
  await columnOf(page, 'Qualified').hover()
  await page.mouse.up()

  await columnOf(page, 'Qualified').getByText('1 deal · €1,000').waitFor()
  await columnOf(page, 'Lead').getByText('0 deals').waitFor()
  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/pipeline', 'letting go of a link does not follow it')
  assert.equal(await stageOf(api, id), 'Qualified')
  assert.deepEqual(complaints, [])
})

test('A dragged deal is visible over every column, and dragging selects no text', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')

  await page.getByRole('link', { name: 'New warehouse' }).hover()
  await page.mouse.down()
  await columnOf(page, 'Proposal').hover()

  await idle(page)
  const shown = await page.locator('.ghost').boundingBox()
  const proposal = (await columnOf(page, 'Proposal').boundingBox())!
  assert.ok(shown!.x + shown!.width > proposal.x, 'it is where the pointer is')
  assert.equal(await page.evaluate('String(getSelection())'), '')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await idle(page)
  assert.equal(await page.locator('.ghost').count(), 0)
  await columnOf(page, 'Lead').getByText('New warehouse').waitFor()
})

/** Touches the screen with a finger. */
async function touch(page: Page, x: number, y: number) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Finger[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  let finger = { x, y, id: 0 }
  await send('touchStart', finger)
  return {
    /** Moves the finger in small steps, as a hand does. */
    async goTo(toX: number, toY: number) {
      const steps = 8
      for (let step = 1; step <= steps; step++) {
        finger = { x: x + ((toX - x) * step) / steps, y: y + ((toY - y) * step) / steps, id: 0 }
        await send('touchMove', finger)
      }
    },
    /** Another finger taps while this one stays. */
    async tapBeside(x: number, y: number) {
      await send('touchStart', finger, { x, y, id: 1 })
      await send('touchEnd', { x, y, id: 1 })
    },
    lift: () => send('touchEnd'),
  }
}

interface Finger {
  x: number
  y: number
  id: number
}

const phone = { width: 360, touch: true }

test('A finger that rests on a deal drags it; at the edge, the board scrolls to the hidden columns', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, phone)
  const { id } = await make(api, 'deal', { title: 'New warehouse', value: 1_000 })
  await openPage(page, '/pipeline')
  const card = (await page.locator('.deal').boundingBox())!

  const finger = await touch(page, card.x + 30, card.y + 20)
  await page.locator('.ghost').waitFor()
  await finger.goTo(340, card.y + 40)
  await page.locator('.column.target', { hasText: 'Lost' }).waitFor()
  await finger.lift()
  await page.getByRole('button', { name: 'Move to Lost' }).click()

  await columnOf(page, 'Lost').getByText('1 deal · €1,000').waitFor()
  assert.equal(await stageOf(api, id), 'Lost')
  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/pipeline')
  assert.deepEqual(complaints, [])
})

test('A finger that moves at once scrolls the board, but drags on a deal’s handle', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { ...phone, fresh: true })
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await page.clock.install()
  await openPage(page, '/pipeline')
  const card = (await page.locator('.deal').boundingBox())!

  await page.clock.pauseAt(Date.now() + 60_000) // so that no finger counts as resting, however slow the machine is
  const swipe = await touch(page, card.x + 200, card.y + 60)
  await swipe.goTo(card.x, card.y + 60)
  await until('the board scrolls', () => page.locator('.board').evaluate(({ scrollLeft }) => scrollLeft > 0))
  assert.equal(await page.locator('.ghost').count(), 0)
  await swipe.lift()
  assert.equal(await stageOf(api, id), 'Lead')

  await page.clock.resume()
  await page.reload()
  await idle(page)
  const grip = (await page.getByRole('button', { name: 'Move New warehouse' }).boundingBox())!
  const drag = await touch(page, grip.x + 10, grip.y + 10)
  await drag.goTo(290, grip.y + 40)
  await page.locator('.target', { hasText: 'Qualified' }).waitFor()
  await drag.lift()
  await page.getByText('New warehouse is in Qualified').waitFor()
})

test('Another finger on the screen neither drops a deal that is dragged nor takes it along', { skip }, async (t) => {
  const { api, page } = await openConsole(t, phone)
  await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  const grip = (await page.getByRole('button', { name: 'Move New warehouse' }).boundingBox())!
  const finger = await touch(page, grip.x + 10, grip.y + 10)
  await finger.goTo(290, grip.y + 40)
  const qualified = page.locator('.target', { hasText: 'Qualified' })
  await qualified.waitFor()

  await finger.tapBeside(100, grip.y + 150)

  await qualified.waitFor()
  await finger.lift()
  await page.getByText('New warehouse is in Qualified').waitFor()
})

test('A deal can be moved by keyboard, and the move can be cancelled', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, '/pipeline')
  const grip = page.getByRole('button', { name: 'Move New warehouse' })

  await grip.focus()
  for (const key of ['Space', 'ArrowRight', 'Escape']) await page.keyboard.press(key)
  await idle(page)
  assert.equal(await grip.getAttribute('aria-pressed'), 'false')
  for (const key of ['Space', 'Space']) await page.keyboard.press(key)
  await idle(page)
  assert.equal(await page.locator('.toast').count(), 0) // it is where it was
  for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await columnOf(page, 'Proposal').getByText('1 deal').waitFor()

  assert.equal(await stageOf(api, id), 'Proposal')
  await idle(page)
  assert.ok(await page.locator('.deal button:focus').isVisible(), 'the focus goes with the deal')
})

test('A column loads more deals when it is scrolled', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...Array.from({ length: 60 }, (_, n) => ({ title: `Deal ${n}` })))
  await openPage(page, '/pipeline')
  const cards = columnOf(page, 'Lead').locator('.deal')
  await cards.first().waitFor()

  assert.ok((await cards.count()) < 60)
  for (const last of ['Deal 30', 'Deal 0']) {
    await cards.last().scrollIntoViewIfNeeded()
    await page.getByText(last, { exact: true }).waitFor()
  }
  await idle(page)
  assert.equal(await cards.count(), 60)
})

test('Cards show for how long a deal has been in its stage, and a stale one is marked', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const stages = (await api.get('/api-v1-stages')).body.data
  const [Lead, Qualified] = stages.map(({ id }: { id: string }) => id)
  await api.patch(`/api-v1-stages/${Lead}`, { stale_after_days: 30 })
  const { id } = await make(api, 'deal', { title: 'Old', stage_id: Lead })
  await make(api, 'deal', { title: 'Elsewhere', stage_id: Qualified })
  const ofOld = new RegExp(`("id":"${id}"[^}]*"is_stale":)false`)
  await page.route(
    ({ href }) => href.includes('stage-ages'),
    async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(/"entered_at":"[^"]*"/g, `"entered_at":"${daysAgo(12)}"`)
      return route.fulfill({ response, body: text.replace(ofOld, '$1true') })
    },
  )

  await openPage(page, '/pipeline')

  const stale = page.locator('.deal[data-stale]')
  await stale.getByText('Stale · 12 days').waitFor()
  assert.equal(await stale.count(), 1)
  assert.equal(await page.locator('.deal').getByText('12 days').count(), 2)
})

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}
