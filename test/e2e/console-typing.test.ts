import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage, typeSlowly } from '../support/page.ts'

const skip = withoutBrowser

async function edit(page: Page, path: string) {
  await openPage(page, path)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog').first()
  await dialog.waitFor()
  return { dialog, save: () => dialog.getByRole('button', { name: 'Save' }).click() }
}

test('A date and a time can be typed; incomplete input is not cleared, and a two-digit year is an error', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'en-US', timeZone: 'America/St_Johns' })
  const { id } = await make(api, 'task', { title: 'Call', due_date: '2026-12-10T10:00:12.345Z' })
  const { dialog, save } = await edit(page, `/tasks/${id}`)
  const [day, time] = [dialog.getByLabel('Due date (optional)', { exact: true }), dialog.getByLabel('Due date: time')]

  await day.focus()
  await typeSlowly(page, '11152027')
  await idle(page)
  assert.equal(await day.inputValue(), '2027-11-15')
  assert.equal(await time.inputValue(), '06:30')
  await time.focus()
  await typeSlowly(page, '1130P')
  await idle(page)
  assert.equal(await day.inputValue(), '2027-11-15')
  assert.equal(await time.inputValue(), '23:30')
  await day.focus()
  await typeSlowly(page, '111526')
  await save()
  await dialog.getByText('a year of four digits').waitFor()
  await idle(page)
  await day.focus()
  await typeSlowly(page, '11152027')
  await save()
  await dialog.waitFor({ state: 'detached' })

  assert.equal((await api.get(`/api-v1-tasks/${id}`)).body.data.due_date, '2027-11-16T03:00:00.000Z')
})

test('Escape never closes a form that the user chose to keep, however often it is pressed', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()
  const form = page.getByRole('dialog', { name: 'New deal' })
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await form.getByLabel('Title').fill('Coaches')
  await form.getByLabel('Closes on').focus()
  await page.keyboard.press('1')

  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Keep editing' }).click()
  }
  for (let i = 0; i < 6; i++) await page.keyboard.press('Escape')

  await idle(page)
  assert.ok(await form.isVisible())
  assert.equal(await form.getByLabel('Title').inputValue(), 'Coaches')
})

test('A conflict keeps incomplete metadata, and a new value in its field counts as mine', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const grace = { first_name: 'Grace', job_title: 'Captain', metadata: { vip: true, account: 1 } }
  const { id } = await make(api, 'contact', grace)
  const { dialog, save } = await edit(page, `/contacts/${id}`)
  await api.patch(`/api-v1-contacts/${id}`, { job_title: 'Admiral' })
  await dialog.getByLabel('Job title').fill('Commodore')
  await save()
  const jobTitle = dialog.getByRole('group', { name: 'Job title' })
  await jobTitle.waitFor()

  await dialog.getByText('Advanced').click()
  await dialog.getByRole('button', { name: 'Add metadata' }).click()
  await dialog.getByLabel('Value', { exact: true }).last().fill('fair')
  await jobTitle.getByLabel('Theirs').check()
  await dialog.getByRole('textbox', { name: 'Job title' }).fill('Rear admiral')
  await idle(page)
  assert.ok(await jobTitle.getByLabel('Mine: Rear admiral').isChecked())
  assert.equal(await dialog.getByLabel('Value', { exact: true }).last().inputValue(), 'fair')
  await dialog.getByLabel('Name', { exact: true }).last().fill('source')
  await dialog.getByLabel('Value', { exact: true }).nth(1).fill('40070044055066077088')
  await save()
  await dialog.waitFor({ state: 'detached' })

  const { job_title, metadata } = (await api.get(`/api-v1-contacts/${id}`)).body.data
  assert.equal(job_title, 'Rear admiral')
  assert.deepEqual(metadata, {
    vip: true,
    account: '40070044055066077088',
    source: 'fair',
  })
})

test('In a conflict, an amount and its currency are chosen together', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches', value: 100, currency: 'CHF' })
  const { dialog, save } = await edit(page, `/deals/${id}`)
  await api.patch(`/api-v1-deals/${id}`, { currency: 'EUR' })
  await dialog.getByLabel('Value', { exact: true }).fill('12500.75')
  await save()

  const value = dialog.getByRole('group', { name: 'Value' })
  await value.getByText('Theirs: €100').waitFor()
  await value.getByLabel(/Mine: CHF/).check()
  await save()
  await dialog.waitFor({ state: 'detached' })

  const { data } = (await api.get(`/api-v1-deals/${id}`)).body
  assert.deepEqual([data.value, data.currency], [12_500.75, 'CHF'])
})

test('A suggestion that cannot be loaded is an error in the list', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()
  await page.route(/api-v1-organizations/, (route) => route.abort()) // also together with other requests

  await page.getByRole('combobox', { name: 'Organization' }).fill('Meyer')

  await page.getByRole('option', { name: /The server cannot be reached/ }).waitFor()
})

test('The Back button during a question about unsaved input keeps the form', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Coaches', value: 100 })
  await openPage(page, '/deals')
  await page.getByRole('link', { name: 'Coaches' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit deal' })
  await form.getByLabel('Value', { exact: true }).fill('-5')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'Save a negative value?' }).waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Keep editing' }).click()

  await idle(page)
  assert.equal(await form.getByLabel('Value', { exact: true }).inputValue(), '-5')
  await form.getByText('Value is negative').waitFor()
})

test('A link asks before it discards an unsaved company name', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/settings/company')
  await page.getByLabel('Name').fill('Acme Ltd')

  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await idle(page)
  assert.equal(await page.getByLabel('Name').inputValue(), 'Acme Ltd')
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()
})
