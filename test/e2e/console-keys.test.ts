import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('c creates what the page is about', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  for (const [path, name] of [
    ['contacts', 'New contact'],
    ['tasks', 'New task'],
    ['pipeline', 'New deal'],
    [`organizations/${id}`, 'New organization'],
  ] as const) {
    await openPage(page, `/${path}`)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name }).waitFor()
  }
  assert.deepEqual(complaints, [])
})

test('On a page about nothing in particular, c offers what can be created', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/')

  await page.keyboard.press('c')
  const box = page.getByRole('combobox', { name: 'Create a record' })
  await box.waitFor()
  await page.getByRole('option', { name: 'New deal' }).waitFor()
  await idle(page)
  assert.equal(await box.inputValue(), '')
  assert.equal(await page.getByRole('option', { name: 'Go to' }).count(), 0)
  await box.fill('org')
  await page.getByRole('option', { name: 'New organization', selected: true }).waitFor()
  await box.press('Enter')

  await page.getByRole('dialog', { name: 'New organization' }).waitFor()
})

test('/ goes to the search box of a list, and elsewhere searches everything', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/contacts')
  await page.keyboard.press('/')
  await page.locator('input[type=search]:focus').waitFor()
  await page.keyboard.type('c/?')
  await page.waitForURL(/q=c/)
  await idle(page)
  assert.equal(await page.getByRole('searchbox').inputValue(), 'c/?')
  assert.equal(await page.getByRole('dialog').count(), 0)

  await openPage(page, '/reports')
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Search all records' })
  await box.waitFor()
  await idle(page)
  assert.equal(await box.inputValue(), '')
})

test('? shows all keys, and keys do nothing while a dialog is open', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/contacts')

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  for (const text of ['Search and commands', 'Next and previous row', 'Pick the deal up, or drop it'])
    await dialog.getByText(text).waitFor()
  for (const key of ['c', '/', '?', 'Control+k']) await page.keyboard.press(key)
  await idle(page)
  assert.equal(await page.getByRole('dialog').count(), 1)
  await page.keyboard.press('Escape')

  await dialog.waitFor({ state: 'detached' })
})

test('Keys with Ctrl, Alt or Meta belong to the browser', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/contacts')
  for (const key of ['Control+c', 'Alt+c', 'Meta+c', 'Control+/']) await page.keyboard.press(key)
  await idle(page)
  assert.equal(await page.getByRole('dialog').count(), 0)

  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New contact' }).waitFor()
})

test('Single keys can be turned off, also those of lists, and the browser remembers it', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', { first_name: 'Ada' })
  await openPage(page, '/contacts')
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  const marked = page.locator('main [aria-keyshortcuts]')
  assert.equal(await marked.count(), 2)

  await page.keyboard.press('?')
  const box = page.getByRole('checkbox', { name: 'Use single letters' })
  await box.uncheck()
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  for (const key of ['c', '/', '?', 'j']) await page.keyboard.press(key)
  await idle(page)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.locator('input:focus, [data-column]:focus').count(), 0)
  assert.equal(await marked.count(), 0)

  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Keyboard shortcuts' }).click()
  await box.check()
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.locator('[data-column]:focus').waitFor()
})

test('The menu of the user leads to the keys', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()

  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('What is typed right after c or Ctrl+K gets into the form and the search exactly, however slow the network is', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const releaseSearch = await hold(page, /assets\/panels/, 'GET')
  const releaseForm = await hold(page, /assets\/record-form/, 'GET')

  await openPage(page, '/deals')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('rollo')
  releaseSearch('continue')
  await page.keyboard.type('ut 29')
  const search = page.getByRole('combobox', { name: 'Search all records' })
  await search.waitFor()
  await idle(page)
  assert.equal(await search.inputValue(), 'rollout 29')

  await openPage(page, '/contacts')
  await page.keyboard.type('cXa')
  releaseForm('continue')
  await page.keyboard.type('ver')
  const name = page.getByRole('dialog').getByLabel('First name')
  await name.waitFor()
  await page.keyboard.type(' M')
  await idle(page)
  assert.equal(await name.inputValue(), 'Xaver M')
})

test('A role is changed only once it has been confirmed', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { data } = (await api.post('/console/users', { full_name: 'Zoe', email: `zoe-${Date.now()}@acme.example` }))
    .body
  const role = async () => (await api.get(`/api-v1-users/${data.user?.id ?? data.id}`)).body.data.role
  await openPage(page, '/settings/users')
  const select = page.getByLabel('Role of Zoe')

  await select.selectOption('admin')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await idle(page)
  assert.deepEqual([await select.inputValue(), await role()], ['member', 'member'])
  await select.selectOption('admin')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await select.locator('option:checked', { hasText: 'Admin' }).waitFor({ state: 'attached' })

  assert.equal(await role(), 'admin')
})
