import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare } from '../support/declare.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** The paths that the page requests from now on. */
function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/assets/')) paths.push(pathname) // scripts of other pages load while the browser is idle
  })
  return paths
}

test('A page brings the declared fields: none are requested, and the list offers them as columns', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nordwind', metadata: { region: 'North' } })
  const requests = requestsOf(page)
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  const plain = requests.splice(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog').getByLabel('City').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('dialog').getByLabel('Region code').count(), 0)

  await declare(api, 'organization', { key: 'region', label: 'Region code', type: 'text' })
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'Columns' }).waitFor()
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  assert.deepEqual(requests.splice(0).sort(), plain.sort())
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog').getByLabel('Region code').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Nordwind' }).click()
  await page.getByText('Region code').waitFor()
  assert.deepEqual(
    requests.filter((path) => /fields|description/.test(path)),
    [],
  )
})

test('A field that is declared in the settings is in forms at once, and each environment has its own fields', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/settings/fields')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByRole('dialog').getByLabel('Label').fill('Region code')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('region_code · Text').waitFor()
  const link = page.getByRole('navigation').getByRole('link', { name: 'Organizations' })
  await link.click()
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('dialog').getByLabel('Region code').waitFor()

  await openPage(page, '/test/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('dialog').getByLabel('Region code').count(), 0)
})

test('Another company’s declared fields are never shown', { skip }, async (t) => {
  const [one, other] = [await openConsole(t), await openConsole(t, { fresh: true })]
  await declare(one.api, 'organization', { key: 'secret_region', label: 'Secret region', type: 'text' })
  const response = await other.page.goto('/organizations')
  await idle(other.page)
  assert.doesNotMatch(await response!.text(), /secret_region/)
  const described = await other.page.evaluate(async () => {
    const headers = { 'Kontor-Environment': 'live' }
    return (await fetch('/console/description', { headers })).text()
  })
  assert.match(described, /"declared":\{\}/)
})

test('A tab follows fields that another tab declares', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  await make(api, 'organization', { name: 'Nordwind' })
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  await page.getByLabel('Select Nordwind').check()
  await page.getByText('1 organization selected').waitFor()
  await declare(api, 'organization', { key: 'region', label: 'Region code', type: 'text' })
  await page.getByText('Set field').waitFor()
})
