import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

test('In German, why a delivery has failed, when it was tried, and how long two secrets are valid are in German', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { locale: 'en-US' })
  await page.addInitScript("localStorage.setItem('kontor.language', 'de')")
  const webhook = await make(api, 'webhook', { url: 'http://127.0.0.1:9/', events: ['*'] })
  await api.post(`/api-v1-webhooks/${webhook.id}/ping`)
  await openPage(page, `/webhooks/${webhook.id}`)
  const failed = page.getByRole('group').filter({ hasText: '1 Versuch' })
  await failed.locator('summary').click()
  await failed.getByText('Die Verbindung wurde abgelehnt').waitFor()
  assert.match(await failed.locator('time').last().innerText(), /^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/)

  await page.getByRole('button', { name: 'Geheimnis ersetzen …' }).click()
  await idle(page)
  const overlaps = page.getByRole('dialog').getByLabel('Übergangszeit').getByRole('option')
  assert.deepEqual(await overlaps.allInnerTexts(), ['Keine: jetzt ersetzen', '1 Stunde', '1 Tag', '3 Tage', '7 Tage'])
  assert.deepEqual(complaints, [])
})

test('In German, what the range of a replay must be is in German, without the names of the API', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  const webhook = await make(api, 'webhook', { url: 'http://127.0.0.1:9/', events: ['*'] })
  await openPage(page, `/webhooks/${webhook.id}`)
  await page.getByRole('button', { name: 'Erneut senden …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Änderungen erneut senden' })
  for (const [after, until, message] of [
    ['drei', '', /^Nötig ist die Nummer einer Änderung$/],
    ['987654', '', /^Die Nummer muss kleiner als \d+ sein$/],
    ['0', '987654', /^Die neueste Änderung hat die Nummer \d+$/],
  ] as const) {
    await dialog.getByRole('textbox').first().fill(after)
    await dialog.getByRole('textbox').last().fill(until)
    await dialog.getByRole('textbox').last().press('Enter')
    await dialog.getByText(message).waitFor()
  }
})
