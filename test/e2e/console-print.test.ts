import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

const black = 'rgb(0, 0, 0)'

test('A printed list has its table, without navigation, search, buttons and checkboxes', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nordwind', city: 'Kiel' }, { name: 'Südwind', city: 'Ulm' })
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Südwind' }).waitFor()

  await page.emulateMedia({ media: 'print' })

  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  for (const text of ['Organizations', 'Kiel', 'Ulm']) assert.ok(await shown(page, text), text)
  await idle(page)
  assert.deepEqual(await controlsOf(page), [])
  assert.equal(await page.getByRole('navigation', { name: 'Main' }).count(), 0)
  assert.equal(await page.getByRole('checkbox').count(), 0)
})

test('A printed table repeats its head on every page, and cuts no row and no text', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const name = `${'A very long name of an organization '.repeat(5)}and its end`
  await make(api, 'organization', { name })
  await openPage(page, '/organizations')
  const link = page.getByRole('link', { name: 'and its end' })
  await link.waitFor()

  await page.emulateMedia({ media: 'print' })

  await link.waitFor()
  await idle(page)
  assert.equal(await styleOf(page.locator('thead'), 'display'), 'table-header-group')
  assert.equal(await styleOf(page.locator('tbody tr'), 'break-inside'), 'avoid')
  assert.equal(await page.locator('tbody th').evaluate((cell) => cell.scrollWidth <= cell.clientWidth), true)
  assert.equal(await styleOf(page.locator('.scroll'), 'overflow-x'), 'visible')
})

test('A printed record has its details and its timeline, in black on white even in the dark theme', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { theme: 'dark' })
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  const contacts = ['Grace', 'Ada'].map((first_name) => ({ first_name, organization_id }))
  await make(api, 'contact', ...contacts)
  const { id } = await make(api, 'deal', {
    title: 'Hampers',
    value: 1200,
    currency: 'EUR',
    organization_id,
  })
  await make(api, 'activity', { type: 'call', subject: 'Asked for a discount', deal_id: id })
  await openPage(page, `/deals/${id}`)
  for (const text of ['Asked for a discount', 'Grace', 'Ada']) await page.getByText(text).first().waitFor()

  await page.emulateMedia({ media: 'print' })

  await page.getByText('Asked for a discount').first().waitFor()
  await idle(page)
  assert.deepEqual(await controlsOf(page), [])
  const title = page.getByRole('heading', { name: 'Hampers' })
  assert.equal(await styleOf(title, 'color'), black)
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgba(0, 0, 0, 0)')
  assert.equal(await styleOf(page.locator('.record > .card'), 'background-color'), 'rgb(255, 255, 255)')
  const [details, timeline] = await Promise.all([
    topOf(page.locator('.facts').first()),
    topOf(page.locator('.timeline')),
  ])
  assert.ok(details < timeline)
})

test('A printed record in a narrow window still has all its people', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 360 })
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  await make(api, 'contact', { first_name: 'Grace', organization_id }, { first_name: 'Ada', organization_id })
  const { id } = await make(api, 'deal', { title: 'Hampers', organization_id })
  await openPage(page, `/deals/${id}`)
  await page.locator('.person').first().waitFor()

  await page.emulateMedia({ media: 'print' })

  for (const name of ['Grace', 'Ada']) await page.locator('.person', { hasText: name }).waitFor()
})

test('A record that is printed from a wide window on narrow paper has its people without loading them again', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: contact_id } = await make(api, 'contact', { first_name: 'Grace' })
  const { id } = await make(api, 'deal', { title: 'Hampers', contact_id })
  await openPage(page, `/deals/${id}`)
  const person = page.locator('.person', { hasText: 'Grace' })
  await person.waitFor()
  await page.route('**/api-v1-contacts?*', () => {}) // paper does not wait

  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 1000 })
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

  assert.equal(await person.isVisible(), true)
})

test('A very long word of a printed table breaks, and does not cut off the columns after it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: `North ${'x'.repeat(85)}`, city: 'Kiel', domain: 'north.example' })
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'North x' }).waitFor()

  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 1000 })

  const { x, width } = (await page.getByRole('table').boundingBox())!
  assert.ok(x + width <= 700, `it ends at ${x + width}`)
})

test('A printed board shows all stages within the page, and no column scrolls', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deals = Array.from({ length: 15 }, (_, at) => ({ title: `Deal ${at + 1}` }))
  await make(api, 'deal', ...deals)
  await openPage(page, '/pipeline')
  await page.getByRole('link', { name: 'Deal 15' }).waitFor()

  await page.emulateMedia({ media: 'print' })

  await page.getByRole('link', { name: 'Deal 15' }).waitFor()
  await idle(page)
  assert.deepEqual(await controlsOf(page), [])
  const columns = await page.locator('.column').all()
  const boxes = await Promise.all(columns.map((column) => column.boundingBox()))
  assert.ok(boxes.length > 3)
  assert.ok(boxes.every((box) => box!.x + box!.width <= page.viewportSize()!.width))
  assert.equal(await styleOf(page.locator('.column > ul'), 'overflow-y'), 'visible')
})

test('A printed chart is as wide as the page, and not as the window in which it was drawn', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'activity', { type: 'call', subject: 'Asked for a discount' })
  await openPage(page, '/')
  const chart = page.locator('.chart canvas')
  await chart.waitFor()

  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 1000 })

  const { x, width } = (await chart.boundingBox())!
  assert.ok(x + width <= 700, `it ends at ${x + width}`)
})

test('A chart has dark labels on paper, and again those of the theme, also if the system changes it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { theme: 'dark', fresh: true })
  await make(api, 'activity', { type: 'call', subject: 'Asked for a discount' })
  await openPage(page, '/')
  const chart = page.locator('.chart canvas')
  await chart.waitFor()
  /** How light the darkest part of the labels is: 0 is black. */
  const darkest = () =>
    page.evaluate<number>(`{
      const canvas = document.querySelector('.chart canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, 55, canvas.height)
      Math.min(...data.filter((_, at) => at % 4 === 0 && data[at + 3] > 128))
    }`)
  const become = (what: string, isIt: (level: number) => boolean) =>
    until(`the labels are ${what}`, darkest, { is: (level) => Number.isFinite(level) && isIt(level) })
  await become('pale', (level) => level > 128)

  await page.emulateMedia({ media: 'print' })
  await become('dark', (level) => level < 80)
  await page.emulateMedia({ media: 'screen' })
  await become('pale', (level) => level > 128)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await become('dark', (level) => level < 128)
})

test('Printed line items have their whole names, and no inputs', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
  const name = `${'A very long name of a line item '.repeat(5)}and its end`
  await make(api, 'line_item', { deal_id, name, quantity: 3, unit_price: 1200.5 })
  await openPage(page, `/deals/${deal_id}`)
  const cell = page.locator('.line-items [data-cell="name"]')
  await cell.waitFor()
  const { height } = (await cell.boundingBox())!

  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 1000 })

  assert.deepEqual(await controlsOf(page), [])
  assert.equal(await cell.getAttribute('data-text'), name)
  assert.ok((await cell.boundingBox())!.height > height, 'it has several lines')
})

/** The buttons and inputs that would be printed. The heads of a table that sort are part of it, and so are the stages of a deal. */
function controlsOf(page: Page): Promise<string[]> {
  return page
    .locator(':is(button, input, select, textarea):not(th .sort, .stage-steps button):visible')
    .evaluateAll((all) => all.map((each) => each.outerHTML))
}

function shown(page: Page, text: string): Promise<boolean> {
  return page.getByText(text, { exact: true }).locator('visible=true').first().isVisible()
}

function styleOf(locator: Locator, name: string): Promise<string> {
  return locator
    .first()
    .evaluate(
      (element, name) => element.ownerDocument.defaultView!.getComputedStyle(element).getPropertyValue(name),
      name,
    )
}

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())!.y
}
