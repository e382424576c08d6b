import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare } from '../support/declare.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'

const skip = withoutBrowser

const ada = { first_name: 'Ada', job_title: 'Buyer', emails: [{ email: 'ada@mueller.example' }] }
const file =
  'First name,Last name,Job title,Email,Company\nAda,Weber,Chief buyer,ADA@mueller.example,Müller Feinkost\nGrace,Hopper,Admiral,grace@navy.example,müller feinkost\n'

/** Chooses a file and checks its rows. */
async function check(t: TestContext, page: Page, of: string, content: string): Promise<void> {
  const path = join(temporaryDirectory(t), 'file.csv')
  writeFileSync(path, content)
  await openPage(page, `/import?into=${of}`)
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('button', { name: 'Check the rows' }).click()
}

async function contactsOf(api: Visitor): Promise<unknown[]> {
  const { data } = (await api.get('/api-v1-contacts?sort=first_name,created_at&include=organization')).body
  return data.map(({ first_name, last_name, job_title, organization }: Record<string, { name: string } | string>) => [
    ...[first_name, last_name, job_title],
    (organization as { name: string } | null)?.name,
  ])
}

const grace = ['Grace', 'Hopper', 'Admiral', 'Müller Feinkost']

for (const { treatment, button, heading, contacts } of [
  {
    treatment: 'Update them: the values of the file replace theirs',
    ...{ button: 'Import 2 rows', heading: '1 contact imported, 1 updated' },
    contacts: [['Ada', 'Weber', 'Chief buyer', 'Müller Feinkost'], grace],
  },
  {
    treatment: 'Only fill their empty fields',
    ...{ button: 'Import 2 rows', heading: '1 contact imported, 1 updated' },
    contacts: [['Ada', 'Weber', 'Buyer', 'Müller Feinkost'], grace],
  },
  {
    treatment: 'Leave them as they are, and skip these rows',
    ...{ button: 'Import 1 row', heading: '1 contact imported' },
    contacts: [
      ['Ada', null, 'Buyer', undefined],
      ['Grace', 'Hopper', 'Admiral', 'müller feinkost'],
    ],
  },
  {
    treatment: 'Import these rows as new records',
    ...{ button: 'Import 2 rows', heading: '2 contacts imported' },
    contacts: [['Ada', null, 'Buyer', undefined], ['Ada', 'Weber', 'Chief buyer', 'Müller Feinkost'], grace],
  },
]) {
  test(`Contacts that exist are shown before anything is written. ${treatment}`, { skip }, async (t) => {
    const { api, page, complaints } = await openConsole(t)
    const { id } = await make(api, 'contact', ada)
    await check(t, page, 'contact', file)

    await page.getByText('All 2 rows can be imported. 1 row matches an existing contact.').waitFor()
    await idle(page)
    assert.match(String(await page.getByRole('link', { name: 'Exists' }).getAttribute('href')), new RegExp(id))
    assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 0)
    await page.getByRole('radio', { name: treatment }).check()
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()

    assert.deepEqual(await contactsOf(api), contacts)
    assert.equal((await api.get('/api-v1-organizations')).body.pagination.total, 1)
    assert.deepEqual(complaints, [])
  })
}

test('A row without a first name keeps that of the contact that exists', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', { ...ada, last_name: 'Weber' })
  await check(t, page, 'contact', 'Name,Email\nWeber,ada@mueller.example\nCher,cher@x.example\n')

  await page.getByText('All 2 rows can be imported. 1 row matches an existing contact.').waitFor()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByRole('heading', { name: '1 contact imported, 1 unchanged' }).waitFor()

  assert.deepEqual(await contactsOf(api), [
    ['Ada', 'Weber', 'Buyer', undefined],
    ['Cher', null, null, undefined],
  ])
})

test('A check that fails blames no row, and can be repeated; the rows of an import that fails are failed', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', ada)
  let failures = 2
  await page.route('**/api-v1-bulk/contacts', (route) => {
    if (failures-- <= 0) return route.fallback()
    return route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'Out of order' } } })
  })

  await check(t, page, 'contact', file)
  await page.getByRole('alert').getByText('Out of order').waitFor()
  await page.getByRole('button', { name: 'Change the columns' }).click()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByText('All 2 rows can be imported. 1 row matches an existing contact.').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('alert').count(), 0)
  assert.equal(failures, -1)
  failures = 1
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('0 contacts imported, 2 rows failed').waitFor()
})

test('Rows are compared by another field, or not at all, and checked again', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', { key: 'number', label: 'Number', type: 'text', unique: true })
  await make(api, 'organization', { name: 'Acme', metadata: { number: 'A-1' } })
  await check(t, page, 'organization', 'Name,Number\nAcme,A-2\nAcme Ltd,A-1\n')
  const by = page.getByRole('combobox', { name: 'Compare with existing organizations by' })
  const link = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Exists' }) })

  await page.getByText('1 row matches an existing organization').waitFor()
  await idle(page)
  assert.match(await link.innerText(), /A-2/)
  await by.selectOption('Number')
  await page.getByRole('row', { name: 'A-1' }).getByRole('link', { name: 'Exists' }).waitFor()
  await idle(page)
  assert.equal(await link.count(), 1)
  await by.selectOption('Do not compare')
  await page.getByText('1 row can be imported, 1 row cannot').waitFor()
})

test('The check names rows that have what another row of the file is matched by, and keeps pages at a shared host apart', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await check(
    t,
    page,
    'organization',
    'Name,Website,City\nA,https://facebook.com/a,n/a\nB,https://www.facebook.com/b,\nC,n/a,\nD,-,\nE,e.example,\nF,https://e.example/,\n',
  )

  await page.getByText('1 row repeats an earlier one: 7 (the same value of Domain as 6)').waitFor()
  await page.getByText('2 cells without a value are left empty: n/a, -').waitFor()
  await page.getByRole('button', { name: 'Import 6 rows' }).click()
  await page.getByRole('heading', { name: '5 organizations imported, 1 updated' }).waitFor()

  const { data } = (await api.get('/api-v1-organizations?sort=name')).body
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => [each.name, each.domain]),
    [
      ['A', 'facebook.com/a'],
      ['B', 'facebook.com/b'],
      ['C', null],
      ['D', null],
      ['F', 'e.example'],
    ],
  )
})

test('A single word is the name of a person whose earlier row has none', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await check(t, page, 'contact', 'Name,Email\n,late@x.example\nLate,late@x.example\n')

  await page.getByText('1 row can be imported, 1 row cannot').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: '1 contact imported' }).waitFor()

  const { data } = (await api.get('/api-v1-contacts')).body
  assert.deepEqual([data.length, data[0].first_name], [1, 'Late'])
})

test('Deals name their stage, organization and contact, and a stage that does not exist is an error of its row', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Müller, Feinkost' })
  await make(api, 'contact', ada)
  await check(
    t,
    page,
    'deal',
    'Deal,Value,Stage,Company,Contact email\nHampers,"1200.50",Won,"Müller, Feinkost",ada@mueller.example\nCards,5,Nowhere,,\n',
  )
  await page.getByText('1 row can be imported, 1 row cannot').waitFor()
  await page.getByText('stage: No stage has name "Nowhere"').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: '1 deal imported' }).waitFor()

  const [deal] = (await api.get('/api-v1-deals?include=stage,organization,contact')).body.data
  assert.deepEqual(
    [deal.title, deal.value, deal.stage.name, deal.organization.name, deal.contact.first_name],
    ['Hampers', 1200.5, 'Won', 'Müller, Feinkost', 'Ada'],
  )
})

test('A past import shows what happened to each row, its results can be saved, and it can be undone', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(api, 'contact', ada)
  const records = [{ ...ada, last_name: 'Weber' }, { first_name: 'Grace' }, { last_name: 'Nobody' }]
  await api.post('/api-v1-bulk/contacts', { records, match_on: 'email' })
  await openPage(page, '/import')
  await page.getByRole('region', { name: 'Earlier imports' }).getByRole('link', { name: '2 contacts' }).click()

  await page.getByRole('heading', { name: 'Import of contacts' }).waitFor()
  const rows = page.getByRole('region', { name: 'Rows' })
  await rows.getByRole('row', { name: '3 Failed First name is required' }).waitFor()
  await page.getByRole('button', { name: 'All 3' }).click()
  await rows.getByRole('row', { name: '1 Updated Ada Weber' }).waitFor()
  await rows.getByRole('row', { name: '2 Created Grace' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    rows.getByRole('button', { name: 'Results' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  assert.equal(lines[0], '\uFEFFrow,outcome,id,errors')
  assert.match(lines[1]!, /^1,updated,[\da-f-]{36},$/)
  assert.equal(lines[3], '3,failed,,First name is required')
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('link', { name: 'Deleted' }).waitFor()

  assert.deepEqual(await contactsOf(api), [['Ada', null, 'Buyer', undefined]])
  assert.deepEqual(complaints, [])
})
