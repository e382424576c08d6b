import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Holds the first move of a deal until the returned function is called. */
async function holdFirstMove(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let count = 0
  await page.route('**/api-v1-deals/*/stage', async (route) => {
    if (++count === 1) await released
    return route.continue()
  })
  return release
}

async function openDeal(t: Parameters<typeof openConsole>[0], path: (id: string) => string) {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, path(id))
  const release = await holdFirstMove(page)
  const stage = async () => (await api.get(`/api-v1-deals/${id}?include=stage`)).body.data.stage.name
  const told = (name: string) => page.locator('.toast', { hasText: `is in ${name} now` })
  return { page, release, stage, told }
}

test('The last of two moves of a deal on the board counts, though the first one takes longer', { skip }, async (t) => {
  const { page, release, stage, told } = await openDeal(t, () => '/pipeline')
  for (const name of ['Qualified', 'Proposal']) {
    await page.getByRole('button', { name: 'Move Coaches' }).focus()
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await page.locator('.column', { hasText: name }).getByRole('link', { name: 'Coaches' }).waitFor()
  }
  release()
  await told('Proposal').waitFor()
  await idle(page)

  assert.equal(await stage(), 'Proposal')
})

test('A move on the board that is refused does not take back the one after it', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, '/pipeline')
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  await page.route('**/api-v1-deals/*/stage', async (route) => {
    if (++count > 1) return second.promise.then(() => route.continue())
    await first.promise
    return route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message: 'Not now' } } })
  })
  for (const name of ['Qualified', 'Proposal']) {
    await page.getByRole('button', { name: 'Move Coaches' }).focus()
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await page.locator('.column', { hasText: name }).getByRole('link', { name: 'Coaches' }).waitFor()
  }
  first.resolve()
  await page.locator('.toast', { hasText: 'Not moved: Not now' }).waitFor()

  assert.equal(await page.getByRole('link', { name: 'Coaches' }).count(), 1)
  await page.locator('.column', { hasText: 'Proposal' }).getByRole('link', { name: 'Coaches' }).waitFor()
  second.resolve()
  await page.locator('.toast', { hasText: 'is in Proposal now' }).waitFor()
  assert.equal((await api.get(`/api-v1-deals/${id}?include=stage`)).body.data.stage.name, 'Proposal')
})

test('The last of two moves on the page of a deal counts, though the first one takes longer', { skip }, async (t) => {
  const { page, release, stage, told } = await openDeal(t, (id) => `/deals/${id}`)
  await page.getByRole('button', { name: 'Qualified', exact: true }).click()
  await page.getByRole('button', { name: 'Proposal', exact: true }).click()
  release()
  await told('Proposal').waitFor()
  await page.locator('[aria-current=step]', { hasText: 'Proposal' }).waitFor()

  assert.equal(await stage(), 'Proposal')
})

test('A double click on a stage or an outcome of a deal moves it once', { skip }, async (t) => {
  const { page, release } = await openDeal(t, (id) => `/deals/${id}`)
  const texts: string[] = []
  release()
  for (const name of ['Proposal', 'Won']) {
    await page.getByRole('button', { name, exact: true }).dblclick()
    await page
      .locator('.toast', { hasText: `is in ${name} now` })
      .first()
      .waitFor()
    await idle(page)
    texts.push(name)
    assert.equal(await page.locator('.toast').count(), texts.length, name)
  }
})
