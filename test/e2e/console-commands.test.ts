import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Ctrl+K offers all commands before anything is typed', { skip }, async (t) => {
  const { page, complaints } = await openConsole(t)
  await openCommands(page)

  for (const name of [
    'New contact',
    'New organization',
    'New deal',
    'New task',
    'Go to Home',
    'Go to Pipeline',
    'Go to Reports',
    'Go to Settings: Users',
    'Switch to test data',
    'Dark appearance',
    'Keyboard shortcuts',
    'Sign out',
  ])
    await command(page, name).waitFor()
  await page.getByRole('group', { name: 'Commands' }).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('group', { name: 'Records' }).count(), 0)
  assert.deepEqual(complaints, [])
})

test('What is typed before the script of the commands has been loaded is kept', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const { promise: allowed, resolve: load } = Promise.withResolvers<void>()
  await page.route('**/assets/panels-*.js', async (route) => {
    await allowed
    await route.continue()
  })
  await openPage(page, '/')
  await loaded(page)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('new de')
  load()
  await command(page, 'New deal').waitFor()

  await idle(page)
  assert.equal(await page.getByRole('combobox', { name: 'Search all records' }).inputValue(), 'new de')
})

test('Commands match by the beginnings of words in any order, below the records that match', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Dealership' })
  const box = await openCommands(page)

  await box.fill('deal NEW')
  await command(page, 'New deal').waitFor()
  await command(page, 'Sign out').waitFor({ state: 'detached' })
  await box.fill('deal')
  await page.getByRole('group', { name: 'Records' }).getByRole('option', { name: 'Dealership' }).waitFor()

  const options = page.getByRole('listbox', { name: 'Matches' }).getByRole('option')
  await idle(page)
  assert.match(await options.first().innerText(), /Dealership/)
  assert.equal(await options.first().getAttribute('aria-selected'), 'true')
  await command(page, 'Go to Deals').waitFor()
  assert.equal(await page.getByRole('group', { name: 'Commands' }).getByRole('option').count(), 2)
})

test('Saved views are commands that open their list or their board', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const view = (name: string, layout: string) => ({ name, resource: 'deal', layout, filter: 'value[gte]=20' })
  await make(api, 'view', view('Large deals', 'list'), view('Quarter', 'board'))
  const box = await openCommands(page)

  await box.fill('large')
  await page.getByRole('option', { name: 'Go to Large deals Deals', selected: true }).waitFor()
  await box.press('Enter')
  await page.waitForURL(/\/deals\?view=[\w-]+$/)
  await openCommands(page).then((again) => again.fill('quar'))
  await page.getByRole('option', { name: 'Go to Quarter Deals' }).click()
  await page.waitForURL(/\/pipeline\?view=[\w-]+$/)
})

test('Enter goes to the page of a command, and Escape closes the commands', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const box = await openCommands(page)
  await box.press('Escape')
  await box.waitFor({ state: 'detached' })

  await page.keyboard.press('Control+k')
  await box.fill('settings users')
  await command(page, 'Go to Settings: Users').waitFor()
  await box.press('Enter')

  await page.waitForURL('**/settings/users')
  await box.waitFor({ state: 'detached' })
})

test('The arrow keys reach the commands below the records', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', { first_name: 'Tasha' })
  const box = await openCommands(page)
  await box.fill('tas')
  await page.getByRole('option', { name: 'Tasha' }).waitFor()

  for (const name of ['New task', 'Go to Tasks']) {
    await box.press('ArrowDown')
    await page.getByRole('option', { name, selected: true }).waitFor()
  }
  await box.press('Enter')

  await page.waitForURL('**/tasks')
})

test('A command creates a record from any page, and leads to it', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const box = await openCommands(page)
  await box.fill('new contact')
  await command(page, 'New contact').waitFor()
  await box.press('Enter')

  const form = page.getByRole('dialog', { name: 'New contact' })
  await form.getByLabel('First name').fill('Grace')
  await form.getByRole('button', { name: 'Create contact' }).click()

  await page.getByRole('heading', { name: 'Grace' }).waitFor()
  await page.waitForURL(/\/contacts\/[\da-f-]{36}$/)
})

test('Commands switch between live and test data, and stay on the page', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/contacts')
  await loaded(page)

  for (const [name, url] of [
    ['Switch to test data', '**/test/contacts'],
    ['Switch to live data', /\/\/[^/]*\/contacts$/],
  ] as const) {
    await page.keyboard.press('Control+k')
    await command(page, name).click()
    await page.waitForURL(url)
  }
})

test('A command changes the theme, and offers the others then', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openCommands(page)
  await command(page, 'Dark appearance').click()
  await page.locator(':root[data-theme=dark]').waitFor()

  await page.keyboard.press('Control+k')
  await command(page, 'Light appearance').waitFor()
  await idle(page)
  assert.equal(await command(page, 'Dark appearance').count(), 0)
  await command(page, 'Appearance as the system').click()

  await page.locator(':root:not([data-theme])').waitFor()
})

test('A command signs out', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const box = await openCommands(page)
  await box.fill('sign')
  await command(page, 'Sign out').waitFor()
  await box.press('Enter')

  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('Commands run even if the records cannot be searched', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const box = await openCommands(page)
  await page.route(/api-v1-search/, (route) => route.abort())
  await box.fill('go reports')
  await page.getByText('The server cannot be reached').waitFor()
  await box.press('Enter')

  await page.waitForURL('**/reports')
})

test('In German, commands have German names and match them', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/')
  await loaded(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Alle Datensätze durchsuchen' }).fill('off kontakte')
  await command(page, 'Kontakte öffnen').click()

  await page.waitForURL('**/contacts')
})

async function openCommands(page: Page): Promise<Locator> {
  await openPage(page, '/')
  await loaded(page)
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search all records' })
  await box.waitFor()
  return box
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.bone').first().waitFor({ state: 'detached' })
}

function command(page: Page, name: string): Locator {
  return page.getByRole('option', { name, exact: true })
}
