import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** A double click whose second click comes once the page shows what the first one has done. */
async function doubleClick(page: Page, button: Locator): Promise<void> {
  const { x, y, width, height } = (await button.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount })
    await page.mouse.up({ clickCount })
    await idle(page)
  }
}

test('A double click on the checkbox of a task completes no other one that moves up', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  for (const title of ['A', 'B', 'C']) await make(api, 'task', { title, assigned_to: user.id })
  await openPage(page, '/tasks')

  const first = page.locator('.task').getByRole('checkbox').first()
  await doubleClick(page, first)
  assert.equal((await api.get('/api-v1-tasks?status=completed')).body.pagination.total, 1)

  await first.click()
  await page.getByText('1 task', { exact: true }).waitFor()
})

test('A double click on Won wins no other deal that moves up', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  for (const title of ['A', 'B', 'C']) await make(api, 'deal', { title })
  await openPage(page, '/pipeline')

  const won = page.getByRole('button', { name: /as won/ }).first()
  await won.hover()
  await doubleClick(page, won)

  const deals = (await api.get('/api-v1-deals?include=stage')).body.data
  assert.equal(deals.filter(({ stage }: { stage: { name: string } }) => stage.name === 'Won').length, 1)
})

test('A double click on Ping, on Create address and on Password link sends one request', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const webhook = await make(api, 'webhook', { url: 'http://127.0.0.1:9/', events: ['*'] })
  const { user } = (await api.post('/console/users', { full_name: 'Zoe', email: `zoe-${Date.now()}@acme.example` }))
    .body.data
  await api.delete(`/console/users/${user.id}/invitation`)
  const sent: string[] = []
  await page.route(/ping$|calendar$|invitation$/, async (route) => {
    if (route.request().method() === 'POST') sent.push(new URL(route.request().url()).pathname.split('/').at(-1)!)
    await route.continue()
  })
  for (const [path, name] of [
    [`/webhooks/${webhook.id}`, 'Ping'],
    ['/settings/account', 'Create address'],
    ['/settings/users', 'Password link Zoe'],
  ] as const) {
    await openPage(page, path)
    await page.getByRole('main').getByRole('button', { name, exact: true }).last().dblclick()
    await idle(page)
  }
  assert.deepEqual(sent, ['ping', 'calendar', 'invitation'])
})
