import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const refuse = (field: string, message: string) => ({
  status: 400,
  json: { error: { code: 'VALIDATION_ERROR', message, details: [{ field, message, code: 'NOT_FOUND' }] } },
})

test('An activity for a deleted organization shows an error, and its text stays', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer' })
  await openPage(page, `/organizations/${id}`)
  await page.getByLabel('Subject').fill('Offer')
  await api.delete(`/api-v1-organizations/${id}`)

  await page.getByRole('button', { name: 'Log note' }).click()
  await page.getByRole('form', { name: 'Log an activity' }).getByText('Organization not found').waitFor()

  await idle(page)
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Offer')
})

test('An error about a field that the form does not have is shown above its buttons', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Grace' })
  const key = await make(api, 'api_key', { name: 'CI', scopes: ['read:all'] })
  page.on('dialog', (dialog) => dialog.accept())
  for (const [path, open, fill, send] of [
    ['/settings/company', '', 'Name', 'Save'],
    ['/settings/account', '', 'Current password', 'Change password'],
    ['/settings/stages', 'Add stage', 'Name', 'Save'],
    ['/settings/fields', 'Add field', 'Label', 'Save'],
    ['/settings/users', 'Add user', 'Email', 'Add user'],
    [`/contacts/${id}`, 'Edit', 'Job title', 'Save'],
    [`/contacts/${id}`, 'Add email', 'Email', 'Save'],
    ['/keys', 'New key', 'Name', 'Create key'],
    [`/keys/${key.id}`, 'Edit', 'Name', 'Save'],
  ] as const) {
    await openPage(page, path)
    if (open) await page.getByRole('button', { name: open, exact: true }).first().click()
    const sending = page.getByRole('button', { name: send, exact: true })
    const form = page
      .locator('form')
      .filter({ has: sending })
      .filter({ has: page.getByLabel(fill) })
      .first()
    await form.getByLabel(fill).first().fill('x@y.example')
    await page.route(/api-v1|console/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill(refuse('elsewhere', 'This is elsewhere')),
    )
    await form.getByRole('button', { name: send, exact: true }).click()
    await form.getByRole('alert').getByText('This is elsewhere').waitFor()
    await page.unroute(/api-v1|console/)
  }
})

test('An error of no field comes into view where Enter has sent a long form on a phone, and the focus stays', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await page.setViewportSize({ width: 360, height: 640 })
  const { id } = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const title = page.getByRole('dialog').getByLabel('Title')
  await title.fill('Baskets')
  await page.route(`**/api-v1-deals/${id}`, (route) => route.fulfill(refuse('elsewhere', 'This is elsewhere')))
  await title.press('Enter')

  const alert = page.getByRole('dialog').getByRole('alert')
  await alert.waitFor()
  await idle(page)
  const { y, height } = (await alert.boundingBox())!
  assert.ok(y >= 0 && y + height <= 640, `${y} ${height}`)
  await title.and(page.locator(':focus')).waitFor()
})

test('The error at a field disappears when its value changes', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create contact' }).click()
  await dialog.getByText('First name is required').waitFor()

  await dialog.getByLabel('First name').fill('Grace')

  await idle(page)
  assert.equal(await dialog.getByText('First name is required').count(), 0)
})

test('A form’s fields are inert while it is being sent, so that no input is lost', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Grace' })
  await openPage(page, `/contacts/${id}`)
  const { promise: released, resolve: response } = Promise.withResolvers<void>()
  await page.route('**/api-v1-activities', async (route) => {
    await released
    await route.fulfill(refuse('type', 'Not now'))
  })
  await page.getByLabel('Subject').fill('Offer')
  await page.getByLabel('What happened').fill('Wants 200')
  await page.getByLabel('Subject').focus()
  await page.keyboard.press('Enter')
  await page.locator('form[aria-busy="true"]').waitFor()
  await page.keyboard.type(' and more')
  response()
  await page.getByText('Not now').waitFor()

  await idle(page)
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Offer')
  assert.equal(await page.evaluate('document.activeElement.value'), 'Offer')
})

test('After a dialog, the focus returns to its opener, or to its neighbour if the opener is gone', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Grace', emails: [{ email: 'g@navy.example' }] })
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  await openPage(page, `/contacts/${id}`)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('body :focus').waitFor()
  await idle(page)
  assert.match(String(await focused()), /Edit/)

  await page.getByRole('button', { name: 'Edit g@navy.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('body :focus').waitFor()
  await idle(page)
  assert.equal(await focused(), 'Edit g@navy.example')

  await page.getByRole('button', { name: 'Remove g@navy.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove g@navy.example' }).waitFor({ state: 'detached' })
  await page.locator('body :focus').waitFor()
  await idle(page)
  assert.equal(await focused(), ' Add email')
})

test('After a dialog that replaced another one, the focus returns to what opened the first', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'api_key', { name: 'First', scopes: ['read:all'] })
  await openPage(page, '/keys')
  await page.getByRole('link', { name: 'First' }).waitFor()
  const dialog = (name: string) => page.getByRole('dialog', { name })
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog('New API key').getByLabel('Name').fill('Sync')
  await dialog('New API key').getByRole('button', { name: 'Create key' }).click()
  await dialog('Sync is ready').waitFor()

  await dialog('Sync is ready').getByRole('button', { name: 'I have saved it' }).click()

  await dialog('Sync is ready').waitFor({ state: 'detached' })
  await page.locator('button:focus', { hasText: 'New key' }).waitFor()
})

test('Two quick submits of a form create one record', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Grace')
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++
  })

  await idle(page)
  await dialog.locator('form').evaluate((form: unknown) => {
    const { requestSubmit } = form as { requestSubmit(): void }
    requestSubmit.call(form)
    requestSubmit.call(form)
  })
  await page.getByRole('heading', { name: 'Grace' }).waitFor()

  await idle(page)
  assert.equal(sent, 1)
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 1)
})

test('What the browser finds wrong in a form and what is missing are shown at once, and all that the server finds, too', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Value').fill('many')
  await dialog.getByLabel('Probability').fill('some')
  const submit = async () => {
    await dialog.getByRole('button', { name: 'Create deal' }).press('Enter')
    await idle(page)
    const wrong = await dialog.locator('.field:has([aria-invalid])').locator('label').allTextContents()
    return wrong.map((label) => label.replace(' (optional)', ''))
  }

  assert.deepEqual(await submit(), ['Title', 'Value', 'Probability'])
  await dialog.getByText('Title is required').waitFor()
  assert.equal(await dialog.getByLabel('Title').evaluate((input) => input.matches(':focus')), true)

  await dialog.getByLabel('Value').fill('100')
  await dialog.getByLabel('Currency').fill('E')
  await dialog.getByLabel('Probability').fill('200')
  assert.deepEqual(await submit(), ['Title', 'Currency', 'Probability'])
})
