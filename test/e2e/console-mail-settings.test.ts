import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDovecot, withoutDovecot } from '../features/mail/imap/dovecot.ts'
import { sourcesPath } from '../features/mail/imap/sources.ts'
import { deliverAs, newAddress, rawMail } from '../features/mail/mails.ts'
import { openScreen, withoutBrowser as skip } from '../support/browser.ts'
import { enterAs } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { bundle, launch } from '../support/program.ts'
import { password, type Visitor, visit } from '../support/visitor.ts'
import { until } from '../support/wait.ts'
import { violationsOn } from './axe.ts'
import { addColleague, openInbox } from './mail-console.ts'
import { namelessOn } from './nameless.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const path = '/settings/mail'

/** Opens the console as another user. */
async function openAs(t: TestContext, url: string, user: Visitor): Promise<Page> {
  const { page, context } = await openScreen(t, url, { fresh: true })
  await enterAs(context, url, user)
  return page
}

test('Addresses are listed, created, copied, replaced and deleted, with what that means', { skip }, async (t) => {
  const { api, page, address, complaints } = await openInbox(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await newAddress(api as never, { kind: 'deal', deal_id: deal.id })
  await openPage(page, path)
  const addresses = card(page, 'Addresses')
  const shared = addresses.getByRole('listitem').filter({ hasText: 'Of the company' })
  await addresses.getByText('Of the deal Hampers').waitFor()
  await shared.getByRole('button', { name: 'Copy' }).click()
  await shared.getByText('Copied to the clipboard').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), address)

  await addresses.getByRole('button', { name: 'New address' }).click()
  const form = page.getByRole('dialog', { name: 'New address' })
  await form.getByLabel('Of whom').selectOption('user')
  await form.getByLabel('Who sees what arrives').selectOption('participants')
  await form.getByText('no admin either').waitFor()
  await form.getByRole('button', { name: 'Create address' }).click()
  const own = addresses.getByRole('listitem').filter({ hasText: 'Your own' })
  await own.getByText('Only who sent or received a mail sees it').waitFor()

  await shared.getByRole('button', { name: `Replace ${address}` }).click()
  await page.getByRole('dialog').getByText(`Mail to ${address} is refused from now on.`).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByText('The address is replaced.').waitFor()
  await idle(page)
  const [replaced] = (await api.get('/api-v1-mail-addresses?kind=company')).body.data
  assert.notEqual(replaced.address, address)
  await shared.getByText(replaced.address).waitFor()
  assert.equal(await shared.getByText('Copied').count(), 0) // the former address is still what was copied

  await shared.getByRole('button', { name: `Delete ${replaced.address}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await shared.waitFor({ state: 'detached' })
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Undone.').waitFor()
  await openPage(page, path)
  await shared.getByText(replaced.address).waitFor()
  assert.deepEqual(complaints, [])
})

test('A mailbox with a wrong password says so and what to do, and is read with the right one; it is paused and deleted', {
  skip: skip || withoutDovecot,
}, async (t) => {
  const dovecot = await startDovecot(t)
  const { api, page, complaints } = await openInbox(t)
  dovecot.deliver(rawMail({ Subject: 'From the mailbox' }))
  await openPage(page, path)
  const mailboxes = card(page, 'Mailboxes')
  await mailboxes.getByRole('button', { name: 'New mailbox' }).click()
  const form = page.getByRole('dialog', { name: 'New mailbox' })
  await form.getByRole('button', { name: 'Read this mailbox' }).click()
  await form.getByText('Host is required').waitFor()
  await form.getByLabel('Host').fill('127.0.0.1')
  await form.getByRole('button', { name: 'Read this mailbox' }).click()
  await form.getByText('Password is required').waitFor()
  await form.getByLabel('Password').fill('wrong')
  await form.getByLabel('Encryption').selectOption('none')
  assert.equal(await form.getByLabel('Port').inputValue(), '143')
  await form.getByLabel('Port').fill(String(dovecot.port))
  await form.getByLabel('Begin with').selectOption('date')
  await form.getByLabel('Since').waitFor()
  await form.getByLabel('Begin with').selectOption('all')
  await form.getByRole('button', { name: 'Read this mailbox' }).click()
  const row = mailboxes.getByRole('listitem').filter({ hasText: 'ada@acme.example' })
  await row.getByText('Your own').waitFor()
  const look = async () => (await api.get(sourcesPath)).body.data[0]
  await until('the mailbox has an error', look, { is: ({ last_error }) => last_error !== null })
  await mailboxes.getByRole('button', { name: 'Refresh' }).click()
  await row.getByText('The mail server refuses the user or the password').waitFor()
  await row.getByText('Check the user, and enter the password again').waitFor()

  await row.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit mailbox' })
  await edit.getByLabel('User').fill('ada')
  await edit.getByText('Needed again: it must not go to another server').waitFor()
  await edit.getByLabel('User').fill('ada@acme.example')
  await edit.getByLabel('Password').fill('secret')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  await until('the mailbox is read', look, { is: ({ last_success_at }) => last_success_at !== null })
  await mailboxes.getByRole('button', { name: 'Refresh' }).click()
  await row.getByText('Last read').waitFor()
  await openPage(page, path)
  await card(page, 'Mail log').getByText('From the mailbox').waitFor()
  await card(page, 'Doors for mail').getByText('In the inbox').waitFor()

  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByText('Paused: nothing is read.').waitFor()
  assert.equal((await look()).is_active, false)
  await row.getByRole('button', { name: 'Resume' }).click()
  await row.getByRole('button', { name: 'Pause' }).waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('The messages that came from it stay.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal((await api.get(sourcesPath)).body.pagination.total, 0)
  assert.deepEqual(complaints, [])
})

test('A member has own addresses and mailboxes only, the log of the own mail, and no doors', { skip }, async (t) => {
  const { api, url, address } = await openInbox(t)
  const own = await newAddress(api as never, { kind: 'user' })
  await deliverAs({ url }, api, own.address, rawMail({ Subject: 'For Ada' }))
  await api.post(sourcesPath, { host: 'imap.example.com', port: 993, user: 'ada@acme.example', password: 'x' })
  const bob = await addColleague(url, api, `bob.${address}`)
  const page = await openAs(t, url, bob)
  await openPage(page, path)

  const addresses = card(page, 'Addresses')
  await addresses.getByText(address).waitFor()
  assert.equal(await addresses.getByRole('listitem').count(), 1)
  assert.equal(await card(page, 'Mailboxes').getByRole('listitem').count(), 0)
  await card(page, 'Mail log').getByText('No mail yet').waitFor()
  assert.equal(await card(page, 'Doors for mail').count(), 0)
  await card(page, 'Mailboxes').getByRole('button', { name: 'New mailbox' }).click()
  await page.getByRole('dialog', { name: 'New mailbox' }).getByLabel('Host').waitFor()
  assert.equal(await page.getByLabel('It is my own mailbox').count(), 0)
})

test('Without a domain, an admin reads what the operator does, and the menu has no inbox; members have no such page', {
  skip,
}, async (t) => {
  const data = temporaryDirectory(t)
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'])
  const { url, setup_url } = first as { url: string; setup_url: string }
  const owner = visit(url)
  const names = { company_name: 'Acme', full_name: 'Ada Weber', email: 'ada@acme.example', password }
  assert.equal((await owner.post('/console/setup', { token: setup_url.split('#')[1], ...names })).status, 201)
  const page = await openAs(t, url, owner)
  await openPage(page, path)
  const doors = card(page, 'Doors for mail')
  await doors.getByText('KONTOR_MAIL_DOMAIN').waitFor()
  await doors.getByText('docs/mail.md').waitFor()
  assert.equal(await card(page, 'Addresses').count(), 0)
  assert.equal(await navigation(page).getByRole('link', { name: 'Inbox' }).count(), 0)

  const member = await openAs(t, url, await addColleague(url, owner, 'bob@acme.example'))
  await openPage(member, path)
  await member.getByRole('heading', { name: 'Settings' }).waitFor()
  const sections = member.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  assert.deepEqual(await sections.allInnerTexts(), ['Your account', 'Company and plan'])
  assert.equal(await navigation(member).getByRole('link', { name: 'Inbox' }).count(), 0)
})

for (const [mode, options] of [
  ['in English at 360 px', { width: 360 }],
  ['in German, dark, at 200 %', { width: 640, locale: 'de-DE', theme: 'dark' }],
] as const) {
  test(`The settings of mail fit, have no axe violations, and each control a visible name: ${mode}`, {
    skip,
  }, async (t) => {
    const { api, page, deliver, complaints } = await openInbox(t, { ...options, fresh: true })
    await deliver({ Subject: 'A subject without an end '.repeat(10) })
    await api.post('/api-v1-mail-ignored-senders', { address: `${'news'.repeat(12)}@shop.example` })
    await api.post(sourcesPath, { host: 'imap.example.com', port: 993, user: 'ada@acme.example', password: 'x' })
    await openPage(page, path)
    const found = [...(await violationsOn(page)), ...(await namelessOn(page))]
    const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    for (const button of [/^(New address|Neue Adresse)/, /^(New mailbox|Neues Postfach)/, /^(Edit|.* bearbeiten)/]) {
      await page.getByRole('main').getByRole('button', { name: button }).first().click()
      await idle(page)
      found.push(...(await violationsOn(page)), ...(await namelessOn(page)))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    assert.deepEqual([found, width, complaints], [[], 0, []])
  })
}
