import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { openMailConsole } from './mail-console.ts'

test('A mail that was deleted is shown as it was, with its people, also if it is deleted while its page is open', {
  skip,
}, async (t) => {
  const { api, page, complaints, deliver } = await openMailConsole(t, { live: true })
  const cc = 'Bob <bob@navy.example>, eve@navy.example'
  const { id } = await deliver({ Cc: cc, Subject: 'Prices' }, 'How much?\r\n')
  await openPage(page, `/messages/${id}`)
  await page.getByText('How much?').waitFor()

  await api.delete(`/api-v1-messages/${id}`)
  for (const show of [() => Promise.resolve(), () => openPage(page, `/messages/${id}`)]) {
    await show()
    const facts = page.locator('.facts')
    await facts.getByText('How much?').waitFor()
    await facts.getByText('Bob, eve@navy.example').waitFor()
    await page.getByRole('button', { name: 'Restore Prices' }).waitFor()
    assert.equal(await facts.getByText(/^[0-9a-f-]{36}$/).count(), 0, 'no ids')
  }
  await page.getByRole('button', { name: 'Restore Prices' }).click()
  await page.getByText('Prices restored.').waitFor()
  assert.deepEqual(complaints, [])
})

test('The history of a mail names its people, before and after a change', { skip }, async (t) => {
  const { api, page, complaints, deliver } = await openMailConsole(t)
  const { id, contact_ids } = await deliver({ Subject: 'Prices' })
  const { id: ada } = await make(api, 'contact', { first_name: 'Ada', last_name: 'Byron' })
  await api.patch(`/api-v1-messages/${id}`, { contact_ids: [...contact_ids, ada] })
  await openPage(page, `/messages/${id}`)
  await page.getByRole('link', { name: 'History' }).click()

  const change = page.locator('.changed', { hasText: 'Contacts' }).first()
  await change.getByRole('link', { name: 'Ada Byron' }).waitFor()
  await idle(page)
  assert.deepEqual(await change.getByRole('link').allTextContents(), ['Grace Hopper', 'Grace Hopper', 'Ada Byron'])
  assert.deepEqual(complaints, [])
})

test('The list of mails shows each column that it offers, and still after it is loaded again', { skip }, async (t) => {
  const { page, complaints, deliver } = await openMailConsole(t)
  await deliver({ Subject: 'Prices' })
  await openPage(page, '/messages')
  await page.getByRole('button', { name: 'Columns' }).click()
  const offered = page.getByRole('dialog').getByRole('checkbox')
  await offered.first().waitFor()
  const count = await offered.count()
  for (let at = 0; at < count; at++) if (await offered.nth(at).isEnabled()) await offered.nth(at).check()
  await page.keyboard.press('Escape')
  await page.reload()
  await idle(page)

  await page.getByRole('link', { name: 'Prices' }).waitFor()
  assert.equal(await page.locator('.records thead th').count(), count + 1)
  for (const name of ['Thread', 'Contacts', 'Users']) {
    assert.equal(await page.getByRole('columnheader', { name }).count(), 0, `${name} has ids only`)
  }
  assert.deepEqual(complaints, [])
})
