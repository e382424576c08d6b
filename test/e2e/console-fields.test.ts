import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('An admin declares a field, changes its options, and deletes it with a way back', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Hampers', metadata: { renewal_risk: 'high' } })
  const fields = async () => (await api.get('/api-v1-fields')).body.data
  await openPage(page, '/settings/fields')
  await page.getByRole('button', { name: 'Deals', exact: true }).click()
  await page.getByText('None. A field is part of the metadata').waitFor()

  await page.getByRole('button', { name: 'Add field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Renewal risk')
  await dialog.getByLabel('Type').selectOption('choice')
  await dialog.getByLabel('Options').fill('low\nhigh\n')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('renewal_risk · Choice').waitFor()

  const [{ resource, key, type, options, label }] = await fields()
  assert.deepEqual(
    [resource, key, type, options, label],
    ['deal', 'renewal_risk', 'choice', ['low', 'high'], 'Renewal risk'],
  )
  assert.equal((await api.get('/api-v1-deals?metadata.renewal_risk[gt]=low')).body.data[0].title, 'Hampers')

  await page.getByRole('button', { name: 'Edit Renewal risk' }).click()
  await dialog.getByLabel('Options').fill('low\nmedium\nhigh')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual((await fields())[0].options, ['low', 'medium', 'high'])

  await page.getByRole('button', { name: 'Delete renewal_risk' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Renewal risk deleted.').waitFor()
  assert.deepEqual(await fields(), [])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('renewal_risk · Choice').waitFor()
})

test('A key that is taken is shown at its input, and what was typed stays', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'field', { resource: 'organization', key: 'tax_id', type: 'text' })
  await openPage(page, '/settings/fields')
  await page.getByRole('button', { name: 'Add field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Tax id')

  await dialog.getByRole('button', { name: 'Save' }).click()

  await dialog.getByText('already exists').waitFor()
  await idle(page)
  assert.equal(await dialog.getByLabel('Label').inputValue(), 'Tax id')
})
