import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const grace = { first_name: 'Grace', last_name: 'Hopper', emails: [{ email: 'admiral@navy.example' }] }
const ada = { first_name: 'Ada', last_name: 'Grace', phones: [{ phone_number: '+49 30 1234' }] }
const namesIn = (page: Page) => page.getByRole('rowheader').getByRole('link').allInnerTexts()
const nameIn = (page: Page, name: string) => page.getByRole('rowheader').getByRole('link', { name, exact: true })

/** Waits until the search shows that many results, then compares their names. */
async function assertFound(page: Page, text: string, names: string[]): Promise<void> {
  await openPage(page, `/contacts?q=${encodeURIComponent(text)}`)
  await page.getByText(`${names.length} found`, { exact: true }).waitFor()
  assert.deepEqual((await namesIn(page)).toSorted(), names.toSorted(), text)
}

test('The search box finds a contact by name, full name, email or phone', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'contact', grace, ada, { first_name: 'Max' })
  await openPage(page, '/contacts')
  const box = page.getByRole('searchbox')

  for (const [text, found, others] of [
    ['navy.example', ['Grace Hopper'], ['Ada Grace', 'Max']],
    ['30 12', ['Ada Grace'], ['Grace Hopper', 'Max']],
    ['grace', ['Ada Grace', 'Grace Hopper'], ['Max']],
    ['grace hop', ['Grace Hopper'], ['Ada Grace', 'Max']],
  ] as const) {
    await box.fill(text)
    for (const name of found) await nameIn(page, name).waitFor()
    for (const name of others) await nameIn(page, name).waitFor({ state: 'detached' })
    await idle(page)
    assert.deepEqual(await namesIn(page), found, text)
  }
  await box.fill('nobody')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await page.getByText('of 3').waitFor()
  assert.deepEqual(complaints, [])
})

test('While a search is running, the count is that of the rows still shown', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', grace, ada, { first_name: 'Max' })
  await openPage(page, '/contacts')
  await page.getByText('of 3').waitFor()
  const { promise: released, resolve: response } = Promise.withResolvers<void>()
  await page.route(/api-v1-.*[?&]q=/, (route) => released.then(() => route.continue()))

  await Promise.all([page.waitForRequest(/api-v1-.*[?&]q=/), page.getByRole('searchbox').fill('max')])
  assert.ok(await page.getByText('of 3').isVisible())
  response()
  await page.getByText('1 found').waitFor()
})

test('A search respects the filters', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nordwind' }, { name: 'Nord active', status: 'active' })

  await openPage(page, '/organizations?q=nord&status=active')
  await page.getByText('1 found').waitFor()

  assert.deepEqual(await namesIn(page), ['Nord active'])
})

test('What a search finds can be sorted', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nord b' }, { name: 'Nord c' }, { name: 'Nord a' }, { name: 'Other' })
  await openPage(page, '/organizations?q=nord')
  await page.getByText('3 found').waitFor()

  await page.getByRole('button', { name: 'Name' }).click()
  await page.waitForURL(/sort=name/)
  await page.getByRole('rowheader').nth(1).getByText('Nord b').waitFor()

  await idle(page)
  assert.deepEqual(await namesIn(page), ['Nord a', 'Nord b', 'Nord c'])
})

test('A search finds words in any order and in different fields, and requires every word', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const mueller = { first_name: 'Ada', last_name: 'Müller', job_title: 'Head of sales' }
  await make(
    api,
    'contact',
    mueller,
    { first_name: 'Ada', last_name: 'Weber' },
    { first_name: 'Max', last_name: 'Müller' },
  )

  await assertFound(page, 'Müller Ada', ['Ada Müller'])
  await assertFound(page, 'Ada Müller', ['Ada Müller'])
  await assertFound(page, 'Müller, Ada', ['Ada Müller'])
  await assertFound(page, 'sales mül', ['Ada Müller'])
  await openPage(page, '/contacts?q=Ada%20Müller%20Berlin')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
})

test('A search is accent-insensitive', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const names = ['Müller', 'Muller', 'Ångström', 'Łukasz', 'Straße', 'José', 'Sørensen', 'Dvořák', 'Núñez', 'Miller']
  await make(api, 'contact', ...names.map((first_name) => ({ first_name })))

  await assertFound(page, 'muller', ['Müller', 'Muller'])
  await assertFound(page, 'MÜLLER', ['Müller', 'Muller'])
  await assertFound(page, 'angstrom', ['Ångström'])
  await assertFound(page, 'lukasz', ['Łukasz'])
  await assertFound(page, 'strasse', ['Straße'])
  await assertFound(page, 'jose', ['José'])
  await assertFound(page, 'sorensen', ['Sørensen'])
  await assertFound(page, 'dvorak', ['Dvořák'])
  await assertFound(page, 'nunez', ['Núñez'])
})

test('A telephone number is found by its digits, in any format', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const phones = ['+49 89 123 456', '+49 (0)89 123-457', '089/123458', '+49 30 555 000']
  await make(
    api,
    'contact',
    ...phones.map((phone_number) => ({ first_name: phone_number, phones: [{ phone_number }] })),
  )
  await openPage(page, '/contacts')

  for (const [text, found] of [
    ['089123', phones.slice(0, 3)],
    ['(089) 123 456', phones.slice(0, 1)],
    ['004989123', phones.slice(0, 2)],
    ['+49 89 123', phones.slice(0, 2)],
  ] as const) {
    await page.getByRole('searchbox').fill(text)
    for (const name of phones) {
      await nameIn(page, name).waitFor({ state: found.includes(name) ? 'visible' : 'detached' })
    }
  }
})

test('Paging through search results shows each one exactly once', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const both = Array.from({ length: 70 }, (_, n) => ({ name: `Nordwind ${n}`, city: 'Nordstadt' }))
  const one = Array.from({ length: 60 }, (_, n) => ({ name: `Company ${n}`, city: n % 2 ? 'Nordstadt' : 'Nördstadt' }))
  await make(api, 'organization', ...both, ...one)
  await openPage(page, '/organizations?q=nord')

  const next = page.getByRole('button', { name: 'Next' })
  const found: string[] = []
  for (const range of ['1–50 of', '51–100 of', '101–130 of 130 found']) {
    if (found.length > 0) await next.click()
    await page.getByText(range).waitFor()
    await idle(page)
    found.push(...(await namesIn(page)))
  }

  await idle(page)
  assert.equal(await next.getAttribute('aria-disabled'), 'true')
  assert.equal(new Set(found).size, 130)
  assert.equal(found.length, 130)
  await openPage(page, '/organizations?q=nord&page=9')
  await page.getByText('101–130 of 130 found').waitFor()
})

test('A page with a text of any length in its search box can be loaded again', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/contacts')

  await page.getByRole('searchbox').fill('ä'.repeat(20_000))
  await page.waitForURL('**/contacts?q=*')
  await idle(page)
  const loaded = await page.reload()

  assert.equal(loaded!.status(), 200)
  assert.ok((await page.getByRole('searchbox').inputValue()).length > 200, 'more than a search takes')
})
