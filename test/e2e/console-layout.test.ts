import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** The texts of the elements that stand out of the box that contains them, by the selectors of both. */
function outside(page: Page, box: string, element: string): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('${box}')].flatMap((box) => {
      const { left, right } = box.getBoundingClientRect()
      return [...box.querySelectorAll('${element}')]
        .filter((each) => each.scrollWidth > each.clientWidth || each.getBoundingClientRect().right > right + 1 ||
          each.getBoundingClientRect().left < left - 1)
        .map((each) => each.textContent)
    })`,
  )
}

test('Large amounts in many currencies stay within their columns and tiles', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE', width: 1280 }) // the longer words
  const { data: stages } = (await api.get('/api-v1-stages')).body
  const deals = ['CHF', 'EUR', 'PLN', 'SEK', 'USD'].flatMap((currency) =>
    stages.map((stage: { id: string }) => ({ title: 'Order', value: 12_345_678, currency, stage_id: stage.id })),
  )
  await make(api, 'deal', ...deals)

  await openPage(page, '/pipeline')
  await page.locator('.column .sum button').nth(5).waitFor({ state: 'attached' })
  assert.deepEqual(await outside(page, '.column', 'header .button, header .sum > *'), [])
  const heights = await page.locator('.column > header').evaluateAll((all) => all.map((each) => each.clientHeight))
  assert.equal(new Set(heights).size, 1, `headers are ${heights} px high`)

  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    for (const path of ['/reports', '/']) {
      await openPage(page, path)
      await page.locator('.tile .figure a').first().waitFor()
      assert.deepEqual(await outside(page, '.tile', '.figure'), [], `${path} at ${width} px`)
    }
  }
})

test('A tile breaks no currency code into two lines', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  await make(api, 'deal', { title: 'Order', value: 1_980_000, currency: 'CHF' })

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await openPage(page, '/')
    const figure = page
      .locator('.tile .figure')
      .filter({ hasText: /1,98\sMio\.\sCHF/ })
      .locator('a')
    const lines = await figure.first().evaluate((each) => {
      const range = each.ownerDocument.createRange()
      range.selectNodeContents(each)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })
    assert.equal(lines, 1, `${width} px`)
  }
})

test('A name from right to left that has no space in a list is cut off at its end', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  const name = 'شركة النور للتجارة والصناعة والخدمات اللوجستية الدولية'
  const { id } = await make(api, 'organization', { name })
  await make(api, 'deal', { title: 'Order', organization_id: id })
  await openPage(page, '/deals')
  await page.getByRole('cell', { name }).waitFor()

  const shown = await page.evaluate(`(() => {
    const cell = [...document.querySelectorAll('td')].find(({ textContent }) => textContent === '${name}')
    const { direction, textAlign } = getComputedStyle(cell)
    return { direction, textAlign, isCut: cell.scrollWidth > cell.clientWidth }
  })()`)

  assert.deepEqual(shown, { direction: 'rtl', textAlign: 'left', isCut: true })
})

test('With forced colors, the current page and the colors of stages can still be seen', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, '/settings/stages')
  await page.locator('.dot').first().waitFor()

  const shown = await page.evaluate(`(() => {
    const [current, other, dot] = ['.side [aria-current]', '.side a:not([aria-current])', '.dot']
      .map((selector) => getComputedStyle(document.querySelector(selector)))
    return [current.outlineStyle, other.outlineStyle, dot.backgroundColor === other.backgroundColor]
  })()`)

  assert.deepEqual(shown, ['solid', 'none', false])
})

test('With forced colors, the parts of a bar have the colors of the legend', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  for (const type of ['call', 'email']) await make(api, 'activity', { type, subject: 'Asked for a discount' })
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, '/')
  await page.locator('.chart canvas').waitFor()
  await idle(page)

  const missing = await page.evaluate(`(() => {
    const canvas = document.querySelector('.chart canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const drawn = new Set()
    for (let at = 0; at < data.length; at += 4) drawn.add('rgb(' + data.slice(at, at + 3).join(', ') + ')')
    const dots = [...document.querySelectorAll('.legend .dot')].slice(0, 2)
    return dots.map((dot) => getComputedStyle(dot).backgroundColor).filter((color) => !drawn.has(color))
  })()`)

  assert.deepEqual(missing, [])
})

test('A long company name leaves a page of 360 px as wide as the screen', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, touch: true })
  const name = 'Feinkost & Söhne Vertriebsgesellschaft mbH & Co. KG'
  assert.equal((await api.patch('/console/company', { name })).status, 200)

  await openPage(page, '/contacts')

  assert.equal(await page.getByRole('link', { name }).count(), 1)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
})

test('Long titles of the next task and of activities leave the page of a deal as wide as the screen', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  const { id } = await make(api, 'deal', { title: 'Coaches' })
  await make(api, 'task', { title: 'Send the offer with all the prices again '.repeat(5), deal_id: id })
  const link = `https://example.com/${'offer'.repeat(40)}`
  await make(api, 'activity', { type: 'note', subject: link, description: link, deal_id: id })

  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    await openPage(page, `/deals/${id}`)
    await page.locator('.next').getByRole('link', { name: 'Send the offer' }).waitFor()
    await page.locator('.timeline strong', { hasText: link }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
  }
})

test('In German, the tables of a report beside each other fit their cards', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  const [won, lost] = (await api.get('/api-v1-stages?sort=-position')).body.data
  for (const [stage_id, currency] of [
    [won.id, 'EUR'],
    [lost.id, 'EUR'],
    [won.id, 'USD'],
    [lost.id, 'USD'],
  ])
    await make(api, 'deal', { title: 'Hampers', value: 1_234_567, currency, stage_id })
  await openPage(page, '/reports')

  await page.getByRole('region', { name: 'Gewonnen nach Inhaber: Tabelle' }).waitFor()
  assert.deepEqual(
    await page.evaluate(
      `[...document.querySelectorAll('.report')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)`,
    ),
    [],
  )
})

test('On a phone, the button that changes a fact is in the middle of the last line of its value', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, touch: true })
  const { id } = await make(api, 'organization', { name: 'Acme', address: 'Quay 1\nDock 2', postal_code: '20095' })
  await openPage(page, `/organizations/${id}`)

  const distances: number[] = await page.evaluate(
    `[...document.querySelectorAll('.facts dd:has(.button)')].map((dd) => {
      const range = document.createRange()
      range.selectNodeContents(dd.firstChild)
      const line = [...range.getClientRects()].at(-1)
      const button = dd.querySelector('.button').getBoundingClientRect()
      return Math.abs((line.top + line.bottom) / 2 - (button.top + button.bottom) / 2)
    })`,
  )
  assert.equal(distances.length, 2)
  for (const distance of distances) assert.ok(distance < 4, `${distance} px`)
})

test('The long name of a stage does not make the page of its deal wider than a phone, nor its history', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, touch: true })
  const stage = await make(api, 'stage', { name: 'Negotiation of the contract with the department of procurement' })
  const { id } = await make(api, 'deal', { title: 'Order' })
  await api.patch(`/api-v1-deals/${id}/stage`, { stage_id: stage.id })
  for (const path of [`/deals/${id}`, `/deals/${id}?show=history`]) {
    await openPage(page, path)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
  }
})

test('The board shows the names of won and lost stages whole in German, beside the buttons of their columns', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE', width: 1280 })
  const { data: stages } = (await api.get('/api-v1-stages')).body
  for (const { id, kind } of stages) {
    if (kind !== 'open') await api.patch(`/api-v1-stages/${id}`, { name: kind === 'won' ? 'Gewonnen' : 'Verloren' })
  }
  await make(api, 'deal', { title: 'Order' })
  await openPage(page, '/pipeline')
  await page.getByRole('heading', { name: 'Gewonnen' }).waitFor()
  assert.deepEqual(await outside(page, '.column', 'header h2 span:last-child'), [])
})
