import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** The parts of the page that notifications cover, after scrolling to its end. */
const covered = `(() => {
  const { left, right, top, bottom } = document.querySelector('.toasts').getBoundingClientRect()
  return ['main', '.side', '.composer', '.drops'].filter((part) => {
    const box = document.querySelector(part)?.getBoundingClientRect()
    return box && box.width > 0 && box.right > left && box.left < right && box.bottom > top && box.top < bottom
  })
})()`

const toasts = (page: Page) => page.locator('.toast')

test('Notifications have a place of their own and cover nothing that can be used', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  const { id } = await make(api, 'deal', { title: 'Hampers' })
  await make(api, 'deal', ...Array.from({ length: 12 }, () => ({ title: 'Coaches' })))
  for (const [width, height] of [
    [1280, 600],
    [1920, 1000],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const path of [`/deals/${id}`, '/pipeline', '/deals']) {
      await openPage(page, `/deals/${id}`)
      await page.getByRole('button', { name: 'Qualified' }).click()
      await page.getByRole('button', { name: 'Lead' }).click()
      await toasts(page).first().waitFor()
      if (path !== `/deals/${id}`) {
        if (width < 500) await page.getByRole('button', { name: 'Menu' }).click()
        await page.locator(`.side a[href$="${path}"]`).click()
      }
      await idle(page)
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await toasts(page).first().waitFor()

      assert.deepEqual(await page.evaluate(covered), [], `${path} at ${width} px`)
    }
  }
})

test('Amounts in several currencies are sorted within each currency, and the list says so', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  for (const [title, value, currency] of [
    ['A', 900, 'PLN'],
    ['B', 100, 'EUR'],
    ['C', 500, 'PLN'],
    ['D', 300, 'EUR'],
  ] as const) {
    await make(api, 'deal', { title, value, currency })
  }
  await openPage(page, '/deals')
  assert.equal(await page.getByText('Grouped by currency').count(), 0)

  await page.getByRole('button', { name: 'Value' }).click()
  await page.getByText('Grouped by currency: amounts are sorted within each currency.').waitFor()
  await idle(page)

  assert.deepEqual(await page.locator('tbody th a').allInnerTexts(), ['B', 'D', 'C', 'A'])
})

test('With forced colors, the current stage of a deal and those before it can be told from the others', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { data: stages } = (await api.get('/api-v1-stages')).body
  const { id } = await make(api, 'deal', { title: 'Hampers', stage_id: stages[1].id })
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, `/deals/${id}`)

  const looks = (await page.evaluate(
    `[...document.querySelectorAll('.stage-steps button')].slice(0, 3).map((each) => {
      const { backgroundColor, borderBottomWidth } = getComputedStyle(each)
      return backgroundColor + ' ' + borderBottomWidth
    })`,
  )) as string[]

  assert.equal(new Set(looks).size, 3, looks.join(' | '))
})

test('No list is wider than its place in a window of 1280 px, in English and in German', { skip }, async (t) => {
  for (const locale of ['en-GB', 'de-DE']) {
    const { api, page } = await openConsole(t, { width: 1280, locale })
    const { id: organization_id } = await make(api, 'organization', {
      name: 'Versicherungsvermittlung Nordwind',
      city: 'Hamburg',
    })
    const phones = [{ phone_number: '+49 40 123456789' }]
    const emails = [{ email: 'maximiliane.oppenheimer@nordwind.example' }]
    const { id: contact_id } = await make(api, 'contact', {
      first_name: 'Maximiliane',
      organization_id,
      phones,
      emails,
    })
    const { id: deal_id } = await make(api, 'deal', {
      title: 'Rahmenvertrag',
      organization_id,
      contact_id,
      value: 12_345_678,
      expected_close_date: '2031-12-24',
    })
    await make(api, 'task', { title: 'Nachfassen', deal_id, organization_id, due_date: '2031-12-24T10:00:00Z' })
    await make(api, 'activity', { subject: 'Angebot', type: 'call', deal_id, organization_id, contact_id })
    for (const path of ['/organizations', '/contacts', '/deals', '/activities', '/tasks?show=all', '/reports']) {
      await openPage(page, path)
      const wider = await page
        .locator('.scroll')
        .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel))
      assert.deepEqual(wider, [], `${path} in ${locale}`)
    }
  }
})
