import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesPath } from '../features/mail/imap/sources.ts'
import { withoutBrowser as skip } from '../support/browser.ts'
import { setTime } from '../support/console.ts'
import { openPage } from '../support/page.ts'
import { openInbox, openMailConsole } from './mail-console.ts'

test('A mailbox begins with a day of the user’s time zone, and is not created without the day', { skip }, async (t) => {
  const { api, page } = await openInbox(t, { timeZone: 'America/New_York', fresh: true })
  await setTime(page, '2026-06-15T02:00:00Z') // in New York, June 14
  await openPage(page, '/settings/mail')
  await page.getByRole('button', { name: 'New mailbox' }).click()
  const form = page.getByRole('dialog', { name: 'New mailbox' })
  await form.getByLabel('Host').fill('imap.example.com')
  await form.getByLabel('Password').fill('secret')
  await form.getByLabel('Begin with').selectOption('date')
  const day = form.getByLabel('Since')
  assert.equal(await day.inputValue(), '2026-06-14')

  await day.fill('')
  await form.getByRole('button', { name: 'Read this mailbox' }).click()
  await form.getByText('Enter a date.').waitFor()
  assert.equal((await api.get(sourcesPath)).body.pagination.total, 0)
  await day.fill('2026-06-01')
  await form.getByRole('button', { name: 'Read this mailbox' }).click()
  await form.waitFor({ state: 'detached' })
  assert.equal((await api.get(sourcesPath)).body.data[0].start, '2026-06-01')
})

test('The forms of a mailbox and of what a mail belongs to close if nothing was changed in them', {
  skip,
}, async (t) => {
  const { api, page, deliver } = await openMailConsole(t)
  const { id } = await deliver({ Subject: 'Hampers' })
  await api.post(sourcesPath, { host: 'imap.example.com', port: 993, user: 'ada@acme.example', password: 'x' })
  await openPage(page, '/settings/mail')
  await page.getByRole('button', { name: 'Edit ada@acme.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await openPage(page, `/messages/${id}`)
  await page.getByRole('button', { name: /^Actions for the mail/ }).click()
  await page.getByRole('button', { name: 'Deal, organization, contacts …' }).click()
  const form = page.getByRole('dialog', { name: 'What this mail belongs to' })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
})
