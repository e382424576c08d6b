import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Messages about the whole file are in the language of the console', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  const files: Record<string, [content: string | Buffer, message: string]> = {
    'a.csv': [
      Buffer.from('PK\x03\x04rest of a workbook'),
      'Die Datei ist eine Arbeitsmappe oder ein Archiv: Speichern',
    ],
    'b.csv': [
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
      'Die Datei ist kein Text: Wählen Sie eine CSV- oder vCard-Datei.',
    ],
    'c.csv': [
      Buffer.concat([Buffer.from('Name\nZoë\n'), Buffer.from('Zo\xeb\n', 'latin1')]),
      'Die Datei enthält Text in UTF-8 und in Windows-1252: Speichern Sie sie',
    ],
    'd.csv': ['Name\nAda\n"Grace\n', 'Zeile 3: Ein Anführungszeichen wird nie geschlossen.'],
    'e.csv': [`Name${',x'.repeat(3_000)}\n`, 'Zeile 1: mehr als 2000 Spalten.'],
    'f.vcf': ['Ada\n', 'Zeile 1: nicht der Anfang einer vCard.'],
    'g.csv': ['', 'Die Datei ist leer.'],
    'h.csv': ['Name\n', 'Die Datei hat nur eine Zeile.'],
  }
  await openPage(page, '/import')
  const directory = temporaryDirectory(t)
  for (const [name, [content, message]] of Object.entries(files)) {
    writeFileSync(join(directory, name), content)
    await page.locator('input[type=file]').setInputFiles(join(directory, name))
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
  }

  writeFileSync(join(directory, 'z.csv'), Buffer.from('Name\nZo\xeb\nM\xfcller\nJ\xf6rg Gro\xdf\n', 'latin1'))
  await page.locator('input[type=file]').setInputFiles(join(directory, 'z.csv'))
  await page.getByLabel('Kodierung').selectOption('utf-8')
  await page.getByText('Die Datei ist nicht UTF-8: Wählen Sie eine andere Kodierung.').waitFor()
})

test('In German, a file may have the German names of options', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  const path = join(temporaryDirectory(t), 'organisationen.csv')
  writeFileSync(path, 'Name,Status\nNordwind,aktiv\n')
  await openPage(page, '/import')
  await page.getByRole('radio', { name: 'Organisationen' }).check()
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('button', { name: 'Zeilen prüfen' }).click()

  await page.getByText('Die Zeile kann importiert werden.').waitFor()
})

test('Rows are named by their lines in the file, below what is above the header, as the command does', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const lines = ['Contacts of 2026', '', 'First name,E-Mail', 'Ada,ada@x.example', '', 'Bo,nobody', 'Cy,ada@x.example']
  const path = join(temporaryDirectory(t), 'people.csv')
  writeFileSync(path, lines.join('\n'))
  await openPage(page, '/import')
  await page.getByRole('radio', { name: 'Contacts' }).check()
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('button', { name: 'Check the rows' }).click()

  await page
    .getByText('1 row repeats an earlier one and will be imported again: 7 (the same email as 4)')
    .or(page.getByText('1 row repeats an earlier one: 7 (the same email as 4)'))
    .waitFor()
  const rows = page.getByRole('region', { name: 'Rows' }).locator('tbody th')
  assert.deepEqual(await rows.allTextContents(), ['6', '4', '7'])
})

test('The fields that a column can fill are named in words, those of the people of a deal too', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t)
  const path = join(temporaryDirectory(t), 'deals.csv')
  writeFileSync(path, 'Title,Whom\nHampers,Ada\n')
  await openPage(page, '/import')
  await page.getByRole('radio', { name: 'Deals' }).check()
  await page.locator('input[type=file]').setInputFiles(path)

  const options = page.getByRole('combobox', { name: 'Field for Whom' }).getByRole('option')
  await options.filter({ hasText: 'People: Name' }).waitFor({ state: 'attached' })
  const names = await options.allTextContents()
  assert.deepEqual(
    names.filter((name) => name.startsWith('People')),
    ['People: Name', 'People: Email', 'People: Id', 'People: Role'],
  )
  assert.deepEqual(
    names.filter((name) => /[:.]\w|_/.test(name)),
    [],
  )
})

test('An error of a row names a declared field by its label, and the caption of the checked rows is no wider than what is visible of them', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'field', { resource: 'deal', key: 'budget', label: 'Approved budget', type: 'text' })
  const [stage] = (await api.get('/api-v1-stages?name=Proposal')).body.data
  await api.patch(`/api-v1-stages/${stage.id}`, { requires: ['metadata.budget'] })
  const path = join(temporaryDirectory(t), 'deals.csv')
  writeFileSync(path, 'Title,Stage\nHampers,Lead\nBaskets,Proposal\n')
  await openPage(page, '/import')
  await page.getByRole('radio', { name: 'Deals' }).check()
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('button', { name: 'Check the rows' }).click()

  await page.getByText('Approved budget is required in the stage "Proposal"', { exact: true }).waitFor()
  const table = page.getByRole('table', { name: '1 of 2 rows are shown' })
  const [caption, frame] = [await table.locator('caption').boundingBox(), await table.locator('..').boundingBox()]
  assert.ok(caption!.width <= frame!.width, 'the caption is as wide as what is visible of the table')
})
