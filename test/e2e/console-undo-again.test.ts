import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

test('An undo whose response is an error of the server, or that it has not received, can be pressed again', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  const { id } = await make(api, 'task', { title: 'Call back', assigned_to: user.id })
  await openPage(page, '/tasks')
  await page.getByRole('checkbox', { name: 'Complete Call back' }).click()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await page.route('**/api-v1-undo', (route) => route.abort())
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'It is not known' }
  const fail = async (route: Route) => {
    await route.fetch()
    await route.fulfill({ status: 503, json: { error } })
  }
  await page.route('**/api-v1-undo', fail, { times: 1 })
  await undo.click()
  await page.getByText('Not undone: It is not known').waitFor()
  await undo.click()
  await page.getByText('Not undone: The server cannot be reached').waitFor()
  await page.unroute('**/api-v1-undo')

  await page.keyboard.press('Control+z')

  await page.getByRole('button', { name: 'Redo', exact: true }).waitFor()
  assert.equal((await api.get(`/api-v1-tasks/${id}`)).body.data.status, 'pending')
})

test('The undo of a merge does not name the record that the merge has left as it was', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const twin = { first_name: 'Ada', emails: [{ email: 'ada@kontor.example' }] }
  await make(api, 'contact', twin, twin)
  await openPage(page, '/contacts/duplicates')
  await page.getByRole('link', { name: 'Compare ada@kontor.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const told = page.locator('.toast', { has: page.getByRole('button', { name: 'Redo' }) })
  await told.waitFor()

  assert.match(await told.innerText(), /^Undone\.\s/)
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 2)
})

test('Ctrl+Z pressed again and again undoes one change after the other, and not its own undo', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  const titles = ['First', 'Second', 'Third']
  await make(api, 'task', ...titles.map((title) => ({ title, assigned_to: user.id })))
  await openPage(page, '/tasks')
  for (const title of titles) {
    await page.getByRole('checkbox', { name: `Complete ${title}` }).press('Space')
    await page.getByText(`Done: ${title}`).waitFor()
    await idle(page)
  }

  const pending = async () => (await api.get('/api-v1-tasks?status=pending')).body.pagination.total
  for (const undone of titles.keys()) {
    await page.keyboard.press('Control+z')
    await until('the change is undone', pending, { is: (count) => count === undone + 1 })
    await idle(page)
    assert.ok((await page.locator('.toast:visible').count()) <= 3)
  }
})
