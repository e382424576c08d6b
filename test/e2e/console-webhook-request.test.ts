import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Receiver } from '../features/webhooks/receiver.ts'
import { untilDelivered } from '../features/webhooks/webhooks.ts'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

test('The request of a delivery is shown with all digits of its numbers', { skip }, async (t) => {
  const { url: receiver } = await Receiver.open(t)
  const { api, page, url } = await openConsole(t)
  const webhook = await make(api, 'webhook', { url: receiver, events: ['line_item.created'] })
  const deal = await make(api, 'deal', { title: 'Title "{,}\\' })
  const headers = { Cookie: api.cookie!, 'Kontor-Environment': 'live', 'Content-Type': 'application/json' }
  const body = `{"deal_id":"${deal.id}","name":"A \\"{,}","unit_price":99999999999.123456,"metadata":{"none":{},"list":[1,[]]}}`
  const made = await fetch(`${url}/api-v1-line-items`, { method: 'POST', headers, body })
  assert.equal(made.status, 201, await made.text())
  await untilDelivered(api, webhook, 1)
  await openPage(page, `/webhooks/${webhook.id}`)
  await page.locator('summary', { hasText: 'line_item.created' }).click()
  const shown = await page.locator('figure', { hasText: 'Request' }).locator('pre').innerText()

  assert.ok(shown.includes('"unit_price": 99999999999.123456'), shown)
  const withShort = shown.replaceAll('99999999999.123456', '1')
  assert.equal(withShort, JSON.stringify(JSON.parse(withShort), null, 2))
})
