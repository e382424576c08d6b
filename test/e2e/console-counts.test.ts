import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Deals of the user and of nobody, open, won and lost, in one currency: each sum tells its deals apart. */
async function openWithDeals(t: TestContext) {
  const opened = await openConsole(t)
  const { api } = opened
  const me = (await api.get('/console/session')).body.data.user.id
  const stages = (await api.get('/api-v1-stages')).body.data as { id: string; kind: string }[]
  const day = new Date().toISOString().slice(0, 10)
  const of = (kind: string) => stages.filter((stage) => stage.kind === kind)
  for (const [at, stage] of [...of('open'), ...of('won'), ...of('lost')].entries()) {
    const own = { stage_id: stage.id, expected_close_date: day, probability: 100 } // so a weighted value is the value
    await make(api, 'deal', { ...own, title: `Mine ${at}`, value: 2 ** at * 1_000, assigned_to: me })
    await make(api, 'deal', { ...own, title: `Other ${at}`, value: 2 ** at * 10_000 })
  }
  await make(api, 'activity', { type: 'call', subject: 'Called' }, { type: 'note', subject: 'Noted' })
  return { ...opened, stages }
}

interface Found {
  total: number
  value: string
}

/** The number of records that the list of the page has found, and the sum of their values. */
async function foundBy(page: Page, href: string): Promise<Found> {
  await follow(page, href)
  const rows = await page.locator('table.records tbody tr').count()
  const sums = page.locator('.total a')
  return { total: rows, value: (await sums.count()) > 0 ? await sums.first().innerText() : '' }
}

/** Compares each link of a page to a list with what the list finds. */
async function compareLinks(page: Page, path: string): Promise<number> {
  await openPage(page, path)
  const links = await page
    .locator('main a[href*="/deals?"], main a[href*="/activities?"]')
    .evaluateAll((all) => all.map((a) => ({ text: a.textContent ?? '', href: a.getAttribute('href') ?? '' })))
  let compared = 0
  const lists = new Map<string, Found>()
  for (const { text, href } of links) {
    const money = /€[\d,.]+/.exec(text)?.[0]
    const count = /^(\d+)(?: deals?)?$/.exec(text.trim())?.[1] ?? /(\d+) deals?\b/.exec(text)?.[1]
    if (!money && count === undefined) continue
    const found = lists.get(href) ?? (await foundBy(page, href))
    lists.set(href, found)
    if (money) assert.equal(found.value, money, `${path}: ${text} → ${href}`)
    if (count !== undefined) assert.equal(found.total, Number(count), `${path}: ${text} → ${href}`)
    compared++
  }
  return compared
}

for (const [path, least] of [
  ['/', 4],
  ['/reports', 10],
] as const) {
  test(`Each link of ${path} from a number to a list shows as many records there`, { skip }, async (t) => {
    const { page } = await openWithDeals(t)

    assert.ok((await compareLinks(page, path)) >= least)
  })
}

test('The list that a board leads to has the deals of the board, with each of its filters', { skip }, async (t) => {
  const { page, stages } = await openWithDeals(t)
  const [first, second] = stages.filter(({ kind }) => kind === 'open')
  await openPage(page, '/')
  for (const query of [
    '',
    '?show=open',
    '?show=won',
    '?show=lost&q=Mine',
    `?stage_id=${first!.id}`,
    `?stage_id[in]=${first!.id},${second!.id}`,
    `?show=open&stage_id[ne]=${first!.id}`,
    '?assigned_to=null&show=open',
  ]) {
    await follow(page, `/pipeline${query}`)
    const cards = await page.locator('.deal').count()
    assert.ok(cards > 0, query)
    await page.getByRole('link', { name: 'Show as list' }).click()
    await page.getByRole('heading', { name: 'Deals', exact: true }).waitFor()
    await idle(page)
    assert.equal(await page.locator('table.records tbody tr').count(), cards, query)
  }
})
