import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { Receiver } from '../features/webhooks/receiver.ts'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { alterReads, waitForRead } from './reads.ts'

const skip = withoutBrowser

const main = (page: Page) => page.getByRole('main')
const details = (page: Page) => main(page).getByRole('region', { name: 'Details' })
const banner = (page: Page) => main(page).locator('.alarm')

/** Changes what a signed-in page contains when it is loaded. */
async function alterPage(page: Page, from: string, to: string): Promise<void> {
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    assert.ok(html.includes(from))
    await route.fulfill({ response, body: html.replace(from, to) })
  })
}

/** The list of webhooks has this time as the beginning of each one's failures. */
function failingSince(page: Page, hoursAgo: number): Promise<() => Promise<void>> {
  const failing_since = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  return alterReads(page, /api-v1-webhooks\?/, ({ status, body }) => {
    const data = body.data.map((webhook: object) => ({ ...webhook, failing_since }))
    return { status, body: { ...body, data } }
  })
}

test('When the server disables a webhook, every page says so until it is enabled again', { skip }, async (t) => {
  const receiver = await Receiver.open(t)
  receiver.respond = (response) => response.writeHead(410).end()
  const { api, page, complaints } = await openConsole(t, { live: true })
  const { id } = await make(api, 'webhook', { url: receiver.url, events: ['organization.*'] })
  await openPage(page, '/deals')
  await main(page).getByRole('heading', { name: 'Deals', exact: true }).waitFor()
  await make(api, 'organization', { name: 'Nordwind' })

  await banner(page).getByText('was disabled').waitFor()
  await openPage(page, '/')
  await banner(page).getByRole('link', { name: 'Show webhook' }).click()
  await page.waitForURL(`**/webhooks/${id}`)
  await details(page).getByText('410 Gone').waitFor()
  await idle(page)
  assert.equal(await main(page).getByRole('button', { name: 'Ping' }).count(), 0)
  await main(page).getByRole('button', { name: 'Enable' }).click()
  await banner(page).waitFor({ state: 'detached' })
  await main(page).getByRole('button', { name: 'Ping' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('Admins see a banner for a webhook that has been failing for more than a day, but not for less', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'webhook', { url: 'http://127.0.0.1:9/hook', events: ['deal.won'] })
  const loaded = () => waitForRead(page, /api-v1-webhooks\?/)

  const stop = await failingSince(page, 23)
  await Promise.all([loaded(), page.goto('/')])
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  await idle(page)
  assert.equal(await banner(page).count(), 0)
  await stop()
  await failingSince(page, 25)
  await openPage(page, '/')
  await banner(page).getByText('The webhook to 127.0.0.1:9 has been failing since').waitFor()

  await alterPage(page, '"role":"owner"', '"role":"member"')
  await openPage(page, '/')
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await banner(page).count(), 0)
  assert.deepEqual(complaints, [])
})

test('The menu has no webhooks if the plan does not include them', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const menu = page.getByRole('navigation', { name: 'Main' })
  await openPage(page, '/')
  await menu.getByRole('link', { name: 'Webhooks' }).waitFor()

  await alterPage(page, '"webhooks":true', '"webhooks":false')
  await openPage(page, '/')

  await menu.getByRole('link', { name: 'Trash' }).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Webhooks' }).count(), 0)
})
