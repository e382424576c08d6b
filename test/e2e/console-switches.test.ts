import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { enterAs, hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { bundle } from '../support/program.ts'
import { password, type Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { addColleague } from './mail-console.ts'

const skip = withoutBrowser

const inTest = { 'Kontor-Environment': 'test' }

const total = async (api: Visitor, path: string, headers = {}) => (await api.get(path, headers)).body.pagination.total

/** Switches to the other workspace once a request is on its way. */
async function switchDuring(page: Page, path: string, method: string, act: () => Promise<void>) {
  const release = await hold(page, path, method)
  const sent = page.waitForRequest((request) => request.method() === method)
  await act()
  await sent
  await page.getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByText('Test data').waitFor()
  release('continue')
}

/** The notification is not about the workspace that is shown: its Undo is in the other one. */
async function undoInLive(page: Page, text: string): Promise<void> {
  const note = page.locator('.toast', { hasText: text })
  await note.waitFor()
  assert.equal(await note.getByRole('button', { name: 'Undo' }).count(), 0)
  await page.getByRole('link', { name: 'Live', exact: true }).click()
  await note.getByRole('button', { name: 'Undo' }).click()
}

test('Selected records are all changed although the user switches to test data meanwhile, and one undo takes it back', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  for (let n = 0; n < 12; n++) await make(api, 'contact', { first_name: `Grace ${n}` })
  await openPage(page, '/contacts')
  await page.getByLabel('Select this page').check()
  await page.getByRole('button', { name: 'Set field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Field').selectOption('Job title')
  await dialog.getByLabel('Job title').fill('Admiral')

  await switchDuring(page, '**/api-v1-contacts/*', 'PATCH', () =>
    dialog.getByRole('button', { name: 'Change' }).click(),
  )

  await undoInLive(page, '12 contacts changed.')
  await page.getByText('12 records undone.').waitFor()
  assert.equal(await total(api, '/api-v1-contacts?job_title=Admiral'), 0)
})

test('Files are all added to their record although the user switches to test data meanwhile', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  const { id } = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${id}`)
  const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))

  await switchDuring(page, '**/api-v1-files?*', 'POST', () =>
    page.locator('input[type=file]').first().setInputFiles(files),
  )

  await page.getByText('3 files added.').waitFor()
  assert.equal(await total(api, `/api-v1-files?deal_id=${id}`), 3)
  await undoInLive(page, '3 files added.')
  await page.getByText('3 records undone.').waitFor()
})

test('A form that is closed while it is sent creates all its records in the workspace in which it was filled in', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByLabel('Organization').fill('Nordwind')
  await dialog.getByRole('option', { name: 'Create' }).click()

  await switchDuring(page, '**/api-v1-organizations', 'POST', async () => {
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await page.getByText('Too late to cancel: “Grace” was created.').waitFor()
  const [grace] = (await api.get('/api-v1-contacts?include=organization')).body.data
  assert.equal(grace.organization.name, 'Nordwind')
  for (const path of ['/api-v1-contacts', '/api-v1-organizations']) assert.equal(await total(api, path, inTest), 0)
})

test('A reload asks first while files are on their way', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  const { id } = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${id}`)
  await page.getByRole('heading', { name: 'Hampers' }).click() // browsers ask only a user who has done something
  const release = await hold(page, '**/api-v1-files?*', 'POST')
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
  await page.locator('input[type=file]').first().setInputFiles([file])
  await page.getByText('a.txt').first().waitFor()

  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })

  await page.evaluate('location.reload()')
  await until('the browser has asked', () => asked.length > 0)
  release('continue')
  await page.getByText('a.txt added.').waitFor()
  await page.reload()
  assert.deepEqual(asked, ['beforeunload'])
})

test('A page asks its user to sign in again once somebody else has signed in in another window, and saves nothing for them', {
  skip,
}, async (t) => {
  const { api, page, context, url } = await openConsole(t, { program: bundle })
  const colleague = await addColleague(url, api, 'bob@acme.example')
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nordwind')
  await enterAs(context, url, colleague)

  await page.getByRole('dialog').getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  assert.equal(await total(api, '/api-v1-organizations'), 0)

  await enterAs(context, url, api)
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByLabel('Password').fill(password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()
  const [{ id }] = (await api.get('/api-v1-organizations')).body.data
  assert.equal((await api.get(`/api-v1-organizations/${id}/history`)).body.data[0].actor.name, 'Ada Weber')

  await page.getByLabel('Subject').fill('Secret')
  await enterAs(context, url, colleague)
  await openPage(page, `/organizations/${id}`)
  assert.equal(await page.getByLabel('Subject').inputValue(), '') // a draft belongs to who has typed it
})
