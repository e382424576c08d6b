import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

test('The first steps lead to where they are done, tick themselves, and are gone when all are done', {
  skip,
}, async (t) => {
  const { page, api, url, complaints } = await openConsole(t)
  const card = page.getByRole('region', { name: 'First steps' })

  await openPage(page, '/')
  await card.getByRole('link', { name: 'Invite colleagues' }).press('Enter')
  await page.waitForURL(`${url}/settings/users`)
  await make(api, 'contact', { first_name: 'Grace' })
  await openPage(page, '/')
  await card.locator('li', { hasText: 'Import your contacts' }).getByText('done').waitFor()
  await card.getByRole('link', { name: 'Import your contacts' }).waitFor({ state: 'detached' })
  await card.getByRole('link', { name: 'Create a first deal' }).waitFor()
  await card.getByRole('button', { name: 'Try with sample data' }).waitFor({ state: 'detached' })

  await make(api, 'deal', { title: 'Hampers' })
  await make(api, 'stage', { name: 'Trial' })
  assert.equal((await api.post('/console/users', { full_name: 'Max', email: 'max@acme.example' })).status, 201)
  await openPage(page, '/')
  await page.getByRole('link', { name: 'Hampers' }).first().waitFor()
  await card.waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})

test('The first steps can be hidden, which the browser remembers', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const card = page.getByRole('region', { name: 'First steps' })

  await openPage(page, '/')
  await card.getByRole('button', { name: 'Hide the first steps' }).press('Enter')
  await card.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor()
  await card.waitFor({ state: 'detached' })
})

test('One click adds sample data, and one removes it, also in the settings after the steps are hidden', {
  skip,
}, async (t) => {
  const { page, api, complaints } = await openConsole(t)
  const card = page.getByRole('region', { name: 'First steps' })

  await openPage(page, '/')
  await card.getByRole('button', { name: 'Try with sample data' }).press('Enter')
  await page.getByText('Sample data added.').waitFor()
  await page.getByRole('region', { name: 'Tasks due' }).getByRole('link', { name: 'Send the offer' }).waitFor()
  await card.getByRole('link', { name: 'Create a first deal' }).waitFor()
  await card.getByRole('button', { name: 'Remove sample data' }).press('Enter')
  await page.getByText('Sample data removed.').waitFor()
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor()
  assert.equal((await api.get('/api-v1-deals')).body.pagination.total, 0)

  await card.getByRole('button', { name: 'Try with sample data' }).press('Enter')
  await card.getByRole('button', { name: 'Remove sample data' }).waitFor()
  await card.getByRole('button', { name: 'Hide the first steps' }).press('Enter')
  const [deal] = (await api.get('/api-v1-deals')).body.data
  assert.equal((await api.patch(`/api-v1-deals/${deal.id}`, { value: 1 })).status, 200)
  await openPage(page, '/settings/company')
  await page.getByRole('button', { name: 'Remove sample data' }).press('Enter')
  await page.getByText('Sample data removed. 1 record was changed since and stays.').waitFor()
  await page.getByRole('region', { name: 'Sample data' }).waitFor({ state: 'detached' })
  assert.equal((await api.get('/api-v1-deals')).body.pagination.total, 1)
  assert.deepEqual(complaints, [])
})
