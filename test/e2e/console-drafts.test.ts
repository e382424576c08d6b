import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

async function openForm(page: Page) {
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const form = page.getByRole('dialog', { name: 'New organization' })
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await form.waitFor()
  return { form, name: form.getByLabel('Name'), question }
}

test('A form with unsaved input asks before Escape, Cancel and Close discard it', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { form, name, question } = await openForm(page)
  await name.fill('Meyer Reisen')

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await idle(page)
  assert.equal(await name.inputValue(), 'Meyer Reisen')

  await form.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'detached' })
  assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 0)
})

test('After unsaved input is discarded, what opened the form has the focus', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer Reisen' })
  await openPage(page, `/organizations/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Meyer')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await idle(page)

  assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Edit')
})

test('A form without unsaved input closes without asking', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const { form, name } = await openForm(page)

  await name.fill('M')
  await name.fill('')
  await page.keyboard.press('Escape')

  await form.waitFor({ state: 'detached' })
})

test('A form with unsaved input asks before the Back button and a reload discard it', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const { form, name, question } = await openForm(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await name.fill('Meyer Reisen')

  await page.goBack()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await idle(page)
  assert.equal(await name.inputValue(), 'Meyer Reisen')
  assert.equal(new URL(page.url()).pathname, '/organizations')
  const asked = page.waitForEvent('dialog')
  page.once('dialog', (dialog) => dialog.dismiss())
  await Promise.race([asked, page.reload().catch(() => {})])
  assert.equal((await asked).type(), 'beforeunload')
  await idle(page)
  assert.equal(await name.inputValue(), 'Meyer Reisen')

  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
  await form.waitFor({ state: 'detached' })
})

test('Cancel during a slow create reports that it was too late, and the page stays', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { form, name } = await openForm(page)
  const { promise: released, resolve: response } = Promise.withResolvers<void>()
  await page.route('**/api-v1-organizations', async (route) => {
    if (route.request().method() === 'POST') await released
    await route.continue()
  })
  await name.fill('Meyer Reisen')
  await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST'),
    form.getByRole('button', { name: 'Create organization' }).click(),
  ])

  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'detached' })
  response()
  const note = page.locator('.toast', { hasText: 'Too late to cancel: “Meyer Reisen” was created.' })
  await note.waitFor()

  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/organizations')
  await page.getByRole('row', { name: 'Meyer Reisen' }).waitFor()
  const { id } = (await api.get('/api-v1-organizations')).body.data[0]
  await note.getByRole('link', { name: 'Show' }).click()
  await page.waitForURL(`**/organizations/${id}`)
})

test('An activity draft is stored for each record and survives navigation, switching to test data, a reload and a failed request', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const meyer = await make(api, 'organization', { name: 'Meyer' })
  const nordwind = await make(api, 'organization', { name: 'Nordwind' })
  const subject = page.getByLabel('Subject')
  const text = page.getByLabel('What happened')
  await openPage(page, `/organizations/${meyer.id}`)
  await subject.fill('Offer')
  await page.getByRole('button', { name: 'Call' }).click()
  await text.fill('Wants 200 hampers')

  await page.getByRole('link', { name: 'Organizations' }).first().click()
  await page.getByRole('link', { name: 'Nordwind' }).click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()
  await idle(page)
  assert.equal(await subject.inputValue(), '')
  await page.getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByText('Test data').waitFor()
  await openPage(page, `/organizations/${meyer.id}`)
  await subject.focus()
  await idle(page)
  assert.equal(await text.inputValue(), 'Wants 200 hampers')
  await page.route('**/api-v1-activities', (route) => route.abort())
  await page.getByRole('button', { name: 'Log call' }).click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.reload()
  await idle(page)
  assert.equal(await subject.inputValue(), 'Offer')

  await subject.focus()
  await page.unroute('**/api-v1-activities')
  await page.getByRole('button', { name: 'Log call' }).click()
  await page.getByRole('list').getByText('Offer').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Meyer' }).waitFor()
  await idle(page)
  assert.equal(await subject.inputValue(), '')
  assert.equal((await api.get(`/api-v1-activities?filter[organization_id]=${nordwind.id}`)).body.pagination.total, 0)
})

test('Signing out deletes drafts: the next user of the browser does not see them', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer' })
  await openPage(page, `/organizations/${id}`)
  await page.getByLabel('Subject').fill('Secret')

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await idle(page)
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage).includes("Secret")'), false)
})

test('Who signs out when the session has ended already is not asked to sign in again, and leaves no draft', {
  skip,
}, async (t) => {
  const { api, page, context } = await openConsole(t, { fresh: true })
  const { id } = await make(api, 'organization', { name: 'Meyer' })
  await openPage(page, `/organizations/${id}`)
  await page.getByLabel('Subject').fill('Secret')
  await context.clearCookies()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()

  await idle(page)
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage).includes("Secret")'), false)
})
