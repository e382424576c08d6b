import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const nordwind = { name: 'Nordwind', city: 'Kiel', country: 'DE', metadata: { source: 'fair', seats: 5 } }

/** Opens a record's form in two tabs of one browser. */
async function openTwice(t: Parameters<typeof openConsole>[0]) {
  const { api, page, context } = await openConsole(t)
  const { id } = await make(api, 'organization', nordwind)
  const other = await context.newPage()
  const forms = []
  for (const tab of [page, other]) {
    await openPage(tab, `/organizations/${id}`)
    await tab.getByRole('button', { name: 'Edit' }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.waitFor() // before the record changes
    const save = async () => {
      await tab.bringToFront() // browsers slow down background tabs
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    forms.push({ dialog, save })
  }
  const stored = async () => (await api.get(`/api-v1-organizations/${id}`)).body.data
  return { api, id, mine: forms[0]!, theirs: forms[1]!, stored }
}

test('When two tabs change the same field, the second one must choose: the last save does not win', {
  skip,
}, async (t) => {
  const { mine, theirs, stored } = await openTwice(t)
  await mine.dialog.getByLabel('City').fill('Bremen')
  await theirs.dialog.getByLabel('City').fill('Hamburg')
  await theirs.dialog.getByLabel('Country').fill('AT')
  for (const { dialog } of [mine, theirs]) await dialog.getByLabel('State').fill('SH')
  await theirs.save()
  await theirs.dialog.waitFor({ state: 'detached' })

  await mine.save()
  const changed = mine.dialog.getByRole('region', { name: 'Changed in the meantime' })
  const city = changed.getByRole('group', { name: 'City' })
  await city.getByText('Theirs: Hamburg').waitFor()
  await city.getByText('Mine: Bremen').waitFor()
  await idle(mine.dialog.page())
  assert.equal(await mine.dialog.getByLabel('Country').inputValue(), 'AT')
  assert.ok(await changed.getByRole('group', { name: 'Country' }).getByLabel('Theirs: AT').isChecked())
  assert.equal(await changed.getByRole('group').count(), 2) // both have typed the same state
  await mine.save()
  await mine.dialog.getByText('Choose mine or theirs for each field').waitFor()
  assert.equal((await stored()).city, 'Hamburg')

  await city.getByLabel('Theirs').check()
  await idle(mine.dialog.page())
  assert.equal(await mine.dialog.getByLabel('City').inputValue(), 'Hamburg')
  await city.getByLabel('Mine').check()
  await mine.save()
  await mine.dialog.waitFor({ state: 'detached' })

  assert.equal((await stored()).city, 'Bremen')
  assert.equal((await stored()).country, 'AT')
})

test('Metadata entries that others wrote in the meantime are not overwritten', { skip }, async (t) => {
  const { api, id, mine, stored } = await openTwice(t)
  await api.patch(`/api-v1-organizations/${id}`, { metadata: { source: 'web', seats: 5, vat: '007' } })
  await mine.dialog.getByText('Advanced').click()
  await mine.dialog.getByRole('button', { name: 'Remove source' }).click()
  await mine.save()

  await mine.dialog.getByRole('group', { name: 'Metadata: source' }).getByLabel('Theirs: web').check()
  await mine.dialog.getByRole('group', { name: 'Metadata: vat' }).getByText('Theirs: 007').waitFor()
  await mine.save()
  await mine.dialog.waitFor({ state: 'detached' })

  assert.deepEqual((await stored()).metadata, { source: 'web', seats: 5, vat: '007' })
})

test('A change to a referenced record is not a conflict', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  const { id } = await make(api, 'contact', { first_name: 'Grace', organization_id: organization.id })
  await openPage(page, `/contacts/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').waitFor()
  await api.patch(`/api-v1-organizations/${organization.id}`, { name: 'Südwind' })

  await page.getByRole('dialog').getByLabel('Job title').fill('Admiral')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  assert.equal((await api.get(`/api-v1-contacts/${id}`)).body.data.job_title, 'Admiral')
})

test('An email, a stage, a key and the company’s name that others changed are not overwritten either', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const dialog = page.getByRole('dialog')
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()
  const edit = async (button: string) => {
    await page.getByRole('button', { name: button }).click()
    await dialog.waitFor() // the form has read the record
  }
  const keepTheirs = async (field: string, text: string) => {
    await save()
    await dialog.getByRole('group', { name: field }).getByLabel(`Theirs: ${text}`).check()
    await save()
    await dialog.waitFor({ state: 'detached' })
  }
  const grace = { first_name: 'Grace', emails: [{ email: 'grace@navy.example' }] }
  const contact = (await api.get(`/api-v1-contacts/${(await make(api, 'contact', grace)).id}`)).body.data
  const email = `/api-v1-contacts/${contact.id}/emails/${contact.contact_emails[0].id}`
  await openPage(page, `/contacts/${contact.id}`)
  await edit('Edit grace@navy.example')
  await api.patch(email, { email: 'hopper@navy.example' })
  await dialog.getByLabel('Email').fill('admiral@navy.example')
  await keepTheirs('Email', 'hopper@navy.example')
  await page.getByText('hopper@navy.example').waitFor()

  const stage = (await api.get('/api-v1-stages')).body.data[0]
  await openPage(page, '/settings/stages')
  await edit(`Edit ${stage.name}`)
  await api.patch(`/api-v1-stages/${stage.id}`, { name: 'Fresh' })
  await dialog.getByLabel('Name').fill('New')
  await keepTheirs('Name', 'Fresh')
  await page.getByText('Fresh', { exact: true }).waitFor()

  const key = await make(api, 'api_key', { name: 'CI', scopes: ['read:all'] })
  await openPage(page, `/keys/${key.id}`)
  await edit('Edit')
  await api.patch(`/api-v1-keys/${key.id}`, { name: 'Nightly' })
  await dialog.getByLabel('Name').fill('Builds')
  await keepTheirs('Name', 'Nightly')
  await page.getByRole('heading', { name: 'Nightly' }).waitFor()

  await openPage(page, '/settings/company')
  await page.getByLabel('Name').waitFor()
  await api.patch('/console/company', { name: 'Acme Ltd' })
  await page.getByLabel('Name').fill('Acme Inc')
  const saveCompany = page.getByRole('region', { name: 'Company' }).getByRole('button', { name: 'Save' })
  await saveCompany.click()
  await page.getByRole('group', { name: 'Name' }).getByLabel('Theirs: Acme Ltd').check()
  await saveCompany.click()
  await page.getByRole('link', { name: 'Acme Ltd' }).waitFor()
})
