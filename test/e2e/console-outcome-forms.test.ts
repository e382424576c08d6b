import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'

const skip = withoutBrowser

async function stored(api: Visitor, id: string): Promise<unknown[]> {
  const { stage, probability } = (await api.get(`/api-v1-deals/${id}`)).body.data
  const notes = (await api.get(`/api-v1-activities?deal_id=${id}`)).body.data
  return [stage.name, probability, ...notes.map((note: { description: string }) => note.description)]
}

test('In the form of a deal, a stage for won deals sets the probability where the user sees it', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse', probability: 40 })
  await openPage(page, `/deals/${id}`)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Stage').selectOption('Won')
  await idle(page)
  assert.equal(await dialog.getByRole('textbox', { name: 'Probability' }).inputValue(), '100')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await stored(api, id), ['Won', 100])
})

test('A cell, its place on the page, and a selection ask why deals are lost, as the board does', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const names = ['By cell', 'By fact', 'By selection']
  const ids: string[] = []
  for (const title of names) ids.push((await make(api, 'deal', { title, probability: 40 })).id)
  const dialog = page.getByRole('dialog')
  const lose = async (reason: string, verb: string) => {
    await dialog.getByLabel('Stage').selectOption('Lost')
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: verb, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await openPage(page, '/deals')
  await page.getByRole('row').filter({ hasText: 'By cell' }).locator('[data-column=stage_id]').dblclick()
  await lose('Too expensive', 'Save')

  await page.getByRole('checkbox', { name: 'Select By selection' }).check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Stage' }).click()
  await lose('Chose another', 'Change')
  await page.getByText('1 deal changed.').waitFor()

  await openPage(page, `/deals/${ids[1]}`)
  await page.getByRole('button', { name: 'Change Stage' }).focus()
  await page.keyboard.press('Enter')
  await lose('No answer', 'Save')
  await page.locator('.timeline').getByText('No answer').waitFor()

  const reasons = ['Too expensive', 'No answer', 'Chose another']
  for (const [at, id] of ids.entries()) assert.deepEqual(await stored(api, id), ['Lost', 0, reasons[at]])
})

test('A record that is deleted while its form is open can be restored there, and keeps what was typed', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Acme', city: 'Ulm' })
  await openPage(page, `/organizations/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Country' }).fill('DE')
  await api.delete(`/api-v1-organizations/${id}`)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This organization has been deleted.').waitFor()
  await dialog.getByRole('button', { name: 'Restore Acme' }).click()
  await dialog.getByRole('button', { name: 'Restore Acme' }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { city, country } = (await api.get(`/api-v1-organizations/${id}`)).body.data
  assert.deepEqual([city, country], ['Ulm', 'DE'])
})

test('An empty field of a record is offered below its fields, and filled in its place', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Acme', city: 'Ulm' })
  await openPage(page, `/organizations/${id}`)
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('button', { name: 'Domain', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox').waitFor()
  await idle(page)
  assert.equal(await page.getByRole('dialog').getByRole('textbox').count(), 1)
  await page.getByRole('dialog').getByRole('textbox').fill('acme.example')
  await page.keyboard.press('Control+Enter')
  await details.getByRole('link', { name: 'acme.example' }).waitFor()

  await details.getByText('Ulm').dblclick()
  await page.getByRole('dialog').getByRole('textbox', { name: 'City' }).fill('Bonn')
  await page.keyboard.press('Enter')
  await details.getByText('Bonn').waitFor()
})

test('What is logged on a deal counts as its last activity at once, and an address in it is a link', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'New warehouse' })
  await openPage(page, `/deals/${id}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByText('None yet').waitFor()
  await page.getByLabel('Subject').fill('Offer')
  await page.getByLabel('What happened').fill('See https://acme.example/offer?id=1, page 2.')
  await page.keyboard.press('Control+Enter')
  await summary.getByText('Note · today').waitFor()
  const link = page.locator('.timeline').getByRole('link')
  await idle(page)
  assert.deepEqual(
    [await link.textContent(), await link.getAttribute('href'), await link.getAttribute('rel')],
    ['https://acme.example/offer?id=1', 'https://acme.example/offer?id=1', 'noopener noreferrer'],
  )
})
