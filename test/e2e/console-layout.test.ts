import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { closeBrowser, withoutBrowser } from '../support/browser.ts'
import { make, openConsole } from '../support/console.ts'
import type { Visitor } from '../support/visitor.ts'

const skip = withoutBrowser
after(closeBrowser)

const title = 'Framework agreement for packaging machines, '.repeat(12).slice(0, 500)
const unbroken = 'Donaudampfschifffahrt'.repeat(24).slice(0, 500)

async function boxOf(locator: Locator) {
  return (await locator.boundingBox())!
}

/** In pixels. */
function fontSizeOf(page: Page, selector: string): Promise<number> {
  return page.evaluate(`Number.parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`)
}

/** Creates records with texts of the maximum length in every column. */
async function makeLong(api: Visitor): Promise<void> {
  const { user } = (await api.get('/console/session')).body.data
  const [stage] = (await api.get('/api-v1-stages')).body.data
  await api.patch(`/api-v1-stages/${stage.id}`, { name: 'Waiting for the answer of the purchasing department' })
  await api.patch(`/console/users/${user.id}`, { full_name: 'Ada Augusta Maria Weber von und zu Lovelace' })
  const organization = await make(api, 'api-v1-organizations', {
    ...{
      name: unbroken.slice(0, 255),
      city: 'Frankfurt am Main-Sachsenhausen',
      country: 'Deutschland',
      status: 'inactive',
    },
    domain: `${'a-long-name'.repeat(5)}.example`,
  })
  const contact = await make(api, 'api-v1-contacts', {
    ...{ first_name: 'Hildegard-Annemarie', last_name: 'Weberknecht-Hohenstein', organization_id: organization.id },
    ...{ job_title: 'Head of International Procurement and Logistics' },
    emails: [{ email: 'hildegard.weberknecht-hohenstein@packaging-machines.example' }],
  })
  const about = { organization_id: organization.id, contact_id: contact.id }
  const deal = { value: 123_456_789.5, expected_close_date: '2026-12-24', assigned_to: user.id, ...about }
  await make(api, 'api-v1-deals', { title, ...deal }, { title: unbroken, ...deal })
  await make(api, 'api-v1-activities', { type: 'meeting', subject: unbroken.slice(0, 200), ...about })
}

test('A confirmation has the font size of other dialogs', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await page.goto('/settings/account')

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').waitFor()

  for (const selector of ['body', 'dialog', 'dialog p']) assert.equal(await fontSizeOf(page, selector), 15, selector)
})

for (const [what, text] of [
  ['words', title],
  ['one word', unbroken],
] as const) {
  test(`A deal whose title is 500 characters of ${what} takes three lines, and its handle is as wide as others`, {
    skip,
  }, async (t) => {
    const { api, page } = await openConsole(t)
    await make(api, 'api-v1-deals', { title: text }, { title: 'Short' })
    await page.goto('/pipeline')
    const card = page.locator('.deal', { has: page.locator(`[title="${text}"]`) })
    const [link, grip] = [card.getByRole('link'), card.getByRole('button', { name: /^Move/ })]
    const short = page.locator('.deal', { hasText: 'Short' })

    const shortGrip = short.getByRole('button', { name: /^Move/ })
    const line = (await boxOf(short.getByRole('link'))).height
    const { x, width } = await boxOf(grip)

    assert.equal(Math.round((await boxOf(link)).height / line), 3)
    assert.equal(width, 30)
    assert.equal((await boxOf(shortGrip)).width, 30)
    assert.equal((await boxOf(shortGrip)).x, x)
    await grip.focus()
    await page.keyboard.press('Space')
    assert.deepEqual([(await boxOf(grip)).x, (await boxOf(grip)).width], [x, width], 'it stays there while it is held')
  })
}

for (const [page, headers] of [
  ['/activities', ['Subject', 'Type', 'Created', 'Organization', 'Contact', 'User']],
  ['/deals', ['Title', 'Value', 'Stage', 'Organization', 'Closes on', 'Owner']],
  ['/contacts', ['Name', 'Organization', 'Email', 'Updated']],
  ['/organizations', ['Name', 'Status', 'City', 'Country', 'Domain', 'Updated']],
] as const) {
  test(`At 1280 and 1920 px, ${page} shows all its columns completely, however long the texts are`, {
    skip,
  }, async (t) => {
    const opened = await openConsole(t)
    await makeLong(opened.api)
    for (const width of [1280, 1920]) {
      await opened.page.setViewportSize({ width, height: 860 })
      await opened.page.goto(page)
      await opened.page.getByRole('rowheader').first().waitFor()

      assert.deepEqual(await visibleHeaders(opened.page), headers)
      const [last, table] = [opened.page.getByRole('columnheader').last(), opened.page.locator('.scroll')]
      const [cell, frame] = [await boxOf(last), await boxOf(table)]
      assert.ok(cell.x + cell.width <= frame.x + frame.width + 0.5, `${width}: the last column is cut off`)
      const hidden = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      assert.equal(hidden, 0, `${width}: it scrolls`)
    }
  })
}

async function visibleHeaders(page: Page): Promise<string[]> {
  const headers = await page.getByRole('columnheader').all()
  return Promise.all(headers.map((header) => header.innerText()))
}

test('With texts of the maximum length, nothing is wider than a phone', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 360 })
  await makeLong(api)
  for (const path of ['/', '/pipeline', '/deals', '/activities', '/contacts', '/organizations']) {
    await page.goto(path)
    await page.locator('[aria-busy=true] .bone').first().waitFor({ state: 'detached' })
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, path)
  }
})

test('A loading error is shown on its card, not on a card inside it', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await page.route(/\/(api-v1-|console\/)/, (route) => route.abort())
  for (const path of ['/', '/organizations', '/keys', '/settings/users']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    assert.equal(await page.locator('.card .card').count(), 0, path)
  }
})
