import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare, ofEachType } from '../support/declare.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Declared fields of every type are inputs of a new record in their order, with times in the user’s time zone', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { timeZone: 'Asia/Tokyo', locale: 'nl-NL' })
  await declare(api, 'organization', ...ofEachType)
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Hotline').waitFor()
  await idle(page)
  const labels = (await dialog.locator('label').allInnerTexts()).map((text) => text.replace(' (optional)', ''))
  assert.deepEqual(
    labels.slice(-ofEachType.length),
    ofEachType.map(({ label }) => label),
  )

  await dialog.getByLabel('Name').fill('Nordwind')
  await dialog.getByLabel('Sector').fill('Energy')
  await dialog.getByLabel('Employees').fill('1.250,5')
  await dialog.getByLabel('Key account').selectOption('No')
  await dialog.getByLabel('Renews on').fill('2026-12-31')
  await dialog.getByLabel('Next audit (optional)').fill('2026-06-15')
  await dialog.getByLabel('Next audit: time').fill('08:30')
  await dialog.getByLabel('Tier').selectOption('silver_plus')
  await dialog.getByLabel('Site').fill('https://nordwind.example/a?b=1')
  await dialog.getByLabel('Billing email').fill('billing@nordwind.example')
  await dialog.getByLabel('Hotline').fill('+49 431 1234')
  await dialog.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()

  const [{ metadata }] = (await api.get('/api-v1-organizations')).body.data
  assert.deepEqual(metadata, {
    sector: 'Energy',
    employees: 1250.5,
    vip: false,
    renews: '2026-12-31',
    audit: '2026-06-14T23:30:00.000Z',
    tier: 'silver_plus',
    site: 'https://nordwind.example/a?b=1',
    billing: 'billing@nordwind.example',
    hotline: '+49 431 1234',
  })
  assert.deepEqual(complaints, [])
})

test('Tasks, contacts and deals have their declared fields, and a field that is left empty is not stored', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const names = { contacts: 'First name', deals: 'Title', tasks: 'Title' }
  for (const [plural, name] of Object.entries(names)) {
    await declare(
      api,
      plural.slice(0, -1),
      { key: 'region', label: 'Region code', type: 'text' },
      { key: 'note', type: 'text' },
    )
    await openPage(page, `/${plural}`)
    await page
      .getByRole('button', { name: `New ${plural.slice(0, -1)}` })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(name).fill('Grace')
    await dialog.getByLabel('Region code').fill('North')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })

    const [{ metadata }] = (await api.get(`/api-v1-${plural}`)).body.data
    assert.equal(metadata.region, 'North')
    assert.ok(!('note' in metadata))
  }
})

test('Values of other types and metadata that is not declared stay as they are until the user changes them', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', ...ofEachType)
  const metadata = {
    ...{ employees: 'about 50', vip: 'perhaps', renews: 'soon', audit: 12, tier: 'bronze', site: 7, billing: null },
    ...{ source: 'fair', seats: 5, nested: { a: [1] } },
  }
  const { id } = await make(api, 'organization', { name: 'Nordwind', metadata })
  const stored = async () => (await api.get(`/api-v1-organizations/${id}`)).body.data.metadata
  await openPage(page, `/organizations/${id}`)
  const dialog = page.getByRole('dialog')
  const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click()
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await idle(page)
  }

  await edit()
  await idle(page)
  assert.equal(await dialog.getByLabel('Employees', { exact: false }).first().inputValue(), 'about 50')
  assert.equal(await dialog.getByLabel('Tier').locator('option:checked').innerText(), 'bronze')
  await dialog.getByLabel('Sector').fill('Energy')
  await save()
  assert.deepEqual(await stored(), { ...metadata, sector: 'Energy' })

  await edit()
  await dialog.getByRole('button', { name: 'Replace Employees' }).click()
  await dialog.locator('input:focus:not([readonly])').waitFor()
  await idle(page)
  assert.equal(await dialog.locator('input:focus').inputValue(), '')
  await page.keyboard.type('52')
  await dialog.getByLabel('Tier').selectOption('gold')
  await dialog.getByLabel('Sector').fill('')
  await save()
  assert.deepEqual(await stored(), { ...metadata, employees: 52, tier: 'gold' })
})

test('When two tabs change the same declared field, the second one must choose, and fields of one tab only are merged', {
  skip,
}, async (t) => {
  const { api, page, context } = await openConsole(t)
  await declare(api, 'organization', ...ofEachType)
  const given = { name: 'Nordwind', metadata: { employees: 5, sector: 'Energy', source: 'fair' } }
  const { id } = await make(api, 'organization', given)
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await openPage(tab, `/organizations/${id}`)
    await tab.getByRole('button', { name: 'Edit', exact: true }).click()
    await tab.getByRole('dialog').waitFor()
  }
  const [mine, theirs] = [page.getByRole('dialog'), other.getByRole('dialog')]
  await theirs.getByLabel('Employees').fill('7')
  await theirs.getByLabel('Tier').selectOption('gold')
  await other.bringToFront()
  await theirs.getByRole('button', { name: 'Save' }).click()
  await theirs.waitFor({ state: 'detached' })

  await page.bringToFront()
  await mine.getByLabel('Employees').fill('9')
  await mine.getByLabel('Sector').fill('Water')
  await mine.getByRole('button', { name: 'Save' }).click()
  const changed = mine.getByRole('region', { name: 'Changed in the meantime' })
  const employees = changed.getByRole('group', { name: 'Employees' })
  await employees.getByText('Theirs: 7').waitFor()
  await changed.getByRole('group', { name: 'Tier' }).getByText('Theirs: gold').waitFor()
  await employees.getByLabel('Theirs').check()
  await idle(page)
  assert.equal(await mine.getByRole('textbox', { name: 'Employees' }).inputValue(), '7')
  await employees.getByLabel('Mine').check()
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.waitFor({ state: 'detached' })

  const { metadata } = (await api.get(`/api-v1-organizations/${id}`)).body.data
  assert.deepEqual(metadata, { employees: 9, sector: 'Water', source: 'fair', tier: 'gold' })
})

test('A unique value that is taken is refused at its field with a link to the record that has it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', { key: 'tax_id', label: 'Tax id', type: 'text', unique: true })
  const { id } = await make(api, 'organization', { name: 'Nordwind', metadata: { tax_id: 'DE1' } })
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Südwind')
  await dialog.getByLabel('Tax id').fill('DE1 ')
  await dialog.getByRole('button', { name: 'Create organization' }).click()

  const field = dialog.locator('.field', { hasText: 'Tax id' })
  await field.getByText('Already used by').waitFor()
  await idle(page)
  assert.equal(await field.getByRole('link', { name: 'Nordwind' }).getAttribute('href'), `/organizations/${id}`)
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Südwind')
  await dialog.getByLabel('Tax id').fill('DE2')
  await dialog.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Südwind' }).waitFor()
})

test('A free entry of the metadata with the key of a declared field is refused, so that neither value is lost', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', { key: 'tax_id', label: 'Tax id', type: 'text' })
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').first().fill('Nordwind')
  await dialog.getByText('Advanced').click()
  await dialog.getByRole('button', { name: 'Add metadata' }).click()
  const entry = dialog.getByRole('group', { name: 'Metadata' })
  await entry.getByLabel('Name').fill('tax_id')
  await entry.getByLabel('Value').fill('DE1')
  await dialog.getByRole('button', { name: 'Create organization' }).click()

  await dialog.getByText('Enter tax_id under Tax id').waitFor()
  assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 0)
})
