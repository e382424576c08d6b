import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

test('The trash lists deleted records by type, and restores one that nothing is in the way of', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  const stage = await make(api, 'stage', { name: 'Offer' })
  await api.delete(`/api-v1-organizations/${organization.id}`)
  await api.delete(`/api-v1-stages/${stage.id}`)
  await make(api, 'stage', { name: 'Offer' })
  await openPage(page, '/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()

  const rows = page.getByRole('region', { name: 'Deleted records' }).getByRole('listitem')
  await rows.filter({ hasText: 'Offer' }).getByText('Stage · deleted by Ada Weber · today').waitFor()
  await page.getByRole('button', { name: 'Restore Offer' }).click()
  await rows.filter({ hasText: 'Offer' }).getByRole('alert').waitFor()
  await idle(page)
  assert.match(await rows.filter({ hasText: 'Offer' }).getByRole('alert').innerText(), /already exists/)

  await page.getByRole('button', { name: 'Organizations' }).click()
  await rows.filter({ hasText: 'Offer' }).waitFor({ state: 'detached' })
  await idle(page)
  assert.match(page.url(), /\?type=organization$/)
  await page.getByRole('button', { name: 'Restore Nordwind' }).click()
  await page.getByRole('heading', { name: 'None of these are in the trash' }).waitFor()

  assert.equal((await api.get(`/api-v1-organizations/${organization.id}`)).status, 200)
  await page.locator('.toast', { hasText: 'Nordwind restored.' }).getByRole('button', { name: 'Undo' }).click()
  await rows.filter({ hasText: 'Nordwind' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('The history of a deleted record brings back all that was deleted together with it, also later', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const ids: string[] = []
  for (const name of ['Nordwind', 'Südwind', 'Westwind']) ids.push((await make(api, 'organization', { name })).id)
  const together = { 'X-Request-Id': randomUUID() }
  for (const id of ids) await api.delete(`/api-v1-organizations/${id}`, together)
  const alone = await make(api, 'organization', { name: 'Ostwind' })
  await api.delete(`/api-v1-organizations/${alone.id}`)
  const withOther = { 'X-Request-Id': randomUUID() }
  await api.post('/api-v1-mail-ignored-senders', { address: `${ids[0]}@shop.example` }, withOther)
  await api.delete(`/api-v1-organizations/${(await make(api, 'organization', { name: 'Nordost' })).id}`, withOther)
  const dialog = page.getByRole('dialog')
  const openUndo = async (name: string) => {
    await openPage(page, '/trash')
    await page.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Undo: Deleted' }).click()
    await dialog.getByText('The organization is restored.').waitFor()
    await idle(page)
  }

  await openUndo('Ostwind')
  assert.equal(await dialog.getByRole('checkbox').count(), 0)
  await openUndo('Nordost')
  await dialog.getByLabel('Undo all that was changed together with it: 1 organization, 1 × Ignored sender').waitFor()
  await openUndo('Südwind')
  await dialog.getByLabel('Undo all that was changed together with it: 3 organizations').check()
  await dialog.getByText('Restored: 3 organizations.').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await dialog.waitFor({ state: 'detached' })
  await idle(page)

  const found = async (id: string) => (await api.get(`/api-v1-organizations/${id}`)).status
  assert.deepEqual(await Promise.all([...ids, alone.id].map(found)), [200, 200, 200, 404])
  assert.deepEqual(complaints, [])
})

test('The page of a deleted record shows it as it was, its history, and a button to restore it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind', city: 'Kiel' })
  await api.delete(`/api-v1-organizations/${id}`)
  await openPage(page, '/trash')
  await page.getByRole('link', { name: 'Nordwind' }).click()

  await page.getByText('Deleted by Ada Weber').waitFor()
  await page.getByRole('region', { name: 'Details' }).getByText('Kiel').waitFor()
  await page.getByRole('region', { name: 'History' }).getByText('Created').waitFor()
  await page.getByRole('button', { name: 'Restore Nordwind' }).click()

  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  assert.equal((await api.get(`/api-v1-organizations/${id}`)).status, 200)
})

test('The page of a record that never existed says that it was not found', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/organizations/019ab000-0000-7000-8000-000000000000')

  await page.getByRole('alert').getByText('Organization not found').waitFor()
})

test('Erasing asks first and says what remains; nothing of the record is left in its history', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Grace', last_name: 'Hopper' })
  await api.delete(`/api-v1-contacts/${id}`)
  await openPage(page, '/trash')
  await page.getByRole('button', { name: 'Erase Grace Hopper permanently' }).click()
  await page.getByRole('dialog').getByText('Backups are not changed').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()

  await openPage(page, `/contacts/${id}`)
  await page.getByText('Erased permanently by Ada Weber').waitFor()
  assert.equal(await page.getByText('Grace').count(), 0)
  assert.equal((await api.post(`/api-v1-trash/${id}/restore`)).status, 404)
})

test('Undoing an import states first how many records are deleted and which are kept', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const path = join(temporaryDirectory(t), 'people.csv')
  const names = ['Grace', 'Ada', 'Alan', 'Edsger']
  writeFileSync(path, ['First name', ...names].join('\n'))
  await openPage(page, '/import?into=contact')
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 4 rows' }).click()
  await page.getByRole('heading', { name: '4 contacts imported' }).waitFor()
  const [ada] = (await api.get('/api-v1-contacts?filter[first_name]=Ada')).body.data
  await api.patch(`/api-v1-contacts/${ada.id}`, { job_title: 'Countess' })

  await page.getByRole('button', { name: 'Undo import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo the import of 4 contacts?' })
  await dialog.getByText('Deleted: 3 contacts.').waitFor()
  await dialog.getByText('Kept: 1 contact. The record was changed since it was created.').waitFor()
  await dialog.getByRole('link', { name: 'Ada' }).waitFor()
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 4)
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 records undone. 1 record not undone').waitFor()
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 1)

  await openPage(page, '/import')
  const earlier = page.getByRole('region', { name: 'Earlier imports' }).getByRole('listitem')
  await earlier.getByRole('button', { name: /^Undo import 4 contacts, today/ }).click()
  await page.getByRole('dialog').getByText('Nothing can be undone.').waitFor()
  assert.equal(await earlier.getByText('· undone').count(), 0) // a record is left
  await page.getByRole('dialog').getByLabel('Undo also what was changed again since').check()
  await page.getByRole('dialog').getByText('Deleted: 1 contact.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await earlier.getByText('· undone').waitFor()
  assert.deepEqual(complaints, [])
})

test('The console shows the effect of an undo of more than 10,000 changes, and says that a job does it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const created = await api.post('/api-v1-keys', { name: 'Sync', scopes: ['write:all', 'read:all'] })
  const headers = { Authorization: `Bearer ${created.body.data.key}` }
  const total = async () => (await api.get('/api-v1-organizations?limit=1')).body.pagination.total
  for (let made = 0; made <= 10_000; made += 1_000) {
    const records = Array.from({ length: Math.min(1_000, 10_001 - made) }, () => ({ name: 'Wrong' }))
    await api.post('/api-v1-bulk/organizations', { records }, headers)
  }
  await until('all are imported', total, { is: (count) => count === 10_001 })
  await openPage(page, `/keys/${created.body.data.id}`)

  await page.getByRole('button', { name: 'Undo changes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show what would be undone' }).click()
  await dialog.getByText('Deleted, or restored if the key deleted them: 10,001 organizations.').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()

  await page.getByText('These are many changes: a job undoes them now.').waitFor()
  await until('all are deleted', total, { is: (count) => count === 0 })
})

test('What a key did since a moment is undone after its effect was shown', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const created = await api.post('/api-v1-keys', { name: 'Sync', scopes: ['write:all', 'read:all'] })
  const headers = { Authorization: `Bearer ${created.body.data.key}` }
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await api.patch(`/api-v1-organizations/${id}`, { name: 'Wrong' }, headers)
  await api.post('/api-v1-contacts', { first_name: 'Wrong' }, headers)
  await openPage(page, `/keys/${created.body.data.id}`)

  await page.getByRole('button', { name: 'Undo changes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Undo what this key did since').waitFor()
  await dialog.getByRole('button', { name: 'Show what would be undone' }).click()
  await dialog.getByText('Deleted, or restored if the key deleted them: 1 contact.').waitFor()
  await dialog.getByText('Former values come back: 1 organization.').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()

  await page.getByText('2 records undone.').waitFor()
  assert.equal((await api.get(`/api-v1-organizations/${id}`)).body.data.name, 'Nordwind')
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 0)
})
