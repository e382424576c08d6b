import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { alterReads, reads } from './reads.ts'

const skip = withoutBrowser

const views = 'api-v1-views'
const picker = (page: Page) => page.getByLabel('View', { exact: true })
const comeBack = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

test('A link to a view that does not exist says so on every page with views, which can be shown without it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'task', { title: 'Call' })
  await make(api, 'deal', { title: 'Hampers' })
  const shown = { '/tasks?show=all&': '1 task', '/deals?': '1–1 of 1', '/pipeline?': 'Hampers' }
  for (const [address, text] of Object.entries(shown)) {
    await openPage(page, `${address}view=01890a5d-ac96-774b-bcce-b302099a8057`)
    await page.getByText('You cannot use this view').waitFor()
    assert.equal(await page.getByText(text, { exact: true }).count(), 0)

    await page.getByRole('button', { name: 'Show the list without it' }).press('Enter')

    await page.getByText(text, { exact: true }).waitFor()
    await idle(page)
    assert.equal(new URL(page.url()).searchParams.get('view'), null)
  }
})

test('A link to a personal view of somebody else looks like one to a view that does not exist', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const otto = { full_name: 'Otto', email: `otto-${crypto.randomUUID()}@acme.example` }
  const { id: user_id } = (await api.post('/console/users', otto)).body.data.user
  const made = await api.post('/api-v1-keys', { name: 'Otto', scopes: ['read:deals'], user_id })
  const secretly = { Authorization: `Bearer ${made.body.data.key}` }
  const theirs = { name: 'Secret', resource: 'deal', visibility: 'personal' }
  const { id } = (await api.post(`/${views}`, theirs, secretly)).body.data

  await openPage(page, `/deals?view=${id}`)

  await page.getByText('You cannot use this view').waitFor()
  assert.deepEqual(await picker(page).locator('option').allInnerTexts(), ['All', 'Unknown view'])
})

test('If the views cannot be loaded, the list is shown with the reason, and they can be loaded again', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'view', { name: 'Large', resource: 'deal' })
  await make(api, 'deal', { title: 'Hampers' })
  const mend = await alterReads(page, /api-v1-views\?/, () => {
    return { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Views are not loaded' } } }
  })
  await openPage(page, '/deals')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('alert').getByText('Views are not loaded').waitFor()

  await mend()
  await page.getByRole('button', { name: 'Try again' }).press('Enter')

  await picker(page).locator('option', { hasText: 'Large' }).waitFor({ state: 'attached' })
  await idle(page)
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('A view that was deleted in another window is gone when the user returns, and can be deleted again', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const add = () => make(api, 'view', { name: 'Mine', resource: 'deal', visibility: 'personal' })
  const [{ id }, { id: other }] = [await add(), await add()]
  await openPage(page, `/deals?view=${id}`)
  await page.getByRole('button', { name: 'Delete the view Mine' }).waitFor()

  await api.delete(`/${views}/${id}`)
  await comeBack(page)
  await page.getByText('You cannot use this view').waitFor()

  await picker(page).selectOption(other)
  await page.getByRole('button', { name: 'Delete the view Mine' }).click()
  await api.delete(`/${views}/${other}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.waitForURL(/\/deals$/)
  await idle(page)
  assert.equal(await picker(page).count(), 0)
})

test('A view that was changed in another window shows what it filters by now', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Small', value: 10 }, { title: 'Large', value: 20 })
  const view = { name: 'Mine', resource: 'deal', visibility: 'personal', filter: 'value=10' }
  const { id } = await make(api, 'view', view)
  await openPage(page, `/deals?view=${id}`)
  await page.getByRole('link', { name: 'Small' }).waitFor()

  await api.patch(`/${views}/${id}`, { filter: 'value=20' })
  await comeBack(page)

  await page.getByRole('link', { name: 'Large' }).waitFor()
  await page.getByRole('link', { name: 'Small' }).waitFor({ state: 'detached' })
})

test('A list with a view shows no other columns before its views are loaded', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Hampers' })
  const { id } = await make(api, 'view', { name: 'Short', resource: 'deal', columns: ['title', 'value'] })
  const release = await hold(page, reads(/api-v1-views/), 'GET')
  await page.goto(`/deals?view=${id}`)
  await page.getByRole('heading', { name: 'Deals', exact: true }).waitFor()
  assert.equal(await page.getByRole('columnheader').count(), 0)

  release('continue')

  await page.getByRole('columnheader', { name: 'Value' }).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('columnheader').count(), 2)
})
