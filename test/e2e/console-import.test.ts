import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

async function choose(t: TestContext, page: Page, name: string, content: string | Buffer): Promise<void> {
  const path = join(temporaryDirectory(t), name)
  writeFileSync(path, content)
  await openPage(page, '/import')
  await page.getByRole('radio', { name: 'Contacts' }).check()
  await page.locator('input[type=file]').setInputFiles(path)
}

/** The content of the file that the download button saves. */
async function failedRows(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Failed rows' }).click(),
  ])
  assert.match(download.suggestedFilename(), /-failed\.csv$/)
  return readFileSync(await download.path(), 'utf8')
}

test('Of a CSV file with 1,000 rows, the 980 valid ones are imported and the 20 invalid ones can be downloaded with their errors', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const rows = Array.from({ length: 1_000 }, (_, n) =>
    n % 50 === 7 ? `,Weber ${n},=1+1,nobody` : `Grace ${n},"Hopper, ""the"" ${n}",Buyer,grace${n}@acme.example`,
  )
  await choose(t, page, 'people.csv', ['First name,Surname,Position,E-Mail', ...rows].join('\r\n'))

  await page.getByRole('button', { name: 'Check the rows' }).waitFor()
  await idle(page)
  assert.deepEqual(
    await page.getByRole('combobox').evaluateAll((selects) => selects.map((each) => 'value' in each && each.value)),
    ['first_name', 'last_name', 'job_title', 'emails.email'],
  )
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('980 rows can be imported, 20 rows cannot').waitFor()
  await idle(page)
  const errors = page.getByRole('region', { name: 'Errors' })
  assert.deepEqual(await errors.locator('summary').allInnerTexts(), [
    'First name is required 20 rows',
    'Email must be a valid email address 20 rows',
  ])
  await errors.locator('summary').first().click()
  assert.equal(await errors.getByRole('row').count(), 6) // five samples and the header
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 0)
  await page.getByRole('button', { name: 'Import 980 rows' }).click()
  await page.getByRole('heading', { name: '980 contacts imported, 20 rows failed' }).waitFor({ timeout: 60_000 })

  const failed = await failedRows(page)
  const lines = failed.trimEnd().split('\r\n')
  assert.equal(lines[0], '\uFEFFFirst name,Surname,Position,E-Mail,import_error')
  assert.equal(lines.length, 21)
  assert.equal(lines[1], `,Weber 7,'=1+1,nobody,"First name is required; Email must be a valid email address"`)
  const { pagination } = (await api.get('/api-v1-contacts')).body
  assert.equal(pagination.total, 980)
  const [one] = (await api.get('/api-v1-contacts?email=grace8@acme.example&include=emails')).body.data
  assert.deepEqual([one.last_name, one.contact_emails[0].is_primary], ['Hopper, "the" 8', true])
  await page.getByRole('link', { name: 'Show contacts' }).click()
  await page.getByText('of 980').waitFor()
  assert.deepEqual(complaints, [])
})

test('A file of Google Contacts is recognized; what would be lost and repeated rows are shown before anything is written', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const [header, ...rows] = readFileSync('test/samples/google-contacts-2015.csv', 'utf8').trimEnd().split('\n')
  const csv = [`${header},Custom Field 1 - Value`, ...[...rows, rows[1]].map((row) => `${row},x`)].join('\n')
  await choose(t, page, 'google.csv', csv)

  await page.getByText('Recognized as Google Contacts').waitFor()
  await page.getByText('These columns have data that will not be imported: Custom Field 1 - Value').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('combobox', { name: 'Field for Phone 1 - Type' }).inputValue(), 'phones[0].label')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('1 row repeats an earlier one: 4 (the same email as 3)').waitFor()
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 0)
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByRole('heading', { name: '2 contacts imported, 1 unchanged' }).waitFor()

  const { data } = (await api.get('/api-v1-contacts?include=phones&sort=first_name')).body
  assert.deepEqual(
    data[0].contact_phones.map((each: { phone_number: string; type: string }) => [each.phone_number, each.type]),
    [
      ['+49 170 1234567', 'mobile'],
      ['+49 171 7654321', 'mobile'],
    ],
  )
  assert.deepEqual(complaints, [])
})

test('A vCard file is imported', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await choose(t, page, 'contacts.vcf', readFileSync('test/samples/contacts.vcf'))

  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByRole('heading', { name: '3 contacts imported' }).waitFor()

  assert.equal((await api.get('/api-v1-contacts?email=ada@mueller.example')).body.pagination.total, 1)
})

test('The encoding of a file is shown with samples and can be changed; lines and cells that are no records are named', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const csv = 'Export\n\nFirst name,Last name,Email\n\xd3la,Dvo\xf8\xe1k,n/a\nAda,Ek,a@x.example,x\n\nTotal: 2 people\n'
  await choose(t, page, 'people.csv', Buffer.from(csv, 'latin1'))

  const encoding = page.getByRole('combobox', { name: 'Encoding' })
  await encoding.waitFor()
  assert.equal(await encoding.inputValue(), 'windows-1250')
  assert.match((await encoding.textContent()) ?? '', /windows-1250: Óla, Dvořák/)
  await page.getByText('Lines above the header, not imported: line 1 (Export)').waitFor()
  await page.getByText('Lines below the table, not imported: line 7 (Total: 2 people)').waitFor()
  await encoding.selectOption('windows-1252')
  await page.getByRole('cell', { name: 'Dvoøák' }).waitFor()
  await encoding.selectOption('windows-1250')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('1 row can be imported, 1 row cannot').waitFor()
  await page.getByText('The row has 4 cells, the header has 3').waitFor()
  await page.getByText('1 cell without a value is left empty: n/a').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: '1 contact imported, 1 row failed' }).waitFor()

  assert.equal((await api.get('/api-v1-contacts')).body.data[0].last_name, 'Dvořák')
  assert.deepEqual(complaints, [])
})

test('Failed rows can be corrected in the downloaded file and imported', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await choose(t, page, 'people.csv', 'first name,phone,email\nGrace,+49 30 1,nobody\n')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('0 rows can be imported, 1 row cannot').waitFor()
  await idle(page)
  assert.ok(await page.getByRole('button', { name: 'Import 0 rows' }).isDisabled())

  const mended = (await failedRows(page)).replace('nobody', 'grace@acme.example')
  assert.match(mended, /'\+49 30 1/, 'a spreadsheet must not take it for a formula')
  await choose(t, page, 'mended.csv', mended)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: '1 contact imported' }).waitFor()

  const [contact] = (await api.get('/api-v1-contacts?include=phones')).body.data
  assert.equal(contact.contact_phones[0].phone_number, '+49 30 1')
})

test('A row that is too long keeps its cells in the downloaded file, and fails again', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await choose(t, page, 'people.csv', 'first name,email\nGrace,g@acme.example,Hopper\n')
  for (const width of ['3 cells, the header has 2', '4 cells, the header has 3']) {
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('0 rows can be imported, 1 row cannot').waitFor()
    await idle(page)
    const failed = await failedRows(page)
    assert.match(failed, /^\uFEFFfirst name,email,import_error\r\n/)
    assert.ok(failed.endsWith(`\nGrace,g@acme.example,"The row has ${width}",Hopper\r\n`), failed)
    await choose(t, page, 'again.csv', failed)
  }
})

test('Latin-1, semicolons, quotes and newlines inside fields are read correctly', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const text = 'Vorname;Nachname;Position\r\nJürgen;"Groß; ""der""";"Leiter\r\nEinkauf"\r\n'

  await choose(t, page, 'leute.csv', Buffer.from(text, 'latin1'))

  const example = (column: string) => page.getByRole('row', { name: column }).getByRole('cell').last().innerText()
  await idle(page)
  assert.equal(await example('Vorname'), 'Jürgen')
  assert.equal(await example('Nachname'), 'Groß; "der"')
  assert.match(await example('Position'), /^Leiter\s+Einkauf$/)
})

test('A file with the name column alone can be imported', { skip }, async (t) => {
  const { page } = await openConsole(t)

  await choose(t, page, 'names.csv', 'Rufname\nGrace\nAda\n')
  await page.getByText('Required, but without a column: First name').waitFor()
  await page.getByRole('combobox', { name: 'Field for Rufname' }).selectOption('first_name')
  await page.getByRole('button', { name: 'Check the rows' }).click()

  await page.getByText('All 2 rows can be imported').waitFor()
})

for (const [what, content, message] of [
  ['of 50 MB', Buffer.alloc(50 * 2 ** 20 - 1, 'a'), 'The file has 50 MB; at most 10 MB can be imported at once'],
  ['that is empty', '', 'The file is empty'],
  ['with only a header', 'First name,Last name\n', 'The file has only one line'],
  ['of 50,001 rows', `First name\n${'a\n'.repeat(50_001)}`, 'The file has 50,001 rows'],
] as const) {
  test(`A file ${what} is rejected with a message that says what to do`, { skip }, async (t) => {
    const { page } = await openConsole(t)

    await choose(t, page, 'file.csv', content)

    await page.getByRole('alert').getByText(message).waitFor()
  })
}

test('Leaving an import asks first, because its file and fields would have to be chosen again', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await choose(t, page, 'people.csv', 'First name\nAda')
  await page.getByRole('button', { name: 'Check the rows' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Leave the import?' })

  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('The row can be imported.').waitFor()
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(/deals$/)
})
