import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScreen, withoutBrowser as skip } from '../support/browser.ts'
import { launchEmpty, openConsole, owner } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

test('The form that sets up Kontor says in German what is wrong with each field', { skip }, async (t) => {
  const { url, setupUrl } = await launchEmpty(t)
  const { page } = await openScreen(t, url, { locale: 'de-DE' })
  await openPage(page, setupUrl)
  await page.getByLabel('Passwort').fill('kurz')
  await page.getByLabel('Passwort').press('Enter')
  await idle(page)
  await page.getByText('Name der Firma ist erforderlich').waitFor()

  await page.getByLabel('Firma').fill('Acme')
  await page.getByLabel('Ihr Name').fill(owner.full_name)
  await page.getByLabel('E-Mail').fill(owner.email)
  await page.getByLabel('Passwort').press('Enter')
  await page.getByText('Das Passwort muss 10 bis 200 Zeichen haben').waitFor()
})

test('The settings of the company say in German what they take', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/settings/company')
  for (const [region, label, text, message] of [
    ['Währung', 'Währung', 'XY', 'Die Währung muss ein Code aus drei Buchstaben sein, zum Beispiel EUR, CHF oder USD'],
    ['Telefonnummern', 'Ländercode', 'XX', 'Der Code muss der eines Landes mit Telefonnummern sein'],
  ] as const) {
    const card = page.getByRole('region', { name: region })
    await card.getByLabel(label).first().fill(text)
    await card.getByLabel(label).first().press('Enter')
    await card.getByText(message).waitFor()
  }
})

test('In German, limits of numbers and values that exist already are wholly German, with the names of fields as forms have them', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  await make(api, 'product', { name: 'Korb', sku: 'K-1' })
  await openPage(page, '/products')
  await page.getByRole('button', { name: 'Neues Produkt' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Korb')
  await dialog.getByLabel('Artikelnummer').fill('K-1')
  await dialog.getByLabel('Preis').fill('0,1234567')
  await dialog.getByLabel('Preis').press('Enter')
  await idle(page)

  await dialog
    .getByText('Preis muss von -1.000.000.000.000 bis 1.000.000.000.000 sein, mit höchstens 6 Nachkommastellen')
    .waitFor()
  await dialog.getByLabel('Preis').fill('12')
  await dialog.getByLabel('Preis').press('Enter')
  await dialog.getByText('Produkt mit gleichem Wert (Artikelnummer) existiert bereits').waitFor()
  assert.doesNotMatch(await dialog.innerText(), /\bsku\b|decimals/i)
})

test('In German, the key of a field without a name, and what a key of the API may do, have no English words', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/settings/fields')
  await page.getByRole('button', { name: 'Feld hinzufügen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
  await page.getByText('Schlüssel: nötig ist ein Name aus höchstens 50 Buchstaben').waitFor()

  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Neuer Schlüssel' }).first().click()
  for (const name of ['Lesen Alle Datensätze', 'Schreiben Kontakte'])
    await page.getByRole('checkbox', { name, exact: true }).waitFor()
})

test('In German, a field of choices says what its options may not contain', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/settings/fields')
  await page.getByRole('button', { name: 'Feld hinzufügen' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Bezeichnung').fill('Branche')
  await dialog.getByLabel('Art').selectOption({ label: 'Mehrfachauswahl' })
  await dialog.getByLabel('Auswahl').fill('Hotel; Handel')
  await dialog.getByRole('button', { name: 'Speichern' }).click()

  await dialog.getByText('Eine Option einer Mehrfachauswahl enthält weder Semikolon noch Komma').waitFor()
})

test('In German, a full disk, a limit of the plan, an overloaded server and any company are named as a whole', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'Neuer Kontakt' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Vorname').fill('Ada')
  for (const [message, shown] of [
    ['Nothing was written: the disk is full', 'Nichts wurde gespeichert: Der Datenträger ist voll'],
    ['Emails must have at most 20 items', 'E-Mails: Höchstens 20 Einträge sind erlaubt'],
    ['Your plan allows at most 3 line items', 'Ihr Tarif erlaubt höchstens 3 Positionen'],
    [
      'The server has too many requests in progress: try again in a second',
      'Der Server ist überlastet (laufende Anfragen): Versuchen Sie es in einer Sekunde wieder',
    ],
    ['Too many attempts: try again in 1 minute', 'Zu viele Versuche: Versuchen Sie es in 1 Minute wieder'],
    [
      'constructor already has a user with the email ada@example.com',
      'constructor hat schon einen Benutzer mit der E-Mail ada@example.com',
    ],
  ]) {
    const json = { error: { code: 'PLAN_LIMIT_EXCEEDED', message } }
    await page.route('**/api-v1-contacts', (route) => route.fulfill({ status: 403, json }), { times: 1 })
    await dialog.getByLabel('Vorname').press('Enter')
    await dialog.getByText(shown!).waitFor()
  }
})

test('In German, a cell of a line item that names no product says so without an English word', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  const { id } = await make(api, 'deal', { title: 'Präsentkörbe' })
  await make(api, 'line_item', { deal_id: id, name: 'Korb', unit_price: 12 })
  await openPage(page, `/deals/${id}`)
  const product = page.getByRole('region', { name: 'Positionen' }).getByLabel('Produkt, Zeile 1')
  await product.fill('gibt es nicht')
  await product.press('Tab')

  await page.getByText('Nichts ausgewählt (Produkt): Wählen Sie etwas aus der Liste').waitFor()
})

test('In German, the check of an import fits one row as well as many, and names records in the right case', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  const path = join(temporaryDirectory(t), 'kontakte.vcf')
  const card = (name: string, email: string) =>
    `BEGIN:VCARD\r\nVERSION:3.0\r\nN:${name};;;;\r\nFN:${name}\r\nEMAIL:${email}\r\nEND:VCARD\r\n`
  writeFileSync(path, card('Ada', 'ada@example.com') + card('Ida', 'keine Adresse'))
  await openPage(page, '/import')
  await page.getByRole('radio', { name: 'Kontakte' }).check()
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByText('Als vCard erkannt.').waitFor()
  assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Nachname', 'E-Mail 1 - Wert', 'Vorname'])
  await page.getByRole('button', { name: 'Zeilen prüfen' }).click()

  await page.getByText('Importierbar: 1 Zeile, nicht importierbar: 1 Zeile.').waitFor()
  await page.getByLabel('Vorhandene Kontakte vergleichen nach').waitFor()
  await page.getByText('Gezeigt: 1 von 2 Zeilen').waitFor()
})

test('In German, a key without changes and a condition with too many values say so in German', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  const { id } = await make(api, 'api_key', { name: 'CI', scopes: ['read:all'] })
  await openPage(page, `/keys/${id}`)
  await page.getByRole('button', { name: 'Änderungen rückgängig machen' }).click()
  await page.getByRole('button', { name: 'Zeigen, was rückgängig gemacht würde' }).click()
  await page.getByText('Solche Änderungen gibt es nicht').waitFor()

  await openPage(page, `/contacts?job_title[in]=${Array.from({ length: 101 }, (_, n) => n).join()}`)
  await page.getByText('nimmt 1 bis 100 Werte, durch Kommas getrennt').waitFor()
})
