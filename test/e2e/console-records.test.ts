import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, withoutBrowser } from '../support/browser.ts'
import { make, openConsole } from '../support/console.ts'

const skip = withoutBrowser
after(closeBrowser)

const grace = { first_name: 'Grace', last_name: 'Hopper', emails: [{ email: 'admiral@navy.example' }] }

test('A reference field finds contacts by their first name', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'api-v1-contacts', grace, { first_name: 'Prince' })
  await page.goto('/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()

  const contact = page.getByRole('combobox', { name: 'Contact' })
  for (const [text, name] of [
    ['prin', 'Prince'],
    ['grace h', 'Grace Hopper'],
  ] as const) {
    await contact.fill(text)
    await page.getByRole('option', { name, exact: true }).click()
    assert.equal(await contact.inputValue(), name)
  }
})

test('The form of a new deal says that an empty stage means the first one', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await page.goto('/deals')
  await page.getByRole('button', { name: 'New deal' }).first().click()
  const dialog = page.getByRole('dialog')

  await dialog.getByText('If left empty: the first stage').waitFor()
  await dialog.getByLabel('Title').fill('New warehouse')
  await dialog.getByRole('button', { name: 'Create deal' }).click()
  await page.getByRole('heading', { name: 'New warehouse' }).waitFor()

  assert.equal((await api.get('/api-v1-deals?include=stage')).body.data[0].stage.name, 'Lead')
})

test('Metadata can be added, changed and removed; values that are not text keep their type', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const metadata = { source: 'fair', seats: 5, tags: ['a'], label: 'VIP', old: 'x' }
  const { id } = await make(api, 'api-v1-organizations', { name: 'Nordwind', metadata })
  await page.goto(`/organizations/${id}`)
  const at = (label: string, place: number) => page.getByRole('dialog').getByLabel(label, { exact: true }).nth(place)

  await page.getByRole('button', { name: 'Edit' }).click()
  await at('Name', 0).waitFor()
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
    'api-v1-tasks',
    { title: 'Some day', priority: 'urgent', assigned_to },
    { title: 'In March', due_date: '2027-03-01', assigned_to },
    { title: 'In January', due_date: '2027-01-01', priority: 'low', assigned_to },
  )
  await page.goto('/tasks')
  await page.getByRole('region', { name: 'Without a date' }).getByText('Some day').waitFor()
  const titles = page.getByRole('main').getByRole('listitem').getByRole('link')
  assert.deepEqual(await titles.allInnerTexts(), ['In January', 'In March', 'Some day'])

  await page.getByRole('link', { name: 'In January' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Completed', { exact: true }).first().waitFor()

  assert.equal((await api.get('/api-v1-tasks?filter[status]=completed')).body.pagination.total, 1)
})
