import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { goFollowing, idle, isStream, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'

const skip = withoutBrowser

/** The streams that the windows of a browser open. */
function streamsOf(context: BrowserContext): Request[] {
  const streams: Request[] = []
  context.on('request', (request) => void (isStream(request) && streams.push(request)))
  return streams
}

/** Listens to what the windows of the browser tell each other. The returned function waits until a change of a record was among it. */
async function listen(page: Page, api: Visitor, id: string): Promise<() => Promise<unknown>> {
  const { user } = (await api.get('/console/session')).body.data
  await idle(page)
  await page.evaluate(`
    void (globalThis.told = new Promise((resolve) => {
      new BroadcastChannel('kontor.changes.${user.id}.live').onmessage = ({ data }) => data.news?.record_id === '${id}' && resolve()
    }))
  `)
  return () => page.evaluate('told')
}

test('Lists and tasks show what others change, without a reload', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t, { live: true })
  const { user } = (await api.get('/console/session')).body.data
  await goFollowing(page, '/organizations')
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  await api.delete(`/api-v1-organizations/${id}`)
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()

  await goFollowing(page, '/tasks')
  const task = await make(api, 'task', { title: 'Call back', assigned_to: user.id })
  await page.getByRole('link', { name: 'Call back' }).waitFor()
  await api.patch(`/api-v1-tasks/${task.id}/complete`, {})
  await page.getByRole('link', { name: 'Call back' }).waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})

test('The board and the home page show what others change, without a reload', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t, { live: true })
  await goFollowing(page, '/pipeline')
  const deal = await make(api, 'deal', { title: 'New warehouse', value: 1_000 })
  await page.getByRole('region', { name: 'Lead', exact: true }).getByText('1 deal · €1,000').waitFor()
  const [, qualified] = (await api.get('/api-v1-stages')).body.data
  await api.patch(`/api-v1-deals/${deal.id}/stage`, { stage_id: qualified.id })
  await page.getByRole('region', { name: 'Qualified', exact: true }).getByText('New warehouse').waitFor()

  await goFollowing(page, '/')
  await make(api, 'activity', { type: 'call', subject: 'First call' })
  await page.getByRole('region', { name: 'Latest activity' }).getByText('First call').waitFor()
  await make(api, 'contact', { first_name: 'Grace' })
  await page.getByRole('region', { name: 'Latest changes' }).getByText('Grace').waitFor()
  assert.deepEqual(complaints, [])
})

test('A record shows what others change; typed text, focus and scroll position stay', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id } = await make(api, 'organization', { name: 'Nordwind', city: 'Ulm' })
  const about = Array.from({ length: 25 }, (_, n) => ({ type: 'note', subject: `Note ${n}`, organization_id: id }))
  await make(api, 'activity', ...about)
  await goFollowing(page, `/organizations/${id}`)
  await page.getByLabel('Subject').fill('Half a sen')
  await page.getByText('Note 10').scrollIntoViewIfNeeded()
  await idle(page)
  await page.evaluate('scrollTo(0, 300)')
  const focused = await page.evaluate('document.activeElement.id')

  await api.patch(`/api-v1-organizations/${id}`, { name: 'Südwind', city: 'Kiel' })
  await page.getByRole('heading', { name: 'Südwind' }).waitFor()
  await page.getByRole('region', { name: 'Details' }).getByText('Kiel').waitFor()

  assert.equal(await page.getByLabel('Subject').inputValue(), 'Half a sen')
  assert.deepEqual(await page.evaluate('[document.activeElement.id, scrollY]'), [focused, 300])

  await api.delete(`/api-v1-organizations/${id}`)
  await page.getByRole('alert').getByText('This organization has been deleted.').waitFor()
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Half a sen')
  await page.getByRole('button', { name: 'Restore Südwind' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  assert.equal((await api.get(`/api-v1-organizations/${id}`)).status, 200)
})

test('Nothing reloads while a form is open; it reloads when the form is closed', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true, live: true })
  const { id } = await make(api, 'organization', { name: 'Nordwind', city: 'Kiel' })
  await page.clock.install()
  await goFollowing(page, `/organizations/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Ulm')
  const told = await listen(page, api, id)

  await api.patch(`/api-v1-organizations/${id}`, { name: 'Südwind' })
  await told()
  await page.clock.fastForward(5_000)
  assert.equal(await page.getByRole('heading', { name: 'Südwind' }).count(), 0)
  assert.equal(await page.getByRole('textbox', { name: 'City' }).inputValue(), 'Ulm')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.clock.fastForward(5_000)

  await page.getByRole('heading', { name: 'Südwind' }).waitFor()
})

test('A user’s own change does not reload the page a second time', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true, live: true })
  const deal = await make(api, 'deal', { title: 'New warehouse' })
  await page.clock.install()
  await goFollowing(page, '/pipeline')
  const card = page.locator('.deal', { hasText: 'New warehouse' })
  await card.waitFor()
  let loads = 0
  page.on('request', (request) => void (/api-v1-deals\?/.test(request.url()) && loads++))
  const told = await listen(page, api, deal.id)

  await page.getByRole('button', { name: 'Move New warehouse' }).focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await page.getByRole('region', { name: 'Qualified', exact: true }).getByText('1 deal').waitFor()
  await told()
  await page.clock.fastForward(5_000)
  assert.equal(loads, 0)

  await api.patch(`/api-v1-deals/${deal.id}`, { title: 'Old warehouse' })
  await page.clock.runFor(2_000)
  await page.locator('.deal', { hasText: 'Old warehouse' }).waitFor()
})

test('The windows of a browser share one stream; another window takes over and misses nothing', { skip }, async (t) => {
  const { api, page, context } = await openConsole(t, { live: true })
  const streams = streamsOf(context)
  await goFollowing(page, '/organizations')
  const other = await context.newPage()
  await openPage(other, '/contacts')
  await other.getByRole('heading', { name: 'No contacts yet' }).waitFor()

  await make(api, 'organization', { name: 'Nordwind' })
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  await make(api, 'contact', { first_name: 'Grace' })
  await other.getByRole('link', { name: 'Grace' }).waitFor()
  assert.equal(streams.length, 1)

  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route('**/api-v1-changes?*', async (route) => {
    await released
    await route.continue()
  })
  const taken = context.waitForEvent('request', (request) => request.url().includes('/api-v1-changes?'))
  await page.close()
  await taken
  await make(api, 'contact', { first_name: 'Ada' })
  release()

  await other.getByRole('link', { name: 'Ada' }).waitFor()
  assert.equal(streams.length, 2)
  await context.unrouteAll()
})

test('A window whose place in the stream the server has forgotten shows everything anew', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  let forgotten: string | undefined
  await page.route('**/api-v1-changes?payload=ids', async (route) => {
    const place = route.request().headers()['last-event-id']
    if (forgotten === undefined) await make(api, 'organization', { name: 'Nordwind' })
    forgotten ??= place
    if (place !== forgotten) return route.continue()
    return route.fulfill({ status: 410, json: { error: { code: 'NOT_FOUND', message: 'Gone' } } })
  })

  await openPage(page, '/organizations')

  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
})

test('Without a stream the console works as before', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t, { live: true })
  await page.route('**/api-v1-changes?*', (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '60' } }))
  await openPage(page, '/')
  await page.getByRole('heading', { name: 'Nothing logged yet' }).waitFor()
  await make(api, 'activity', { type: 'call', subject: 'First call' })
  await page.evaluate("dispatchEvent(new Event('focus'))")

  await page.getByRole('link', { name: 'First call' }).waitFor()
  assert.equal(await page.locator('.toast').count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.deepEqual(complaints, [])
})

test('A card of the board shows at once that somebody else has completed the next task of its deal', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
  const { id } = await make(api, 'task', { title: 'Call', deal_id, due_date: '2999-01-01' })
  await goFollowing(page, '/pipeline')
  const task = page.locator('.deal', { hasText: 'Hampers' }).getByRole('link', { name: 'Call' })
  await task.waitFor()

  await api.patch(`/api-v1-tasks/${id}`, { status: 'completed' })

  await task.waitFor({ state: 'detached' })
})
