import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, goFollowing, idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { targetsOf } from './reads.ts'

const skip = withoutBrowser

test('A change of a task by others reloads the tasks of the board, and none of its deals', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
  await goFollowing(page, '/pipeline')
  await page.getByRole('link', { name: 'Hampers' }).waitFor()
  const deals: string[] = []
  page.on(
    'request',
    (request) => void deals.push(...targetsOf(request.url()).filter((each) => /^\/api-v1-deals/.test(each))),
  )

  const { id } = await make(api, 'task', { title: 'Call', deal_id, due_date: '2999-01-01' })
  const task = page.locator('.deal', { hasText: 'Hampers' }).getByRole('link', { name: 'Call' })
  await task.waitFor()
  await api.patch(`/api-v1-tasks/${id}`, { status: 'completed' })
  await task.waitFor({ state: 'detached' })
  await idle(page)

  assert.deepEqual(deals, [])
})

test('The chip of a filter names the record as others have renamed it, also while another page is shown', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const list = `/contacts?organization_id=${id}`
  await goFollowing(page, list)
  const chip = (name: string) => page.getByRole('button', { name: `Organization ${name}`, exact: true })
  await chip('Nordwind').waitFor()

  await api.patch(`/api-v1-organizations/${id}`, { name: 'Südwind' })
  await chip('Südwind').waitFor()

  await follow(page, '/activities')
  await api.patch(`/api-v1-organizations/${id}`, { name: 'Ostwind' })
  await follow(page, list)
  await chip('Ostwind').waitFor()
})

test('A stream that ends, as when the server restarts, reloads no deals of the board', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  await make(api, 'deal', { title: 'Hampers' })
  const deals: string[] = []
  let streams = 0
  await page.route('**/api-v1-changes?payload=ids', async (route) => {
    streams++
    if (streams === 1) await route.fulfill({ contentType: 'text/event-stream', body: ': the end\n\n' })
    else await route.continue()
  })
  page.on(
    'request',
    (request) => void deals.push(...targetsOf(request.url()).filter((each) => /^\/api-v1-deals/.test(each))),
  )
  await openPage(page, '/pipeline')
  await page.getByRole('link', { name: 'Hampers' }).waitFor()

  await until('another stream is open', () => streams > 1)
  await idle(page)

  assert.deepEqual(deals, [])
  assert.equal(await page.locator('.toast').count(), 0)
})
