import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { bundle } from '../support/program.ts'
import { password } from '../support/visitor.ts'
import { openPathProxy } from './path-proxy.ts'

const skip = withoutBrowser

/** The server processes the first POST to a path, and its response is lost. `second`: the response to the next one; default: the server's. */
async function loseFirst(page: Page, path: string, second?: ErrorResponse): Promise<void> {
  let count = 0
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST' || ++count > (second ? 2 : 1)) return route.continue()
    if (count === 2) return route.fulfill({ status: second!.status, json: { error: second } })
    await route.fetch()
    return route.abort()
  })
}

interface ErrorResponse {
  status: number
  code: string
  message: string
}

const limited = { status: 429, code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests' }

test('A form whose response is lost creates one record when it is sent again, and one undo removes it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  const total = async () => (await api.get('/api-v1-organizations')).body.pagination.total
  await loseFirst(page, '**/api-v1-organizations')
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: 'Create organization' })
  await dialog.getByLabel('Name').fill('Nordwind')

  await create.click()
  await dialog.getByText('The server cannot be reached. Check the connection. Then try again.').waitFor()
  await create.click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()
  assert.equal(await total(), 1)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  assert.equal(await total(), 0)
})

test('A form that is changed after its response was lost says that it was saved, and creates no second record', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  await loseFirst(page, '**/api-v1-organizations')
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: 'Create organization' })
  await dialog.getByLabel('Name').fill('Nordwind')
  await create.click()
  await dialog.getByText('The server cannot be reached').waitFor()

  await dialog.getByLabel('Name').fill('Nordwind AG')
  await create.click()
  await dialog.getByText('This was saved when you sent it first').waitFor()

  assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 1)
})

test('A form whose response is lost creates one record, also if it is then sent once too often in a minute', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  await loseFirst(page, '**/api-v1-organizations', limited)
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: 'Create organization' })
  await dialog.getByLabel('Name').fill('Nordwind')
  for (const shown of ['The server cannot be reached', 'Too many requests']) {
    await create.click()
    await dialog.getByText(shown).waitFor()
  }
  await create.click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()

  assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 1)
})

test('What is sent without a form is processed once, also if the user has to sign in before it is sent again', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { program: bundle, fresh: true })
  const webhook = await make(api, 'webhook', { url: 'http://127.0.0.1:9/', events: ['*'] })
  await loseFirst(page, '**/ping', { status: 401, code: 'UNAUTHORIZED', message: 'Sign in first' })
  await openPage(page, `/webhooks/${webhook.id}`)
  await page.getByRole('button', { name: 'Ping', exact: true }).click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.getByRole('button', { name: 'Ping', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByLabel('Password').fill(password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Ping sent.').waitFor()

  assert.equal((await api.get(`/api-v1-webhooks/${webhook.id}/deliveries`)).body.pagination.total, 1)
})

test('An activity whose response is lost is logged once when it is sent again', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await loseFirst(page, '**/api-v1-activities')
  await openPage(page, `/organizations/${id}`)
  const line = page.getByLabel('Subject')
  await line.fill('Called')
  await page.getByRole('button', { name: 'Log note' }).click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.getByRole('button', { name: 'Log note' }).click()
  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' })
  await idle(page)
  await line.fill('Called again')
  await page.getByRole('button', { name: 'Log note' }).click()
  await page.getByRole('main').getByText('Called again').waitFor()

  assert.equal((await api.get('/api-v1-activities')).body.pagination.total, 2)
})

test('A response that breaks off is a lost one: the user reads so, and nothing is created twice', {
  skip,
}, async (t) => {
  const { api, page, url } = await openConsole(t, { fresh: true, locale: 'de-DE' })
  const proxy = await openPathProxy(t, '', { strips: false })
  proxy.forwardTo(url)
  await openPage(page, `${proxy.url}/settings/account`)
  const address = page
    .getByRole('region', { name: 'Ihre Mailadresse' })
    .getByRole('button', { name: 'Adresse anlegen' })
  proxy.cutNext('/api-v1-mail-addresses')

  await address.click()
  await page.getByText('Der Server ist nicht erreichbar').waitFor()
  await address.click()
  await address.waitFor({ state: 'detached' })

  assert.equal((await api.get('/api-v1-mail-addresses')).body.pagination.total, 1)
})
