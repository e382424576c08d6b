import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare } from '../support/declare.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const owner = { key: 'owner', label: 'Account owner', type: 'user' }

test('The last of more than 100 users is found for a declared field, in a form and for selected records, by name', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await declare(api, 'organization', owner)
  await make(api, 'organization', { name: 'Nordwind' })
  for (let n = 0; n < 100; n++)
    await api.post('/console/users', { full_name: `Bob ${n}`, email: `bob-${n}-${Date.now()}@acme.example` })
  const zoe = (await api.post('/console/users', { full_name: 'Zoe Zimmer', email: `zoe-${Date.now()}@acme.example` }))
    .body.data.user
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Suedwind')
  await form.getByLabel('Account owner').fill('zoe')
  await form.getByRole('option', { name: 'Zoe Zimmer' }).click()
  await form.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Suedwind' }).waitFor()
  await page.locator('dl').getByText('Zoe Zimmer').first().waitFor()

  await openPage(page, '/organizations')
  await page.getByRole('checkbox', { name: /Nordwind/ }).check()
  await page.getByRole('button', { name: 'Set field' }).click()
  const change = page.getByRole('dialog')
  await change.getByLabel('Field').selectOption({ label: 'Account owner' })
  await change.getByLabel('Account owner').fill('zoe')
  await change.getByRole('option', { name: 'Zoe Zimmer' }).click()
  await change.getByText('Account owner of 1 organization becomes “Zoe Zimmer”.').waitFor()
  await change.getByRole('button', { name: 'Change', exact: true }).click()
  await change.waitFor({ state: 'detached' })
  await idle(page)

  const { data } = (await api.get('/api-v1-organizations')).body
  assert.deepEqual(
    data.map(({ metadata }: { metadata: object }) => metadata),
    [{ owner: zoe.id }, { owner: zoe.id }],
  )
  assert.deepEqual(complaints, [])
})

test('A name that is no user’s is refused in a declared field, and nothing is saved', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', owner)
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Suedwind')
  await form.getByLabel('Account owner').fill('nobody')
  await form.getByText('No user found').waitFor()
  await form.getByRole('button', { name: 'Create organization' }).click()
  await form.getByText('No user is chosen: choose one from the list').waitFor()

  assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 0)
})

test('In German, what is searched for in a form has its German name', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'Neuer Deal' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Inhaber' }).fill('nobody')
  await form.getByText('Nichts gefunden: Benutzer').waitFor()
})
