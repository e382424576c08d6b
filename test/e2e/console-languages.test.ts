import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

test('A German browser gets the console in German, with dates and amounts as in Germany', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t, { locale: 'de-DE' })
  const deal = { title: 'Präsentkörbe', value: 12_500, expected_close_date: '2031-12-04', probability: 60 }
  const { id } = await make(api, 'deal', deal)

  await openPage(page, '/deals')
  await page.getByRole('columnheader', { name: 'Abschluss am' }).waitFor()
  await page.getByText('12.500 €').first().waitFor()
  await page.getByRole('button', { name: 'Neuer Deal' }).click()
  await page.getByRole('dialog', { name: 'Neuer Deal' }).getByLabel('Wahrscheinlichkeit').waitFor()
  await openPage(page, `/deals/${id}`)
  await page.getByText('04.12.2031').waitFor()
  await page.getByText('60 % wahrscheinlich').waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'de')
  assert.deepEqual(complaints, [])
})

test('Filters, the search and the history are in German, too', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  await make(api, 'contact', { first_name: 'Ada' })
  await openPage(page, '/contacts?created_at[gte]=2026-01-05&job_title[like]=chef&organization_id=null')

  await page.getByText('Angelegt ab 05.01.2026').waitFor()
  for (const text of ['enthält chef', 'Organisation Keine']) await page.locator('.chip', { hasText: text }).waitFor()
  assert.match((await page.getByRole('searchbox').getAttribute('placeholder'))!, / oder /)
  await page.getByRole('button', { name: 'Filtern' }).click()
  await page.getByRole('dialog').getByLabel('Angelegt ab').waitFor()

  await openPage(page, '/pipeline')
  const kinds = page.getByLabel('Phasen').getByRole('option')
  assert.deepEqual(await kinds.allInnerTexts(), ['Alle Phasen', 'Offen', 'Gewonnen', 'Verloren'])
})

test('A user chooses the language in the settings, and this browser remembers it', { skip }, async (t) => {
  const { page } = await openConsole(t)
  await openPage(page, '/settings/account')
  const language = page.getByRole('region', { name: 'Language' })

  await language.getByRole('button', { name: 'Deutsch' }).press('Enter')
  await page.getByRole('heading', { name: 'Einstellungen', exact: true }).waitFor()
  await openPage(page, '/tasks')
  await page.getByRole('heading', { name: 'Aufgaben', exact: true }).waitFor()

  await openPage(page, '/settings/account')
  await page.getByRole('region', { name: 'Sprache' }).getByRole('button', { name: 'Wie der Browser' }).press('Enter')
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
})

test('A browser of another language gets English texts, with dates and amounts of its own', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'fr-FR' })
  await make(api, 'deal', { title: 'Hampers', value: 12_500 })
  await openPage(page, '/deals')
  await page.getByRole('columnheader', { name: 'Closes on' }).waitFor()
  await page
    .getByText(/12\s500\s€/)
    .first()
    .waitFor()
})

test('Messages of the server at the fields of a form are in German, too', { skip }, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'Neuer Kontakt' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nachname').fill('Weber')
  await dialog.getByRole('button', { name: 'Kontakt anlegen' }).click()
  await dialog.getByText('Vorname ist erforderlich').waitFor()
})

test('In German, a job title is called the same everywhere, and types of emails and phones are German, too', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  const emails = [{ email: 'ada@example.com', type: 'work', is_primary: true }]
  const phones = [{ phone_number: '+49 431 5550 1789', type: 'home', is_primary: true }]
  const { id } = await make(api, 'contact', { first_name: 'Ada', emails, phones })
  await openPage(page, '/contacts')
  const placeholder = (await page.getByRole('searchbox').getAttribute('placeholder'))!
  assert.match(placeholder, /Position/)
  assert.doesNotMatch(placeholder, /Reihenfolge/)

  await page.getByRole('button', { name: 'Neuer Kontakt' }).first().click()
  const type = page.getByRole('dialog').getByLabel('Art', { exact: true }).first()
  assert.equal(await type.inputValue(), 'geschäftlich')
  await type.fill('privat')
  await page.getByRole('dialog').getByLabel('Vorname').fill('Ida')
  await page.getByRole('dialog').getByLabel('E-Mail', { exact: true }).fill('ida@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Kontakt anlegen' }).click()
  await page.getByRole('heading', { name: 'Ida' }).waitFor()
  await page.getByText('privat').first().waitFor()
  const [ida] = (await api.get('/api-v1-contacts?first_name=Ida&include=emails')).body.data
  assert.equal(ida.contact_emails[0].type, 'personal')

  await openPage(page, `/contacts/${id}`)
  const main = await page.getByRole('main').innerText()
  assert.match(main, /geschäftlich/)
  assert.match(main, /zu Hause/)
})

test('In German, an address has a Bundesland, and reports name the owners of deals as their pages do', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { locale: 'de-DE' })
  const { id } = await make(api, 'organization', { name: 'Nordwind', state: 'Bayern' })

  await openPage(page, `/organizations/${id}`)
  await page.locator('dt', { hasText: 'Bundesland' }).waitFor()
  await openPage(page, '/reports')
  await page.getByRole('heading', { name: 'Gewonnen nach Inhaber' }).waitFor()
})

test('In German, the address of a calendar is not called “es” where it is shown only once', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { locale: 'de-DE' })
  await openPage(page, '/settings/account')

  await page.getByRole('region', { name: 'Kalender' }).getByRole('button', { name: 'Adresse anlegen' }).click()

  await page.getByRole('dialog').getByText('Kopieren Sie den Text jetzt').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Ich habe ihn gespeichert' }).waitFor()
})
