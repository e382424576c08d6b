import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, goFollowing, idle, openPage } from '../support/page.ts'
import { reads } from './reads.ts'

test('A filter names a record as it is called since it was renamed on its page', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const list = `/contacts?organization_id=${id}`
  await openPage(page, list)
  await namedInFilter(page, 'Nordwind')
  await follow(page, `/organizations/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Suedwind')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Suedwind' }).waitFor()

  await follow(page, list)
  await namedInFilter(page, 'Suedwind')

  await page.getByRole('button', { name: 'Undo' }).click()
  await namedInFilter(page, 'Nordwind')
})

test('A filter names a record as it is called since somebody renamed it while its name was on its way', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const path = `/api-v1-organizations/${id}`
  await goFollowing(page, '/contacts')
  const responses: (() => Promise<void>)[] = []
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>()
  const { promise: askedAgain, resolve: noteAskedAgain } = Promise.withResolvers<void>()
  await page.route(reads(new RegExp(`^${path}$`)), async (route) => {
    const response = await route.fetch()
    responses.push(() => route.fulfill({ response }))
    if (responses.length === 1) noteAsked()
    else noteAskedAgain()
  })
  const list = `/contacts?organization_id=${id}`
  await page.evaluate(`history.pushState(null, '', '${list}'); dispatchEvent(new PopStateEvent('popstate'))`)
  await asked
  await api.patch(path, { name: 'Suedwind' })
  await askedAgain
  for (const respond of responses.toReversed()) await respond()

  await namedInFilter(page, 'Suedwind')
  await idle(page)
  await namedInFilter(page, 'Suedwind')
})

async function namedInFilter(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: `Organization ${name}` })
    .first()
    .waitFor()
}
