import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, openPage } from '../support/page.ts'

test('A filter names a record as it is called since it was renamed on its page', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const list = `/contacts?organization_id=${id}`
  await openPage(page, list)
  await page.getByRole('button', { name: 'Organization Nordwind' }).first().waitFor()
  await follow(page, `/organizations/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Suedwind')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Suedwind' }).waitFor()

  await follow(page, list)
  await page.getByRole('button', { name: 'Organization Suedwind' }).first().waitFor()
})
