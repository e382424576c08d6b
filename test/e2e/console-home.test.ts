import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ScreenOptions, withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { dealCloser, openSandboxConsole, stopClock } from './sandbox-console.ts'

const skip = withoutBrowser

/** A Monday. */
const now = '2026-11-23T09:00:00.000Z'

async function openHome(t: TestContext, options?: ScreenOptions) {
  const opened = await openSandboxConsole(t, 'empty', options)
  return { ...opened, ...(await dealCloser(opened.client)) }
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** A tile with a number: its name, and all that it shows. */
const tile = (page: Page, name: string) => region(page, 'Numbers').locator('dl > div', { hasText: name })

/** Opens the list that a number leads to. Returns the titles of its deals. */
async function dealsBehind(page: Page, link: ReturnType<Page['locator']>): Promise<string[]> {
  await link.click()
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Deals' }).getByRole('rowheader').first().waitFor()
  await idle(page)
  return (await page.getByRole('region', { name: 'Deals' }).getByRole('rowheader').allInnerTexts()).sort()
}

test('The home page begins with the tasks that are due, which one click completes, and the deals that close', {
  skip,
}, async (t) => {
  const { page, client, close, idOf } = await openHome(t)
  await close('Won', now, now, { title: 'Won long ago', expected_close_date: '2026-11-01' })
  await stopClock(client, now)
  await make(client, 'task', { title: 'Last week', due_date: '2026-11-16T09:00:00Z' })
  await make(client, 'task', { title: 'This evening', due_date: '2026-11-23T18:00:00Z' })
  await make(client, 'task', { title: 'Tomorrow', due_date: '2026-11-24T09:00:00Z' })
  const stage_id = idOf('Proposal')
  await make(client, 'deal', { title: 'Late', stage_id, expected_close_date: '2026-11-20', value: 5_000 })
  await make(client, 'deal', { title: 'In two weeks', stage_id, expected_close_date: '2026-12-07' })
  await make(client, 'deal', { title: 'Next year', stage_id, expected_close_date: '2027-01-07' })
  await openPage(page, '/test')

  const [tasks, closing] = [region(page, 'Tasks due'), region(page, 'Closing soon')]
  await tasks.getByText('2 tasks due').waitFor()
  await closing.getByText('2 deals').waitFor()
  assert.deepEqual(await closing.getByRole('listitem').getByRole('link').allInnerTexts(), ['Late', 'In two weeks'])
  assert.match(await closing.getByRole('listitem').first().innerText(), /should have closed 20 Nov 2026[\s\S]*€5,000/)
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
  assert.deepEqual(headings.slice(0, 2), ['Tasks due', 'Closing soon'])

  await tasks.getByRole('checkbox', { name: 'Complete Last week' }).click()
  await tasks.getByText('1 task due').waitFor()
  await region(page, 'Latest changes')
    .getByText(/^Completed ·/)
    .waitFor()
  await tasks.getByRole('link', { name: '1 task due' }).click()
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'This evening' }).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('link', { name: 'Tomorrow' }).count(), 0)
})

test('The numbers are in the currency of most open deals, the others unfold, and each leads to its deals', {
  skip,
}, async (t) => {
  const { page, client, close, idOf } = await openHome(t)
  const won = { value: 300, currency: 'CHF' }
  await close('Won', '2026-10-01T09:00:00Z', '2026-10-31T23:59:59Z', { title: 'In October', ...won })
  await close('Won', '2026-10-01T09:00:00Z', '2026-11-01T00:00:00Z', { title: 'In November', ...won })
  await close('Won', '2026-10-01T09:00:00Z', '2026-11-20T00:00:00Z', { title: 'Euros', value: 1_000 })
  await close('Lost', '2026-10-01T09:00:00Z', '2026-11-20T00:00:00Z', { title: 'Lost' })
  await stopClock(client, now)
  const open = { stage_id: idOf('Lead'), probability: 50 }
  await make(client, 'deal', { title: 'A', value: 1_000_000, currency: 'USD', ...open })
  await make(client, 'deal', { title: 'B', value: 100, ...open })
  await make(client, 'deal', { title: 'C', value: 200, ...open })
  await openPage(page, '/test')

  await tile(page, 'Open deals').getByText('€300').waitFor()
  assert.match(await tile(page, 'Open deals').innerText(), /\+1\s+3 open deals/)
  await tile(page, 'Open deals').getByText('+1').click()
  await tile(page, 'Open deals').getByText('US$1M').waitFor()
  await idle(page)
  assert.match(await tile(page, 'Weighted forecast').innerText(), /€150/)
  assert.match(await tile(page, 'Won this month').innerText(), /€1,000[\s\S]*2 deals won/)
  assert.match(await tile(page, 'Win rate').innerText(), /67%[\s\S]*2 won, 1 lost/)

  assert.deepEqual(await dealsBehind(page, tile(page, 'Open deals').getByText('US$1M')), ['A'])
  await openPage(page, '/test')
  const rate = tile(page, 'Win rate').getByRole('link')
  assert.deepEqual(await dealsBehind(page, rate), ['Euros', 'In November', 'Lost'])
  await openPage(page, '/test')
  const lead = region(page, 'Pipeline').getByRole('link', { name: /^Lead/ })
  assert.deepEqual(await dealsBehind(page, lead), ['A', 'B', 'C'])
})

test('With exchange rates, the numbers and the pipeline of the home page are in the currency of the company', {
  skip,
}, async (t) => {
  const { page, client, close, idOf } = await openHome(t)
  await make(client, 'exchange_rate', { currency: 'USD', rate: 0.5, valid_from: '2020-01-01' })
  await close('Won', '2026-10-01T09:00:00Z', '2026-11-20T00:00:00Z', { title: 'Won', value: 600, currency: 'USD' })
  await stopClock(client, now)
  const open = { stage_id: idOf('Lead'), probability: 50, expected_close_date: '2026-11-25' }
  await make(client, 'deal', { title: 'A', value: 2_000, currency: 'USD', ...open })
  await make(client, 'deal', { title: 'B', value: 100, ...open })
  await make(client, 'deal', { title: 'C', value: 900, currency: 'CHF', ...open })
  await openPage(page, '/test')

  await tile(page, 'Open deals').getByRole('link', { name: '€1,100 + CHF' }).waitFor()
  await tile(page, 'Weighted forecast').getByRole('link', { name: '€550 + CHF' }).waitFor()
  await tile(page, 'Forecast of this month').getByRole('link', { name: '€550 + CHF' }).waitFor()
  await tile(page, 'Won this month').getByRole('link', { name: '€300' }).waitFor()
  await region(page, 'Pipeline')
    .getByRole('link', { name: /^Lead 3 deals · €1,100 \+ CHF/ })
    .waitFor()
})

test('The month is that of the user’s time zone', { skip }, async (t) => {
  const { page, client, close } = await openHome(t, { timeZone: 'Asia/Tokyo' })
  await close('Won', '2026-10-01T09:00:00Z', '2026-10-31T14:59:59Z', { title: 'In October', value: 1 })
  await close('Won', '2026-10-01T09:00:00Z', '2026-10-31T15:00:00Z', { title: 'In November', value: 20 })
  await stopClock(client, now)
  await openPage(page, '/test')

  await tile(page, 'Won this month').getByText('€20').waitFor()
  const link = tile(page, 'Won this month').getByRole('link')
  assert.deepEqual(await dealsBehind(page, link), ['In November'])
})

test('Mine shows only what is assigned to the user, and this browser remembers the choice', { skip }, async (t) => {
  const { page, client, ownerId, idOf } = await openHome(t)
  await stopClock(client, now)
  const soon = { stage_id: idOf('Lead'), expected_close_date: '2026-11-25' }
  await make(client, 'deal', { title: 'My deal', assigned_to: ownerId, ...soon })
  await make(client, 'deal', { title: 'Other deal', ...soon })
  await make(client, 'task', { title: 'My task', assigned_to: ownerId, due_date: '2026-11-23T18:00:00Z' })
  await make(client, 'task', { title: 'Other task', due_date: '2026-11-23T18:00:00Z' })
  await openPage(page, '/test')
  await region(page, 'Closing soon').getByText('Other deal').waitFor()
  await region(page, 'Tasks due').getByText('Other task').waitFor()

  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByRole('heading', { name: 'Your tasks due' }).waitFor()
  await page.reload()

  await region(page, 'Closing soon').getByText('1 deal', { exact: true }).waitFor()
  await region(page, 'Tasks due').getByText('My task').waitFor()
  await tile(page, 'Open deals').getByText('1 open deal').waitFor()
  for (const name of ['Closing soon', 'Tasks due']) {
    await idle(page)
    assert.equal(
      await region(page, name)
        .getByText(/^Other/)
        .count(),
      0,
    )
  }
  await idle(page)
  assert.equal(await page.getByRole('button', { name: 'Mine', exact: true }).getAttribute('aria-pressed'), 'true')
})

test('The activity of the last weeks is also a table, whose numbers lead to the activities', { skip }, async (t) => {
  const { page, client } = await openHome(t)
  for (const time of ['2026-09-01T09:00:00Z', '2026-11-15T23:59:59Z', '2026-11-16T00:00:00Z', now]) {
    await stopClock(client, time)
    await make(client, 'activity', { type: 'call', subject: `Call at ${time}` })
  }
  await openPage(page, '/test')
  const weeks = region(page, 'Activity by week')
  await weeks.getByText('As a table').click()

  const rows = weeks.getByRole('row')
  await rows.nth(3).waitFor()
  await idle(page)
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  assert.deepEqual(
    texts.map((text) => text.slice(0, 24)),
    ['Period Call Email Meetin', '9 – 15 Nov 2026 1 0 0 0 ', '16 – 22 Nov 2026 1 0 0 0', '23 – 29 Nov 2026 1 0 0 0'],
  )
  await rows.nth(1).getByRole('link', { name: '1' }).click()
  await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor()
  await page.getByRole('rowheader', { name: 'Call at 2026-11-15T23:59:59Z' }).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('rowheader').count(), 1)
  await page.goBack()
  await weeks.getByRole('link', { name: '3', exact: true }).first().click()
  await page.getByRole('rowheader').nth(2).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('rowheader').count(), 3)
})

test('A company sees only its own numbers, and without deals it reads what to do', { skip }, async (t) => {
  const acme = await openConsole(t)
  const globex = await openConsole(t, { fresh: true })
  await make(globex.api, 'deal', { title: 'Hampers', value: 500, expected_close_date: '2026-01-01' })

  await openPage(acme.page, '/')
  await region(acme.page, 'Pipeline').getByText('No deals yet').waitFor()
  await region(acme.page, 'Closing soon').getByText('Nothing closes soon').waitFor()
  await region(acme.page, 'Activity by week').getByText('No activity in the last weeks').waitFor()
  await idle(acme.page)
  assert.equal(await region(acme.page, 'Numbers').count(), 0)
  await openPage(globex.page, '/')
  await tile(globex.page, 'Open deals').getByText('€500').waitFor()
  assert.deepEqual([...acme.complaints, ...globex.complaints], [])
})
