import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('People are added to a deal with a role, which can be changed, and taken off it again, with undo', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const main = await make(api, 'contact', { first_name: 'Ada' })
  const other = await make(api, 'contact', { first_name: 'Grace' })
  const deal = await make(api, 'deal', { title: 'Coaches', contact_id: main.id })
  const peopleOf = async () => {
    const { body } = await api.get(`/api-v1-deals/${deal.id}?include=contacts`)
    return body.data.contacts.map(({ first_name, role }: Record<string, unknown>) => [first_name, role])
  }
  await openPage(page, `/deals/${deal.id}`)
  const people = page.getByRole('region', { name: 'People' })

  await people.getByRole('button', { name: 'Add a person' }).click()
  const form = page.getByRole('dialog', { name: 'Add a person' })
  await form.getByRole('combobox', { name: 'Contact' }).fill('Grace')
  await page.getByRole('option', { name: 'Grace' }).click()
  await form.getByRole('textbox', { name: 'Role' }).fill('Buyer')
  await form.getByRole('button', { name: 'Add' }).click()
  const roleShown = (name: string) => people.getByText(name, { exact: true }) // the form's hint has them in lower case
  await roleShown('Buyer').waitFor()
  assert.deepEqual(await peopleOf(), [
    ['Ada', null],
    ['Grace', 'Buyer'],
  ])

  await people.getByRole('button', { name: 'Role of Grace' }).click()
  const role = page.getByRole('dialog', { name: 'Role of Grace' })
  await role.getByRole('textbox', { name: 'Role' }).fill('Decision maker')
  await role.getByRole('button', { name: 'Save' }).click()
  await roleShown('Decision maker').waitFor()

  await people.getByRole('button', { name: 'Take Grace off the deal' }).click()
  await people.getByText('Grace').waitFor({ state: 'detached' })
  assert.deepEqual(await peopleOf(), [['Ada', null]])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await roleShown('Decision maker').waitFor()
  await idle(page)
  assert.deepEqual(
    (await peopleOf()).map(([name]: [string]) => name),
    ['Ada', 'Grace'],
  )
  assert.equal((await api.get(`/api-v1-contacts/${other.id}`)).status, 200)
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('Ada, Grace (Buyer)').first().waitFor()
  assert.deepEqual(complaints, [])
})

test('A deal lists its people first, and the other contacts of its organization below a heading', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  await make(api, 'contact', { first_name: 'Zoe', organization_id })
  const { id: contact_id } = await make(api, 'contact', { first_name: 'Ada', organization_id })
  const deal = await make(api, 'deal', { title: 'Coaches', contact_id, organization_id })
  await openPage(page, `/deals/${deal.id}`)

  const people = page.getByRole('region', { name: 'People' }).getByRole('listitem')
  await people.getByRole('link', { name: 'Zoe' }).waitFor()

  assert.ok(await page.getByText('Others at Nordwind').isVisible())
  const [first, heading, last] = await people.allInnerTexts()
  assert.deepEqual([first!.includes('Ada'), heading, last!.includes('Zoe')], [true, 'Others at Nordwind', true])
})

test('A person is added by keyboard alone: those of the organization come first, and Tab leads on to the role', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  for (let at = 0; at < 10; at++) await make(api, 'contact', { first_name: `Aaron ${at}` })
  const grace = await make(api, 'contact', { first_name: 'Grace', organization_id: organization.id })
  const deal = await make(api, 'deal', { title: 'Coaches', organization_id: organization.id })
  await openPage(page, `/deals/${deal.id}`)

  await page.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Add a person' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Add a person' })
  await form.getByRole('combobox', { name: 'Contact' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Grace', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Clear Grace' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Decision maker')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await idle(page)

  const { contacts } = (await api.get(`/api-v1-deals/${deal.id}?include=contacts`)).body.data
  assert.deepEqual(
    contacts.map(({ id, role }: Record<string, unknown>) => [id, role]),
    [[grace.id, 'Decision maker']],
  )
  assert.deepEqual(complaints, [])
})

test('The page of a contact has the deals that the contact is on, as the first person or another one', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const ada = await make(api, 'contact', { first_name: 'Ada' })
  const grace = await make(api, 'contact', { first_name: 'Grace' })
  await make(api, 'deal', { title: 'Her own', contact_id: ada.id })
  const other = await make(api, 'deal', { title: 'Of Grace', contact_id: grace.id })
  await make(api, 'deal', { title: 'Of nobody' })
  await api.put(`/api-v1-deals/${other.id}/contacts/${ada.id}`, { role: 'Buyer' })

  await openPage(page, `/contacts/${ada.id}`)
  const deals = page.getByRole('region', { name: 'Deals' })
  await deals.getByRole('link', { name: 'Her own' }).waitFor()

  assert.deepEqual((await deals.getByRole('listitem').getByRole('link').allInnerTexts()).toSorted(), [
    'Her own',
    'Of Grace',
  ])
  assert.deepEqual(complaints, [])
})
