import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closeBrowser, withoutBrowser } from '../support/browser.ts'
import { make, openConsole } from '../support/console.ts'

const skip = withoutBrowser
after(closeBrowser)
process.env.KONTOR_WEBHOOK_ALLOW = '127.0.0.1' // for the server of these tests

interface Receiver {
  url: string
  received: { headers: IncomingHttpHeaders; body: { type: string; data: { name?: string } } }[]
  /** How it responds from now on. */
  status: number
  response: string
}

async function startReceiver(t: TestContext): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], status: 204, response: '' }
  const server = createServer(async (request, response) => {
    receiver.received.push({ headers: request.headers, body: JSON.parse(await text(request)) })
    response.writeHead(receiver.status).end(receiver.response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

const main = (page: Page) => page.getByRole('main')
const deliveries = (page: Page) => main(page).getByRole('region', { name: 'Deliveries' })
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
async function failingSince(page: Page, hoursAgo: number): Promise<void> {
  const failing_since = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  await page.route('**/api-v1-webhooks?*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const failing = data.map((webhook: object) => ({ ...webhook, failing_since }))
    await route.fulfill({ response, json: { data: failing, ...rest } })
  })
}

test('A webhook is created with an event picker, and its secret is shown once', { skip }, async (t) => {
  const { url } = await startReceiver(t)
  const { api, page, complaints } = await openConsole(t)
  await page.goto('/')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click()
  await main(page).getByRole('button', { name: 'New webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New webhook' })
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await dialog.getByText('Url is required').waitFor()
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByLabel('Everything').check()
  assert.ok(await dialog.getByLabel('Contacts', { exact: true }).isDisabled())
  await dialog.getByLabel('Everything').uncheck()
  await dialog.getByLabel('Contacts', { exact: true }).check()
  await dialog.getByText('Choose types of Deals').click()
  await dialog.getByLabel('Won (Deals)').check()
  await dialog.getByLabel('Lost (Deals)').check()
  await dialog.getByLabel('Description').fill('Invoices')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  const secret = await page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('button', { name: 'I have saved it' }).click()

  assert.match(secret, /^whsec_/)
  await main(page).getByRole('heading', { name: url }).waitFor()
  assert.ok(!(await page.content()).includes(secret))
  const [webhook] = (await api.get('/api-v1-webhooks')).body.data
  assert.deepEqual(
    [webhook.url, webhook.events.toSorted(), webhook.description, webhook.payload],
    [url, ['contact.*', 'deal.lost', 'deal.won'], 'Invoices', 'full'],
  )

  await main(page).getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit webhook' })
  await edit.getByLabel('Lost (Deals)').uncheck()
  await edit.getByLabel('Payload').selectOption('thin')
  await edit.getByLabel('Keep the order').check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await details(page).getByText('contact.*, deal.won').waitFor()
  await details(page).getByText('Each delivery waits').waitFor()
  await main(page).getByRole('link', { name: 'Webhooks' }).click()
  await main(page).getByText('Nothing delivered yet').waitFor()

  await main(page).getByRole('button', { name: 'New webhook' }).click()
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByLabel('Contacts', { exact: true }).check()
  await dialog.getByText('Choose types of Deals').click()
  await dialog.getByLabel('Won (Deals)').check()
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('This webhook exists already').waitFor()
  await page.waitForURL(`**/webhooks/${webhook.id}`)
  assert.deepEqual(complaints, [])
})

test('A ping shows its delivery, with the request', { skip }, async (t) => {
  const { url, received } = await startReceiver(t)
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'api-v1-webhooks', { url, events: ['deal.won'] })
  await page.goto(`/webhooks/${id}`)
  await deliveries(page).getByText('No deliveries yet').waitFor()

  await main(page).getByRole('button', { name: 'Ping' }).click()

  await deliveries(page).locator('summary', { hasText: 'Succeeded' }).click()
  await deliveries(page).getByText('Status 204').waitFor()
  await deliveries(page).getByText(`"webhook_id": "${id}"`).waitFor()
  await details(page).getByText('Delivering').waitFor()
  assert.deepEqual(
    received.map(({ body }) => body.type),
    ['webhook.ping'],
  )
  await deliveries(page).getByRole('button', { name: 'Failed' }).click()
  await deliveries(page).getByText('No deliveries are failed').waitFor()
  assert.deepEqual(complaints, [])
})

test('A failed attempt shows its status, response and request; a redelivery shows that the receiver is back', {
  skip,
}, async (t) => {
  const receiver = await startReceiver(t)
  Object.assign(receiver, { status: 500, response: 'no table orders <b>' })
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'api-v1-webhooks', { url: receiver.url, events: ['organization.*'] })
  await make(api, 'api-v1-organizations', { name: 'Nordwind' })
  while (receiver.received.length === 0) await page.waitForTimeout(20)
  await page.goto(`/webhooks/${id}`)
  await details(page).getByText('Failing').waitFor()

  await deliveries(page).locator('summary', { hasText: 'Pending' }).click()
  const attempts = deliveries(page).getByRole('list', { name: 'Attempts' })
  await attempts.getByText('Status 500').waitFor()
  await attempts.getByText('no table orders <b>').waitFor()
  await deliveries(page).getByText('"name": "Nordwind"').waitFor()

  receiver.status = 200
  await deliveries(page).getByRole('button', { name: 'Redeliver organization.created' }).click()
  await attempts.getByText('Status 200').waitFor()
  await deliveries(page).locator('summary', { hasText: 'Succeeded' }).waitFor()
  await details(page).getByText('Delivering').waitFor()
  assert.deepEqual(complaints, [])
})

test('A range of changes is replayed', { skip }, async (t) => {
  const receiver = await startReceiver(t)
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'api-v1-webhooks', { url: receiver.url, events: ['organization.*'] })
  for (const name of ['Nordwind', 'Südwind', 'Ostwind']) await make(api, 'api-v1-organizations', { name })
  while (receiver.received.length < 3) await page.waitForTimeout(20)
  const [, second] = (await api.get(`/api-v1-webhooks/${id}/deliveries`)).body.data
  await page.goto(`/webhooks/${id}`)

  await main(page).getByRole('button', { name: 'Replay' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay changes' })
  await dialog.getByLabel('After change').fill('first')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await dialog.getByText('after must be the number of a change').waitFor()
  await dialog.getByLabel('After change').fill(String(second.seq - 1))
  await dialog.getByLabel('Up to change').fill(String(second.seq))
  await dialog.getByRole('button', { name: 'Replay' }).click()

  await deliveries(page).locator('summary', { hasText: '2 attempts' }).waitFor()
  assert.deepEqual(
    receiver.received.map(({ body }) => body.data.name),
    ['Nordwind', 'Südwind', 'Ostwind', 'Südwind'],
  )
  assert.deepEqual(complaints, [])
})

test('A rotated secret is shown once, and both secrets sign during the overlap', { skip }, async (t) => {
  const { url, received } = await startReceiver(t)
  const { api, page, complaints } = await openConsole(t)
  const webhook = await make(api, 'api-v1-webhooks', { url, events: ['deal.won'] })
  await page.goto(`/webhooks/${webhook.id}`)

  await main(page).getByRole('button', { name: 'Rotate secret' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret' })
  await dialog.getByLabel('Overlap').selectOption('7 days')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  const secret = await page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('button', { name: 'I have saved it' }).click()

  assert.match(secret, /^whsec_/)
  assert.notEqual(secret, (webhook as { secret?: string }).secret)
  assert.ok(!(await page.content()).includes(secret))
  await main(page).getByRole('button', { name: 'Ping' }).click()
  await deliveries(page).locator('summary', { hasText: 'Succeeded' }).waitFor()
  assert.equal(String(received[0]!.headers['webhook-signature']).split(' ').length, 2)
  assert.deepEqual(complaints, [])
})

test('When the server disables a webhook, every page says so until it is enabled again', { skip }, async (t) => {
  const receiver = await startReceiver(t)
  receiver.status = 410
  const { api, page, complaints } = await openConsole(t, { live: true })
  const { id } = await make(api, 'api-v1-webhooks', { url: receiver.url, events: ['organization.*'] })
  await page.goto('/deals')
  await main(page).getByRole('heading', { name: 'Deals', exact: true }).waitFor()
  await make(api, 'api-v1-organizations', { name: 'Nordwind' })

  await banner(page).getByText('was disabled').waitFor()
  await page.goto('/')
  await banner(page).getByRole('link', { name: 'Show webhook' }).click()
  await page.waitForURL(`**/webhooks/${id}`)
  await details(page).getByText('410 Gone').waitFor()
  assert.equal(await main(page).getByRole('button', { name: 'Ping' }).count(), 0)
  receiver.status = 204
  await main(page).getByRole('button', { name: 'Enable' }).click()
  await banner(page).waitFor({ state: 'detached' })
  await main(page).getByRole('button', { name: 'Ping' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('Admins see a banner for a webhook that has been failing for more than a day, but not for less', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'api-v1-webhooks', { url: 'http://127.0.0.1:9/hook', events: ['deal.won'] })
  const loaded = () => page.waitForResponse('**/api-v1-webhooks?*')

  await failingSince(page, 23)
  await Promise.all([loaded(), page.goto('/')])
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await banner(page).count(), 0)
  await page.unroute('**/api-v1-webhooks?*')
  await failingSince(page, 25)
  await page.goto('/')
  await banner(page).getByText('The webhook to 127.0.0.1:9 has been failing since yesterday').waitFor()

  await alterPage(page, '"role":"owner"', '"role":"member"')
  await page.goto('/')
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await banner(page).count(), 0)
  assert.deepEqual(complaints, [])
})

test('The menu has no webhooks if the plan does not include them', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const menu = page.getByRole('navigation', { name: 'Main' })
  await page.goto('/')
  await menu.getByRole('link', { name: 'Webhooks' }).waitFor()

  await alterPage(page, '"webhooks":true', '"webhooks":false')
  await page.goto('/')

  await menu.getByRole('link', { name: 'Trash' }).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Webhooks' }).count(), 0)
})

test('Live and test data have their own webhooks; a deleted one can be restored', { skip }, async (t) => {
  const { url } = await startReceiver(t)
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'api-v1-webhooks', { url, events: ['deal.won'] })
  await page.goto('/test/webhooks')
  await main(page).getByText('No webhooks yet').waitFor()
  await page.goto(`/test/webhooks/${id}`)
  await main(page).getByText('not found', { exact: false }).first().waitFor()

  await page.goto('/webhooks')
  await main(page).getByRole('link', { name: url }).click()
  await main(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await main(page).getByText('No webhooks yet').waitFor()
  await page.goto(`/webhooks/${id}`)
  await main(page).getByRole('button', { name: 'Restore' }).click()
  await main(page).getByRole('button', { name: 'Ping' }).waitFor()
  assert.deepEqual(complaints, [])
})
