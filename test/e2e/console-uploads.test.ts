import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const uploads = '**/api-v1-files?*'

/** Chooses files with these contents for the record. Returns the list of uploads. */
async function choose(page: Page, ...files: (readonly [name: string, content: string])[]): Promise<Locator> {
  const chosen = files.map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) }))
  await page.getByRole('region', { name: 'Files' }).locator('input[type=file]').setInputFiles(chosen)
  return page.getByRole('list', { name: 'Uploads' })
}

test('The row of an upload has the focus after *Try again* by keyboard, and what takes its place when it is done', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  await page.route(uploads, (route) => route.abort())
  const list = await choose(page, ['offer.txt', 'offer'], ['plan.txt', 'plan'])
  const again = list.getByRole('button', { name: 'Try again offer.txt' })
  await list.getByRole('button', { name: 'Try again plan.txt' }).waitFor()
  await again.press('Enter')
  await again.waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  assert.match(await focused(), /^offer\.txt.*Try again/)
  assert.match((await list.getByRole('listitem').first().textContent())!, /^offer\.txt/, 'it stays in its place')

  await page.unroute(uploads)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('offer.txt added.').waitFor()
  await idle(page)
  assert.match(await page.evaluate<string>("document.activeElement.closest('li').textContent"), /^plan\.txt/)
})

test('Two files of the same name and size, whose responses were lost, are both there after another attempt, each once', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  const stored = async () => (await api.get(`/api-v1-files?deal_id=${deal.id}`)).body.data.length
  await page.route(uploads, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await choose(page, ['offer.txt', 'first'])
  await page.getByRole('button', { name: 'Try again offer.txt' }).waitFor()
  const list = await choose(page, ['offer.txt', 'other'])
  const again = list.getByRole('button', { name: 'Try again offer.txt' })
  await again.nth(1).waitFor()
  assert.equal(await stored(), 2)

  await page.unroute(uploads)
  for (const left of [1, 0]) {
    await again.first().click()
    await until('it is done', async () => (await list.getByRole('listitem').count()) === left)
  }
  assert.equal(await stored(), 2)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await until('one is taken back', async () => (await stored()) === 1)
})

test('*Try again* is not offered for a file that is empty, or whose record was deleted', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  await api.delete(`/api-v1-deals/${deal.id}`)

  const list = await choose(page, ['empty.txt', ''], ['offer.txt', 'offer'])

  await list.getByRole('alert').nth(1).waitFor()
  assert.equal(await list.getByRole('button', { name: 'Try again' }).count(), 0)
  assert.equal(await list.getByRole('button', { name: 'Dismiss' }).count(), 2)
})

test('An upload that is refused while the user looks at test data is sent again to the workspace of its record', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  const gone = Promise.withResolvers<void>()
  await page.route(uploads, async (route) => {
    await gone.promise
    await route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMITED', message: 'Too many requests' } } })
  })
  await choose(page, ['offer.txt', 'offer'])
  await page.getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByRole('heading', { name: 'Deals', exact: true }).waitFor()
  gone.resolve()
  await page.goBack()
  const again = page.getByRole('button', { name: 'Try again offer.txt' })
  await again.waitFor()

  await page.unroute(uploads)
  await again.click()
  await page.getByText('offer.txt added.').waitFor()

  assert.equal((await api.get(`/api-v1-files?deal_id=${deal.id}`)).body.data.length, 1)
})

test('What became of a file is in view where it was chosen, at the end of a long page on a phone, in German', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE', width: 360, touch: true })
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const tasks = Array.from({ length: 20 }, (_, at) => ({ title: `Task ${at}`, deal_id: deal.id }))
  await make(api, 'task', ...tasks)
  await openPage(page, `/deals/${deal.id}`)
  const files = page.getByRole('region', { name: 'Dateien' })
  await files.scrollIntoViewIfNeeded()

  await files
    .locator('input[type=file]')
    .setInputFiles({ name: 'leer.txt', mimeType: 'text/plain', buffer: Buffer.from('') })
  const row = page.getByRole('list', { name: 'Uploads' }).getByText('Die Datei ist leer')
  await row.waitFor()
  await idle(page)

  const { top, bottom } = await row.evaluate((each) => each.getBoundingClientRect())
  const scrolled = await page.evaluate<number>('scrollY')
  assert.ok(scrolled > 740, `${scrolled}`)
  assert.ok(top >= 0 && bottom <= 740, `${top} to ${bottom}`)
})
