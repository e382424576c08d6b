import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('An admin sets the phone country by keyboard, and sees why a wrong one is refused', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const country = async () => (await api.get('/console/session')).body.data.company.phone_country
  await openPage(page, '/settings/company')
  const code = page.getByLabel('Country code')

  await code.fill('xx')
  await code.press('Enter')
  await page.getByText('must be an ISO 3166-1 alpha-2 code').waitFor()
  assert.equal(await country(), null)
  await code.fill('de')
  await code.press('Enter')
  await page.getByText('Saved.').waitFor()

  assert.equal(await country(), 'DE')
  await page.reload()
  await idle(page)
  assert.equal(await code.inputValue(), 'DE')
})
