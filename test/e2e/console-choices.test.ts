import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare } from '../support/declare.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser
const tags = { key: 'tags', label: 'Tags', type: 'choices', options: ['VIP', 'Fair', 'Partner'] }
const owner = { key: 'owner', label: 'Account owner', type: 'user' }

test('Tags and owners are chosen in a form, and shown by their names', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await declare(api, 'organization', tags, owner)
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Name').fill('Nordwind')
  for (const name of ['Partner', 'VIP']) await dialog.getByRole('checkbox', { name }).check()
  await dialog.getByLabel('Account owner').fill('Ada')
  await dialog.getByRole('option', { name: 'Ada Weber' }).click()
  await dialog.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()

  await page.locator('.badge', { hasText: 'Partner' }).waitFor()
  await idle(page)
  const { data: users } = (await api.get('/api-v1-users')).body
  const [{ metadata }] = (await api.get('/api-v1-organizations')).body.data
  assert.deepEqual(metadata, { tags: ['VIP', 'Partner'], owner: users[0].id })
  await page.locator('dl').getByText('Ada Weber').first().waitFor()
  assert.deepEqual(complaints, [])
})

test('A list is filtered by any of several tags', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', tags)
  const each = { Nordwind: ['VIP'], Suedwind: ['Fair', 'Partner'], Westwind: [] }
  for (const [name, given] of Object.entries(each)) await make(api, 'organization', { name, metadata: { tags: given } })
  await openPage(page, '/organizations')

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter' })
  for (const name of ['VIP', 'Partner']) await dialog.getByRole('checkbox', { name }).check()
  await dialog.getByRole('button', { name: 'Show' }).click()

  await page.getByText('Tags in VIP, Partner').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('link', { name: 'Westwind' }).count(), 0)
  await page.getByRole('link', { name: 'Nordwind' }).first().waitFor()
  await page.getByRole('link', { name: 'Suedwind' }).first().waitFor()
})

test('The settings offer usual fields, each declared with one click', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await openPage(page, '/settings/fields')

  for (const name of ['Owner', 'Tags']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(`${name} created.`).first().waitFor()
    await idle(page)
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0)
  }

  const { data } = (await api.get('/api-v1-fields')).body
  assert.deepEqual(
    data.map(({ resource, key, type }: Record<string, string>) => [resource, key, type]),
    [
      ['organization', 'owner', 'user'],
      ['organization', 'tags', 'choices'],
    ],
  )
  assert.deepEqual(complaints, [])
})

test('The timeline has activities in the order in which they happened, with their duration and outcome', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const log = (subject: string, metadata: object) =>
    make(api, 'activity', { type: 'call', subject, organization_id: id, metadata })
  await log('First', { duration_minutes: 12, outcome: 'interested' })
  await log('Earlier', { occurred_at: '2025-12-24T10:00:00Z' })
  await openPage(page, `/organizations/${id}`)

  const entries = page.locator('.timeline li')
  await entries.first().waitFor()
  await idle(page)

  const texts = await entries.allInnerTexts()
  assert.match(texts[0]!, /First[\s\S]*12 minutes · interested/)
  assert.match(texts[1]!, /Earlier[\s\S]*2025/)
})

test('A comparison of duplicates shows declared fields as their pages do: users by their names, and no raw values', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const vip = { key: 'vip', label: 'Key account', type: 'boolean' }
  await declare(api, 'organization', tags, owner, vip, { key: 'renews', label: 'Renews on', type: 'date' })
  const [user] = (await api.get('/api-v1-users')).body.data
  const metadata = { tags: ['VIP', 'Fair'], owner: user.id, vip: true, renews: '2031-12-24' }
  const other = { tags: ['Partner'], vip: false, renews: '2031-01-31' }
  const first = await make(api, 'organization', { name: 'Nordwind', metadata })
  const second = await make(api, 'organization', { name: 'Nordwind', metadata: other })
  await openPage(page, `/organizations/duplicates?merge=${first.id},${second.id}`)
  const group = (name: string) => page.getByRole('group', { name })
  const radio = (name: string, value: string) =>
    group(name).getByRole('radio', { name: new RegExp(`^${value} of Nordwind`) })

  await group('Account owner').getByText('Ada Weber', { exact: true }).waitFor()
  await idle(page)
  for (const [name, ...values] of [
    ['Key account', 'Yes', 'No'],
    ['Renews on', '24 Dec 2031', '31 Jan 2031'],
    ['Tags', 'VIP Fair', 'Partner'],
  ] as const) {
    for (const value of values) await radio(name, value).waitFor()
  }
})
