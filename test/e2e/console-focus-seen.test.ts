import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { openSandboxConsole } from './sandbox-console.ts'

const skip = withoutBrowser

/** The focused element, and whether it is seen at one of its ends; null: the focus has left the page. */
const focused = `(() => {
  const element = document.activeElement
  if (element === document.body) return null
  const { left, right, width, top, height } = element.getBoundingClientRect()
  const inset = Math.min(width, 20) / 2
  const isSeen = [left + inset, right - inset].some((x) => {
    const at = document.elementFromPoint(x, top + Math.min(height, 200) / 2)
    return at !== null && (element.contains(at) || at.contains(element))
  })
  return { name: element.getAttribute('aria-label') ?? element.textContent.trim(), isSeen }
})()`

/** What a key that moves the focus leads to, until the focus leaves the page, and what of it is hidden. */
async function walk(page: Page, key: string): Promise<{ count: number; hidden: string[] }> {
  const hidden: string[] = []
  for (let count = 0; ; count++) {
    await page.keyboard.press(key)
    const at = await page.evaluate<{ name: string; isSeen: boolean } | null>(focused)
    if (!at) return { count, hidden }
    if (!at.isSeen) hidden.push(at.name)
  }
}

test('What Tab and Shift+Tab focus is never hidden by what stays in its place', { skip }, async (t) => {
  const { page, client } = await openSandboxConsole(t, 'demo', { timeZone: 'UTC', width: 360 })
  const [deal] = (await client.get('/api-v1-deals?limit=1')).body.data
  for (const [width, key, path] of [
    [1280, 'Shift+Tab', '/organizations'],
    [360, 'Tab', '/pipeline'],
    [360, 'Tab', '/reports'],
    [360, 'Tab', `/deals/${deal.id}`],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await openPage(page, `/test${path}`)
    const { count, hidden } = await walk(page, key)
    assert.ok(count > 20, path)
    assert.deepEqual(hidden, [], `${path} ${key} at ${width} px`)
  }
})

test('In test data, what can be done with a selection stays in sight below the stripe', { skip }, async (t) => {
  const { page } = await openSandboxConsole(t, 'demo', { timeZone: 'UTC', width: 360 })
  await openPage(page, '/test/organizations')
  await page.getByRole('checkbox', { name: 'Select' }).nth(1).check()
  await page.evaluate('scrollTo(0, 1000)')
  const bar = await page.getByRole('region', { name: 'Selection' }).boundingBox()
  const stripe = await page.getByText('Test data: separate').boundingBox()

  assert.ok(Math.abs(bar!.y - stripe!.y - stripe!.height) <= 1, JSON.stringify({ bar, stripe }))
  await page.getByRole('checkbox', { name: 'Select' }).last().focus()
  for (let n = 0; n < 20; n++) {
    await page.keyboard.press('Shift+Tab')
    assert.equal((await page.evaluate<{ isSeen: boolean }>(focused)).isSeen, true)
  }
})

test('What Tab focuses in a row that scrolls sideways is wholly in sight, though a part of it was before', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 360 })
  for (const name of ['Service contracts', 'Framework agreements', 'Partners abroad']) {
    const { id } = await make(api, 'pipeline', { name })
    await make(api, 'stage', { name: 'Offer', pipeline_id: id })
  }
  await openPage(page, '/pipeline')
  const tabs = page.getByRole('navigation', { name: 'Pipelines' }).getByRole('link')
  await tabs.first().focus()

  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    await idle(page)
    const { x, width } = (await page.locator(':focus').boundingBox())!
    assert.ok(x >= 0 && x + width <= 360, `${await page.locator(':focus').innerText()}: ${x} to ${x + width}`)
  }
  assert.equal(await tabs.first().evaluate((first) => first.matches(':focus')), true)
})
