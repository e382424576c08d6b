import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, owner } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const grace = { first_name: 'Grace', last_name: 'Hopper', emails: [{ email: 'admiral@navy.example' }] }

test('A reference field finds contacts by their first name', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', grace, { first_name: 'Prince' })
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()

  const contact = page.getByRole('combobox', { name: 'Contact' })
  for (const [text, name] of [
    ['prin', 'Prince'],
    ['grace h', 'Grace Hopper'],
  ] as const) {
    await contact.fill(text)
    await page.getByRole('option', { name, exact: true }).click()
    await idle(page)
    assert.equal(await contact.inputValue(), name)
  }
})

test('The form of a new deal shows its stage and its owner before they are chosen', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()
  const dialog = page.getByRole('dialog')

  const stage = dialog.getByLabel('Stage').locator('option:checked')
  await stage.waitFor({ state: 'attached' })
  await idle(page)
  assert.equal(await stage.textContent(), 'Lead')
  assert.equal(await dialog.getByRole('combobox', { name: 'Owner' }).inputValue(), owner.full_name)
  await dialog.getByLabel('Title').fill('New warehouse')
  await dialog.getByRole('button', { name: 'Create deal' }).click()
  await page.getByRole('heading', { name: 'New warehouse' }).waitFor()

  const [deal] = (await api.get('/api-v1-deals?include=stage,assigned_user')).body.data
  assert.deepEqual([deal.stage.name, deal.assigned_user.full_name], ['Lead', owner.full_name])
})

test('Metadata can be added, changed and removed; values that are not text keep their type', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const metadata = { source: 'fair', seats: 5, tags: ['a'], label: 'VIP', old: 'x' }
  const { id } = await make(api, 'organization', { name: 'Nordwind', metadata })
  await openPage(page, `/organizations/${id}`)
  const at = (label: string, place: number) => page.getByRole('dialog').getByLabel(label, { exact: true }).nth(place)

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByText('Advanced').click()
  await at('Name', 0).waitFor()
  await idle(page)
  const names = await page.getByRole('group', { name: 'Metadata' }).getByLabel('Name', { exact: true }).all()
  const place = (await Promise.all(names.map((name) => name.inputValue()))).indexOf('seats')
  await names[place]!.fill('')
  await page.getByText('Enter a name').waitFor()
  await names[place]!.fill('seats')
  await at('Value', place).fill('12')
  await page.getByRole('button', { name: 'Remove old' }).click()
  await page.getByRole('button', { name: 'Add metadata' }).click()
  await page.keyboard.type('vat')
  await at('Value', names.length - 1).fill('007')
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('region', { name: 'Metadata' }).getByText('007').waitFor()
  const { data } = (await api.get(`/api-v1-organizations/${id}`)).body
  assert.deepEqual(data.metadata, { source: 'fair', seats: 12, tags: ['a'], label: 'VIP', vat: '007' })
})

test('Tasks are sorted by due date, those without one below; the task page has a button to complete it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const assigned_to = (await api.get('/console/session')).body.data.user.id
  await make(
    api,
    'task',
    { title: 'Some day', priority: 'urgent', assigned_to },
    { title: 'In March', due_date: '2027-03-01', assigned_to },
    { title: 'In January', due_date: '2027-01-01', priority: 'low', assigned_to },
  )
  await openPage(page, '/tasks')
  await page.getByRole('region', { name: 'Without a date' }).getByText('Some day').waitFor()
  const titles = page.getByRole('main').getByRole('listitem').getByRole('link')
  assert.deepEqual(await titles.allInnerTexts(), ['In January', 'In March', 'Some day'])

  await page.getByRole('link', { name: 'In January' }).click()
  await page.getByRole('heading', { name: 'In January', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Completed', { exact: true }).first().waitFor()

  assert.equal((await api.get('/api-v1-tasks?filter[status]=completed')).body.pagination.total, 1)
})
