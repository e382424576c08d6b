import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

test('Dialogs and the pages before sign-in have no axe violations', { skip }, async (t) => {
  const { api, page, context } = await openConsole(t, { width: 360 })
  const open = async (path: string, button: string) => {
    await openPage(page, path)
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await violationsOn(page), [], button)
  }
  await open('/contacts', 'New contact')
  await open('/organizations', 'Filter')
  await make(api, 'task', { title: 'Call back', due_date: '2026-01-01' })
  await open('/tasks?show=open', 'Reschedule Call back')
  await open('/keys', 'New key')
  await open('/webhooks', 'New webhook')
  await page.getByText('Choose types (Deals)').click()
  assert.deepEqual(await violationsOn(page), [], 'the event picker')
  await page.getByRole('button', { name: 'Close' }).click()
  const webhook = await make(api, 'webhook', { url: 'https://receiver.example/', events: ['stage.*'] })
  for (const button of ['Replay', 'Rotate secret']) await open(`/webhooks/${webhook.id}`, button)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Ping' }).click()
  await page.locator('summary', { hasText: 'webhook.ping' }).click()
  await page.getByText('Request', { exact: true }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'a delivery')
  await open('/settings', 'Sign out everywhere')
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await open(`/organizations/${id}?show=history`, 'Undo: Created')
  await openPage(page, '/')
  await page.getByRole('button', { name: 'Menu' }).click()
  assert.deepEqual(await violationsOn(page), [], 'the menu')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search all records' }).fill('nord')
  await page.getByRole('option', { name: 'Nordwind', selected: true }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'the search')
  await page.getByRole('combobox').fill('go')
  await page.getByRole('option', { name: 'Go to Home', selected: true }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'the commands')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'the keys')

  await context.clearCookies()
  for (const path of ['/', '/setup#nonsense', '/invitation#nonsense']) {
    await page.goto('about:blank')
    await openPage(page, path)
    await page.getByRole('heading').waitFor()
    assert.deepEqual(await violationsOn(page), [], path)
  }
})

test('What opens over lists, records and the board has no axe violations in German and in the dark theme', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { locale: 'de-DE', theme: 'dark' })
  const twin = { first_name: 'Ada', emails: [{ email: 'ada@kontor.example' }] }
  await make(api, 'contact', twin, { ...twin, last_name: 'Weber' })
  const { id } = await make(api, 'deal', { title: 'Präsentkörbe', value: 1_000 })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const check = async (what: string) => assert.deepEqual(await violationsOn(page), [], what)
  const close = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  await openPage(page, '/deals?value[gte]=1')
  await page.getByRole('link', { name: 'Präsentkörbe' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 Deal ausgewählt').waitFor()
  await check('the selected rows')
  for (const name of ['Phase', 'Löschen', 'Ansicht speichern', 'Spalten', 'Exportieren', 'Filtern']) {
    await button(name).first().click()
    await page.getByRole('dialog').waitFor()
    await check(name)
    await close()
  }
  await page.locator('tbody [data-column="value"]').dblclick()
  await page.getByRole('dialog').getByLabel('Wert').waitFor()
  await check('the cell')
  await close()
  await page.keyboard.press('Control+k')
  await page.locator('.finder input').fill('prä')
  await page.getByRole('option', { name: /Präsentkörbe/ }).waitFor()
  await check('the search')

  await openPage(page, `/deals/${id}?show=history`)
  await button('Verloren').click()
  await page.getByLabel('Grund').waitFor()
  await check('the reason')
  await close()
  await page
    .getByRole('button', { name: /^Rückgängig: / })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await check('the undo')
  await openPage(page, '/contacts/duplicates')
  await page.getByRole('link', { name: 'Vergleichen ada@kontor.example' }).click()
  await page.getByRole('dialog').getByRole('region', { name: 'Vorschau' }).waitFor()
  await check('the merge')
  assert.deepEqual(complaints, [])
})
