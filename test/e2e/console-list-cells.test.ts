import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const cell = (page: Page, column: string, row = 1) =>
  page.locator(`.records tbody tr:nth-child(${row}) [data-column="${column}"]`)

test('A double click on a cell edits it: bad input is an error there, and the change can be undone', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Harbour', value: 100, currency: 'EUR' })
  const value = async () => (await api.get(`/api-v1-deals/${id}`)).body.data.value
  await openPage(page, '/deals')

  await cell(page, 'value').dblclick()
  const input = page.getByRole('dialog').getByLabel('Value')
  await input.fill('many')
  await input.press('Enter')
  await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor()
  await input.fill('250')
  await input.press('Enter')
  await page.getByText('Saved.').waitFor()
  await cell(page, 'value').getByText('250').waitFor()
  assert.equal(await value(), 250)
  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/deals')

  await page.getByRole('button', { name: 'Undo' }).click()
  await cell(page, 'value').getByText('100').waitFor()
  assert.equal(await value(), 100)
})

test('After a filter, whose button has the focus again, j moves into the list', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Harbour' })
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'Filter' }).press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.keyboard.press('j')

  assert.equal(await page.evaluate('document.activeElement.dataset.column'), 'title')
})

test('When a second tab changes the same cell, nothing is saved until the user has chosen', { skip }, async (t) => {
  const { api, page, context } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind', city: 'Kiel' })
  await openPage(page, '/organizations')
  await cell(page, 'city').dblclick()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('City').fill('Bremen')

  const other = await context.newPage()
  await openPage(other, '/organizations')
  await cell(other, 'city').dblclick()
  await other.getByRole('dialog').getByLabel('City').fill('Hamburg')
  await other.keyboard.press('Enter')
  await other.getByText('Saved.').waitFor()

  await page.bringToFront()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Theirs: Hamburg').waitFor()
  assert.equal((await api.get(`/api-v1-organizations/${id}`)).body.data.city, 'Hamburg')
  await dialog.getByLabel('Mine').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await cell(page, 'city').getByText('Bremen').waitFor()
  assert.equal((await api.get(`/api-v1-organizations/${id}`)).body.data.city, 'Bremen')
})

test('The keys of a list work as soon as it shows', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Alpha' }, { name: 'Beta' })
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector('.records tbody tr')) return
    observer.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  }).observe(document, { childList: true, subtree: true })`)

  await openPage(page, '/organizations?sort=name')

  await page.locator('[data-column=name]:focus', { hasText: 'Alpha' }).waitFor()
})

test('A list is used by keyboard alone: j and k move, x selects, e edits, Escape clears, Enter opens', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'organization', { name: 'Alpha' }, { name: 'Beta' })
  await openPage(page, '/organizations?sort=name')
  await cell(page, 'name').waitFor()

  await page.keyboard.press('j')
  await page.locator('[data-column=name]:focus', { hasText: 'Alpha' }).waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-column=name]:focus', { hasText: 'Beta' }).waitFor()
  await page.keyboard.press('x')
  await page.getByText('1 organization selected').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Shift+X')
  await page.getByText('2 organizations selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('2 organizations selected').waitFor({ state: 'detached' })

  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-column=city]:focus').waitFor()
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByLabel('City').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-column=city]:focus').waitFor()
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByLabel('City').fill('Kiel')
  await page.keyboard.press('Enter')
  await cell(page, 'city').getByText('Kiel').waitFor()

  await page.getByRole('searchbox').first().press('j')
  await idle(page)
  assert.match(await page.getByRole('searchbox').first().inputValue(), /j$/)
  await page.getByRole('searchbox').first().fill('')
  await page.locator('[data-column=name]', { hasText: 'Beta' }).waitFor()
  await cell(page, 'name').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Alpha' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('A click on a row opens it, and a click with Ctrl opens it in another tab', { skip }, async (t) => {
  const { api, page, context } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind', city: 'Kiel' })
  await openPage(page, '/organizations')
  const opened = context.waitForEvent('page')
  await cell(page, 'city').click({ modifiers: ['Control'] })
  await (await opened).waitForURL(`**/organizations/${id}`)
  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/organizations')
  await cell(page, 'city').click()
  await page.waitForURL(`**/organizations/${id}`)
})

test('Views are tabs above their list', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nordwind', status: 'active' }, { name: 'Insel', status: 'lead' })
  await make(api, 'view', { name: 'Customers', resource: 'organization', filter: 'status=active' })
  await openPage(page, '/organizations')
  const tabs = page.getByRole('navigation', { name: 'Views' })
  await tabs.getByRole('link', { name: 'Customers' }).click()
  await page.getByText('1–1 of 1').waitFor()
  await tabs.locator('[aria-current=true]', { hasText: 'Customers' }).waitFor()
  await tabs.getByRole('link', { name: 'All' }).click()
  await page.getByText('1–2 of 2').waitFor()
})

const typed = ['Control+a', '5', '9', 'Backspace', '0', '0', '0']
for (const [when, at] of [
  ['at once', 0],
  ['between two keys', 4],
  ['after the last key', typed.length],
] as const) {
  test(`What is typed while a cell is opened replaces its value, which arrives ${when}`, { skip }, async (t) => {
    const { api, page } = await openConsole(t)
    const { id } = await make(api, 'deal', { title: 'Harbour', value: 24_750.5, currency: 'EUR' })
    await openPage(page, '/deals')
    await cell(page, 'value').waitFor()
    const release = await hold(page, /api-v1-deals\/|record-form/, 'GET')
    if (at === 0) release('continue')

    await cell(page, 'value').dblclick()
    for (const key of typed.slice(0, at)) await page.keyboard.press(key)
    release('continue')
    if (at > 0) await idle(page)
    for (const key of typed.slice(at)) await page.keyboard.press(key)
    await page.getByRole('dialog').getByLabel('Value').press('Enter')
    await page.getByText('Saved.').waitFor()

    assert.equal((await api.get(`/api-v1-deals/${id}`)).body.data.value, 5_000)
    await idle(page)
    assert.equal(new URL(page.url()).pathname, '/deals')
  })
}

test('Escape while a cell is opened keeps it closed, and the keys of the list work again', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Harbour', value: 100 })
  await openPage(page, '/deals')
  await cell(page, 'value').waitFor()
  const asked = page.waitForRequest(/api-v1-deals\//)
  const release = await hold(page, /api-v1-deals\//, 'GET')

  await cell(page, 'title').focus()
  await page.keyboard.press('e')
  await asked
  await page.keyboard.press('Escape')
  release('continue')
  await idle(page)
  await page.keyboard.press('x')
  await page.getByText('1 deal selected').waitFor()

  await idle(page)
  assert.equal(await page.getByRole('dialog').count(), 0)
})
