import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Lists have a column for the last activity, which sorts them and which views keep', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  await make(api, 'organization', { name: 'Südwind' })
  const { id: contact_id } = await make(api, 'contact', { first_name: 'Grace', organization_id })
  await make(api, 'deal', { title: 'Hampers', organization_id, contact_id })
  await make(api, 'activity', { type: 'call', subject: 'First call', organization_id, contact_id })
  const cell = (row: string) => page.getByRole('row').filter({ hasText: row }).locator('[data-column=last_activity_at]')

  for (const [list, row] of [
    ['/contacts', 'Grace'],
    ['/deals', 'Hampers'],
    ['/organizations', 'Nordwind'],
  ] as const) {
    await openPage(page, list)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Last activity' }).check()
    await cell(row).locator('time').waitFor()
    await page.keyboard.press('Escape')
  }
  await idle(page)
  assert.equal((await cell('Südwind').innerText()).trim(), '–')

  await page.getByRole('button', { name: 'Last activity' }).click()
  await idle(page)
  assert.match(page.url(), /sort=-?last_activity_at/)
  await cell('Nordwind').locator('time').waitFor()
  const columns = ['name', 'last_activity_at']
  const { status } = await api.post('/api-v1-views', { name: 'Calls', resource: 'organization', columns })
  assert.equal(status, 201)
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Calls' }).click()
  await cell('Nordwind').locator('time').waitFor()
  await idle(page)
  assert.equal((await page.locator('.records thead [data-column], .records thead th').count()) > 1, true)
})
