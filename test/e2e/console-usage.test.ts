import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type Console, openConsole, setTime } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { alterReads } from './reads.ts'

const skip = withoutBrowser

interface Counts {
  requests: number
  succeeded: number
  rejected: number
  rate_limited: number
  failed: number
}

/** Opens the page of a key with the usage `counts` on every day. */
async function openKey({ api, page }: Console, counts: Counts): Promise<void> {
  const { id } = await make(api, 'api_key', { name: 'Website form', scopes: ['read:all'] })
  await page.route('**/usage?*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const days = data.days.map(({ day }: { day: string }) => ({ day, ...counts }))
    await route.fulfill({ response, json: { data: { ...data, days } } })
  })
  await openPage(page, `/keys/${id}`)
  await page.locator('.chart canvas').waitFor()
}

/** Counts the chart's pixels by color. */
function pixelsOf(page: Page): Promise<Record<string, number>> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('.chart canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const counts = {}
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] < 255) continue
      const color = 'rgb(' + data[at] + ', ' + data[at + 1] + ', ' + data[at + 2] + ')'
      counts[color] = (counts[color] ?? 0) + 1
    }
    return counts
  })()`)
}

/** The colors of the legend's dots, by the name next to them. */
function colorsOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(`Object.fromEntries([...document.querySelectorAll('.legend .dot')].map((dot) =>
    [dot.parentElement.textContent.trim().split(' ')[0], getComputedStyle(dot).backgroundColor]))`)
}

test("In light and dark, requests are stacked by outcome in the legend's colors; outcomes without requests draw nothing", {
  skip,
}, async (t) => {
  const opened = await openConsole(t)
  const { page } = opened
  await openKey(opened, { requests: 100, succeeded: 60, rejected: 30, rate_limited: 10, failed: 0 })

  for (const next of ['Dark', 'Light']) {
    await idle(page)
    const [pixels, colors] = [await pixelsOf(page), await colorsOf(page)]
    const areaOf = (name: string) => pixels[colors[name]!] ?? 0

    assert.equal(new Set(Object.values(colors)).size, 4)
    assert.ok(Math.abs(areaOf('Succeeded') / areaOf('Rejected') - 2) < 0.1, 'twice as many, twice as high')
    assert.ok(Math.abs(areaOf('Rejected') / areaOf('Rate') - 3) < 0.3)
    assert.equal(areaOf('Failed'), 0)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: `${next} appearance` }).click()
    await page.keyboard.press('Escape')
  }
  assert.deepEqual(opened.complaints, [])
})

test('The legend shows the outcomes of all bars, or of the bar under the pointer', { skip }, async (t) => {
  const opened = await openConsole(t, { fresh: true })
  const { page } = opened
  await setTime(page, '2026-11-20T12:00:00Z')
  await openKey(opened, { requests: 1_100, succeeded: 1_000, rejected: 90, rate_limited: 9, failed: 1 })
  const legend = page.locator('.legend')
  const text = async () => (await legend.innerText()).replace(/\s+/g, ' ')

  await idle(page)
  assert.equal(
    await text(),
    '22 Oct – 20 Nov 2026 Succeeded 30,000 Rejected (4xx) 2,700 Rate limited (429) 270 Failed (5xx) 30',
  )
  const { x, y, width, height } = (await page.locator('.chart .u-over').boundingBox())!
  /** The chart may be drawn after its legend, so the pointer moves until the chart has noticed it. */
  const pointAtNewest = async (value: string) => {
    const shown = legend.getByText(value, { exact: true })
    for (let moves = 0; !(await shown.isVisible()); moves++)
      await page.mouse.move(x + width - 4 - (moves % 2), y + height / 2)
  }
  await pointAtNewest('1,000')
  await idle(page)
  assert.equal(await text(), '20 Nov 2026 Succeeded 1,000 Rejected (4xx) 90 Rate limited (429) 9 Failed (5xx) 1')
  await page.mouse.move(0, 0)
  await legend.getByText('30,000', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Weeks' }).click()
  await legend.getByText('182,000', { exact: true }).waitFor()
  await pointAtNewest('5,000')
  await idle(page)
  assert.match(await text(), /^16 ?– ?20 Nov 2026 /)
})

test('The page of a personal key is shown although its user cannot be read', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const user_id = (await api.get('/console/session')).body.data.user.id
  const { id } = await make(api, 'api_key', { name: 'My scripts', scopes: ['read:all'], user_id })
  const error = { code: 'NOT_FOUND', message: 'User not found' }
  await alterReads(page, /^\/api-v1-users\//, () => ({ status: 404, body: { error } }))
  await openPage(page, `/keys/${id}`)

  await page.getByRole('heading', { name: 'My scripts' }).waitFor()
  assert.match(await page.locator('dl').first().innerText(), /Type\s+Personal\n/)
})
