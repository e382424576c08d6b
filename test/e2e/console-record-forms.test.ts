import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

async function openForm(page: Page, plural: string, singular: string) {
  await openPage(page, `/${plural}`)
  await page
    .getByRole('button', { name: `New ${singular}` })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: `New ${singular}` })
  await dialog.waitFor()
  return dialog
}

test('A new contact needs no click to get an email and a phone, and inputs that stay empty are not sent', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const dialog = await openForm(page, 'contacts', 'contact')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('grace@navy.example')
  await dialog.getByLabel('Type').last().fill('home')
  await dialog.getByRole('button', { name: 'Create contact' }).click()
  await page.getByRole('heading', { name: 'Grace' }).waitFor()

  const [grace] = (await api.get('/api-v1-contacts?include=emails,phones')).body.data
  assert.deepEqual([grace.contact_emails.length, grace.contact_phones.length], [1, 0])
})

test('The error of an email is shown at its input, also after one that is empty, and gets the focus', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const dialog = await openForm(page, 'contacts', 'contact')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByRole('button', { name: 'Add email' }).click()
  const emails = dialog.getByRole('textbox', { name: 'Email' })
  await emails.nth(1).fill('grace')
  await dialog.getByRole('button', { name: 'Create contact' }).click()

  await dialog.locator('input[type="email"][aria-invalid="true"]:focus').waitFor()
  await idle(page)
  assert.equal(await emails.nth(1).getAttribute('aria-invalid'), 'true')
  assert.equal(await emails.nth(0).getAttribute('aria-invalid'), null)
})

test('The contact picker offers contacts of the chosen organization first, and a new one belongs to it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer Reisen' })
  const others = Array.from({ length: 9 }, (_, n) => ({ first_name: `Anna ${n}` }))
  await make(api, 'contact', ...others, { first_name: 'Zoe', organization_id: id })
  const dialog = await openForm(page, 'deals', 'deal')
  await dialog.getByLabel('Title').fill('Coaches')
  await dialog.getByRole('combobox', { name: 'Organization' }).fill('Meyer')
  await dialog.getByRole('option', { name: 'Meyer Reisen', exact: true }).click()

  const contact = dialog.getByRole('combobox', { name: 'Contact' })
  await contact.click()
  await dialog.getByRole('listbox').getByRole('option').first().getByText('Zoe').waitFor()
  await contact.fill('Grace Hopper')
  await dialog.getByRole('option', { name: 'Create “Grace Hopper”' }).click()
  await dialog.getByText('Created when you save').waitFor()
  await dialog.getByRole('button', { name: 'Create deal' }).click()
  await page.getByRole('heading', { name: 'Coaches' }).waitFor()

  const [grace] = (await api.get('/api-v1-contacts?first_name=Grace')).body.data
  assert.equal(grace.organization_id, id)
})

test('A new deal has the currency that most deals have, unless the user types another one first', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', ...['CHF', 'CHF', 'EUR'].map((currency) => ({ title: 'Coaches', currency })))
  const dialog = await openForm(page, 'deals', 'deal')
  await dialog.getByText('CHF').first().waitFor()
  await idle(page)
  assert.equal(await dialog.getByLabel('Currency').inputValue(), 'CHF')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const { promise: released, resolve: respond } = Promise.withResolvers<void>()
  await page.route(/summary\?group_by=currency/, (route) => released.then(() => route.continue()))
  await page.getByRole('button', { name: 'New deal' }).first().click()
  await dialog.getByLabel('Currency').fill('SEK')
  const answered = page.waitForResponse(/summary\?group_by=currency/)
  respond()
  await answered
  await idle(page)
  assert.equal(await dialog.getByLabel('Currency').inputValue(), 'SEK')
})

test('A stage is chosen in a select, in a new deal and in an existing one', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, `/deals/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Stage').selectOption('Proposal')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  assert.equal((await api.get(`/api-v1-deals/${id}?include=stage`)).body.data.stage.name, 'Proposal')
})

test('Metadata is behind “Advanced”, which opens by itself to show an error', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const dialog = await openForm(page, 'organizations', 'organization')
  const add = dialog.getByRole('button', { name: 'Add metadata' })
  await idle(page)
  assert.equal(await add.isVisible(), false)

  await dialog.getByText('Advanced').click()
  await add.click()
  await dialog.getByRole('group', { name: 'Metadata' }).getByLabel('Value').fill('fair')
  await dialog.getByText('Advanced').click()
  await add.waitFor({ state: 'hidden' })
  await dialog.getByLabel('Name', { exact: true }).first().fill('Meyer')
  await dialog.getByRole('button', { name: 'Create organization' }).click()

  await dialog.getByText('Enter a name', { exact: true }).waitFor()
})
