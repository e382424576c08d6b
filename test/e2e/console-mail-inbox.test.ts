import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { deliverAs, mailWithFile, newAddress, rawMail } from '../features/mail/mails.ts'
import { openScreen, withoutBrowser as skip } from '../support/browser.ts'
import { enterAs } from '../support/console.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { violationsOn } from './axe.ts'
import { addColleague, openInbox } from './mail-console.ts'
import { namelessOn } from './nameless.ts'

const inbox = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Inbox' })
const rows = (page: Page) => inbox(page).getByRole('listitem')
const subjects = (page: Page) => inbox(page).getByRole('listitem').locator('.grow > a').allInnerTexts()
const entry = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' }).last()
const news = { From: 'Weekly Deals <news@shop.example>' }

async function messageOf(api: Visitor, id: string): Promise<JsonRecord> {
  return (await api.get(`/api-v1-messages/${id}`)).body.data
}

async function waitFor(page: Page, ...expected: string[]): Promise<void> {
  await idle(page)
  await until(`the inbox has ${expected}`, () => subjects(page), { is: (seen) => seen.join() === expected.join() })
}

test('A contact is created from a mail, with its name, address and organization, and has all mails of the sender; an undo takes all back', {
  skip,
}, async (t) => {
  const { api, page, deliver, complaints } = await openInbox(t)
  const navy = await make(api, 'organization', { name: 'Navy', domain: 'navy.example' })
  const first = await deliver({ Subject: 'Hampers' })
  const second = await deliver({ Subject: 'More hampers' })
  await deliver({ ...news, Subject: 'Ten offers' })
  await openPage(page, '/')
  assert.equal(await entry(page).innerText(), 'Inbox\n3')
  await entry(page).click()
  await waitFor(page, 'Ten offers', 'More hampers', 'Hampers')
  await rows(page).nth(2).getByText('We would like 200 hampers.').waitFor()
  await rows(page).nth(2).getByText('The domain is that of Navy.').waitFor()

  await inbox(page).getByRole('button', { name: 'Create contact: Hampers' }).click()
  const form = page.getByRole('dialog', { name: 'New contact' })
  assert.equal(await form.getByLabel('First name').inputValue(), 'Grace')
  assert.equal(await form.getByLabel('Last name').inputValue(), 'Hopper')
  assert.equal(await form.getByRole('textbox', { name: 'Email' }).inputValue(), 'grace@navy.example')
  assert.equal(await form.getByLabel('Organization').inputValue(), 'Navy')
  await form.getByRole('button', { name: 'Create contact' }).click()

  await waitFor(page, 'Ten offers')
  const [contact] = (await api.get('/api-v1-contacts?include=emails')).body.data
  for (const { id } of [first, second]) {
    const { status, contact_ids, organization_id } = await messageOf(api, id)
    assert.deepEqual([status, contact_ids, organization_id], ['matched', [contact.id], navy.id])
  }
  await until('the menu says 1', () => entry(page).innerText(), { is: (text) => text === 'Inbox\n1' })

  await undo(page).click()
  await waitFor(page, 'Ten offers', 'More hampers', 'Hampers')
  assert.equal((await api.get('/api-v1-contacts')).body.pagination.total, 0)
  assert.deepEqual((await messageOf(api, first.id)).contact_ids, [])
  assert.deepEqual(complaints, [])
})

test('A mail is added to a contact, whose address it becomes, and to a deal, and an undo takes it back', {
  skip,
}, async (t) => {
  const { api, page, deliver, complaints } = await openInbox(t)
  const navy = await make(api, 'organization', { name: 'Navy' })
  const contact = await make(api, 'contact', { first_name: 'Grace', last_name: 'Hopper', organization_id: navy.id })
  const deal = await make(api, 'deal', { title: 'Hampers for all' })
  const { id } = await deliver({ Subject: 'Hampers' })
  await openPage(page, '/inbox')

  await inbox(page).getByRole('button', { name: 'Add to…: Hampers' }).click()
  const form = page.getByRole('dialog', { name: 'Add to…' })
  assert.ok(await form.getByRole('button', { name: 'Add', exact: true }).isDisabled())
  await form.getByLabel('Contact').fill('Grace')
  await form.getByRole('option', { name: 'Grace Hopper' }).click()
  await form.getByLabel('grace@navy.example is an address of this contact').waitFor()
  await form.getByLabel('Deal').fill('Hampers')
  await form.getByRole('option', { name: 'Hampers for all' }).click()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await inbox(page).getByText('Nothing is waiting').waitFor()

  const added = await messageOf(api, id)
  assert.deepEqual(
    [added.status, added.contact_ids, added.organization_id, added.deal_id],
    ['matched', [contact.id], navy.id, deal.id],
  )
  assert.equal((await deliver({ Subject: 'Again' })).status, 'matched')
  await undo(page).click()
  await waitFor(page, 'Hampers')
  const back = await messageOf(api, id)
  assert.deepEqual([back.status, back.contact_ids, back.organization_id, back.deal_id], ['unmatched', [], null, null])
  assert.deepEqual((await api.get(`/api-v1-contacts/${contact.id}?include=emails`)).body.data.contact_emails, [])
  assert.deepEqual(complaints, [])
})

test('What is not for Kontor goes to the trash, its sender no longer waits, and both are taken back, at once or in the settings', {
  skip,
}, async (t) => {
  const { api, page, deliver, complaints } = await openInbox(t)
  const { id } = await deliver({ ...news, Subject: 'Ten offers' })
  await deliver({ ...news, Subject: 'Older offers' })
  await openPage(page, '/inbox')
  const discard = async () => {
    await inbox(page).getByRole('button', { name: 'Not for Kontor: Ten offers' }).click()
    await page.getByText('Mail from news@shop.example no longer waits here').last().waitFor()
    await inbox(page).getByText('Nothing is waiting').waitFor()
  }

  await discard()
  assert.equal((await api.get(`/api-v1-messages/${id}`)).status, 404)
  assert.equal((await api.get('/api-v1-trash?type=message')).body.data[0].id, id)
  await undo(page).click()
  await waitFor(page, 'Older offers', 'Ten offers')
  assert.equal((await api.get('/api-v1-mail-ignored-senders')).body.pagination.total, 0)

  await discard()
  assert.equal((await deliver({ ...news, Subject: 'New offers' })).status, 'unmatched')
  await openPage(page, '/inbox')
  await inbox(page).getByText('Nothing is waiting').waitFor()
  await page.getByRole('link', { name: 'Addresses and mailboxes' }).click()
  const senders = page.getByRole('region', { name: 'Not for Kontor' })
  await senders.getByText('For everybody').waitFor()
  await senders.getByRole('button', { name: 'Take back news@shop.example' }).click()
  await senders.getByText('No senders').waitFor()
  await entry(page).click()
  await waitFor(page, 'New offers', 'Older offers')
  assert.deepEqual(complaints, [])
})

test('The sender of a mail that not everybody sees is ignored for its reader alone, and an undo takes that back', {
  skip,
}, async (t) => {
  const { api, page, url, complaints } = await openInbox(t)
  const own = await newAddress(api as never, { kind: 'user', audience: 'participants' })
  await deliverAs({ url }, api, own.address, rawMail({ ...news, Subject: 'For me' }))
  await openPage(page, '/inbox')
  await inbox(page).getByText('Only the users who sent or received it see this message.').waitFor()

  await inbox(page).getByRole('button', { name: 'Not for Kontor: For me' }).click()
  await inbox(page).getByText('Nothing is waiting').waitFor()
  const [sender] = (await api.get('/api-v1-mail-ignored-senders')).body.data
  assert.deepEqual([sender.address, sender.visibility], ['news@shop.example', 'personal'])

  await undo(page).click()
  await waitFor(page, 'For me')
  assert.equal((await api.get('/api-v1-mail-ignored-senders')).body.pagination.total, 0)
  assert.deepEqual(complaints, [])
})

test('A held mail says why it is held, and leaves the inbox when it is released; a colleague sees nothing of it before', {
  skip,
}, async (t) => {
  const { api, page, url, deliver, complaints } = await openInbox(t, { live: true, fresh: true })
  const me = (await api.get('/console/session')).body.data.user.email
  const { id } = await deliver({ From: `Ada Weber <${me}>`, Subject: 'Transfer 10,000 EUR' })
  const bob = await addColleague(url, api, `bob-${id}@acme.example`)
  const other = await openScreen(t, url, { fresh: true })
  await enterAs(other.context, url, bob)
  await openPage(other.page, '/inbox')
  await inbox(other.page).getByText('Nothing is waiting').waitFor()
  assert.equal(await entry(other.page).innerText(), 'Inbox')
  await openPage(page, '/inbox')
  await inbox(page).getByText('it says that a colleague has sent it, but neither DKIM nor SPF proves that').waitFor()
  assert.equal(
    await inbox(page)
      .getByRole('button', { name: /^Create contact/ })
      .count(),
    0,
  )

  await inbox(page).getByRole('button', { name: 'Release Transfer 10,000 EUR' }).click()
  await page.getByText('Message released.').waitFor()
  assert.equal((await messageOf(api, id)).status, 'unmatched')
  await waitFor(page, 'Transfer 10,000 EUR')
  await inbox(page).getByRole('button', { name: 'Create contact: Transfer 10,000 EUR' }).waitFor()
  await inbox(other.page).getByText('Transfer 10,000 EUR').waitFor()

  await undo(page).click()
  await inbox(page).getByRole('button', { name: 'Release Transfer 10,000 EUR' }).waitFor()
  assert.equal((await messageOf(api, id)).status, 'held')
  await inbox(other.page).getByText('Nothing is waiting').waitFor()
  assert.deepEqual([...complaints, ...other.complaints], [])
})

test('A mail that arrives appears by itself, and pages show the older ones', { skip }, async (t) => {
  const { page, deliver, complaints } = await openInbox(t, { live: true })
  await openPage(page, '/inbox')
  await inbox(page).getByText('Nothing is waiting').waitFor()
  await deliver({ Subject: 'Mail 0' })
  await rows(page).getByText('Mail 0').waitFor()
  for (let n = 1; n < 27; n++) await deliver({ Subject: `Mail ${n}` })
  await openPage(page, '/inbox')
  assert.equal((await subjects(page)).length, 25)
  await inbox(page).getByRole('button', { name: 'Next' }).click()
  await waitFor(page, 'Mail 1', 'Mail 0')
  assert.deepEqual(complaints, [])
})

for (const [mode, options] of [
  ['in English at 360 px', { width: 360 }],
  ['in German, dark, at 200 %', { width: 640, locale: 'de-DE', theme: 'dark' }],
] as const) {
  test(`The inbox fits, has no axe violations, and each control a visible name: ${mode}`, { skip }, async (t) => {
    const { api, page, url, address, deliver, complaints } = await openInbox(t, { ...options, fresh: true })
    await deliver({ Subject: 'Hampers' }, `${'A long text without an end '.repeat(60)}\r\n`)
    await deliver({ From: 'Ada <ada@acme.example>', Subject: 'Held' })
    const attached = mailWithFile(`${'long'.repeat(20)}.pdf`, 'x', {
      From: 'billing@supplier.example',
      Subject: 'Bill',
    })
    await deliverAs({ url }, api, address, attached)
    await openPage(page, '/inbox')
    const found = [...(await violationsOn(page)), ...(await namelessOn(page))]
    const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    for (const button of [/^(Create contact|Kontakt anlegen): Hampers/, /^(Add to|Zuordnen) ?….*Hampers/]) {
      await page.getByRole('button', { name: button }).click()
      await idle(page)
      found.push(...(await violationsOn(page)), ...(await namelessOn(page)))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    assert.deepEqual([found, width, complaints], [[], 0, []])
  })
}
