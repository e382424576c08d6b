import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { openInbox } from './mail-console.ts'

test('Who decides the only mail of the last page of the inbox sees the mails that still wait', { skip }, async (t) => {
  const { page, deliver, complaints } = await openInbox(t)
  for (let n = 0; n < 26; n++) await deliver({ Subject: `Mail ${n}`, From: `p${n}@shop${n}.example` })
  await openPage(page, '/inbox?page=2')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Not for Kontor: Mail 0' }).click()
  await main.getByText('Mail 25').waitFor()
  await idle(page)

  assert.equal(await main.getByRole('button', { name: /^Not for Kontor: / }).count(), 25)
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(complaints, [])
})

test('Who restores the only record of the last page of the trash sees what is still in it', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  for (let n = 0; n < 51; n++) {
    const { id } = await make(api, 'organization', { name: `Nordwind ${n}` })
    await api.delete(`/api-v1-organizations/${id}`)
  }
  await openPage(page, '/trash?type=organization&page=2')
  await page.getByRole('button', { name: 'Restore Nordwind 0' }).click()
  await page.getByText('Nordwind 50').waitFor()
  await idle(page)

  assert.equal(await page.getByRole('button', { name: /^Restore / }).count(), 50)
  assert.equal(new URL(page.url()).search, '?type=organization')
})

test('Who takes back the only sender of the last page sees the senders that are still not for Kontor', {
  skip,
}, async (t) => {
  const { api, page } = await openInbox(t)
  for (let n = 0; n < 11; n++) await api.post('/api-v1-mail-ignored-senders', { address: `news@shop${n}.example` })
  await openPage(page, '/settings/mail')
  const senders = page.getByRole('region', { name: 'Not for Kontor' })
  await senders.getByRole('button', { name: 'Next' }).click()
  await senders.getByRole('button', { name: 'Take back news@shop0.example' }).click()
  await senders.getByText('news@shop10.example').waitFor()
  await idle(page)

  assert.equal(await senders.getByRole('button', { name: /^Take back / }).count(), 10)
})
