import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { openInbox } from './mail-console.ts'
import { alterReads, reads } from './reads.ts'

test('A contact of a mail whose organization cannot be read is created once it can', { skip }, async (t) => {
  const { api, page, deliver } = await openInbox(t)
  await make(api, 'organization', { name: 'Navy', domain: 'navy.example' })
  await deliver({ Subject: 'Hampers', From: 'Grace Hopper <grace@navy.example>' })
  const stop = await alterReads(page, /api-v1-organizations/, () => ({
    status: 503,
    body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'The database is busy' } },
  }))
  await openPage(page, '/inbox')
  await page.getByRole('button', { name: 'Create contact: Hampers' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('alert').getByText('The database is busy').waitFor()

  await stop()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('dialog', { name: 'New contact' }).getByRole('button', { name: 'Create contact' }).click()
  await page.getByText('Nothing is waiting').waitFor()
  const [grace] = (await api.get('/api-v1-contacts?include=organization')).body.data
  assert.equal(grace.organization.name, 'Navy')
})

test('A contact of a mail whose organization has been deleted meanwhile is created without it', { skip }, async (t) => {
  const { api, page, deliver } = await openInbox(t)
  const { id } = await make(api, 'organization', { name: 'Navy', domain: 'navy.example' })
  await deliver({ Subject: 'Hampers', From: 'Grace Hopper <grace@navy.example>' })
  await openPage(page, '/inbox')
  await api.delete(`/api-v1-organizations/${id}`)
  await page.getByRole('button', { name: 'Create contact: Hampers' }).click()
  await page.getByRole('dialog', { name: 'New contact' }).getByRole('button', { name: 'Create contact' }).click()
  await page.getByText('Nothing is waiting').waitFor()

  const [grace] = (await api.get('/api-v1-contacts')).body.data
  assert.deepEqual([grace.last_name, grace.organization_id], ['Hopper', null])
})

test('A mail is added to a contact whose organization has been deleted', { skip }, async (t) => {
  const { api, page, deliver } = await openInbox(t)
  const { id: organization_id } = await make(api, 'organization', { name: 'Navy' })
  const contact = await make(api, 'contact', { first_name: 'Grace', organization_id })
  await api.delete(`/api-v1-organizations/${organization_id}`)
  const { id } = await deliver({ Subject: 'Hampers', From: 'Grace Hopper <grace@navy.example>' })
  await openPage(page, '/inbox')
  await page.getByRole('button', { name: 'Add to…: Hampers' }).click()
  const form = page.getByRole('dialog', { name: 'Add to…' })
  await form.getByLabel('Contact').fill('Grace')
  await form.getByRole('option', { name: 'Grace' }).click()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Nothing is waiting').waitFor()

  const { contact_ids, organization_id: linked } = (await api.get(`/api-v1-messages/${id}`)).body.data
  assert.deepEqual([contact_ids, linked], [[contact.id], null])
})

test('The number at the inbox is that of the last count, also if an earlier one is answered later', {
  skip,
}, async (t) => {
  const { page, deliver } = await openInbox(t)
  for (const name of ['grace', 'linus']) await deliver({ Subject: name, From: `${name}@${name}.example` })
  await openPage(page, '/inbox')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' })
  await link.getByText('2').waitFor()
  const counted = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  await page.route(reads(/console\/inbox/), async (route) => {
    if (++count > 1) return route.continue()
    const response = await route.fetch()
    counted.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Not for Kontor: grace' }).click()
  await counted.promise
  await page.getByRole('button', { name: 'Not for Kontor: linus' }).click()
  await page.getByText('Nothing is waiting').waitFor()
  released.resolve()
  await idle(page)

  assert.equal((await link.innerText()).trim(), 'Inbox')
})

test('The number at the inbox is that of an earlier count if the last one fails', { skip }, async (t) => {
  const { page, deliver } = await openInbox(t)
  for (const name of ['grace', 'linus', 'ada']) await deliver({ Subject: name, From: `${name}@${name}.example` })
  await openPage(page, '/inbox')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' })
  await link.getByText('3').waitFor()
  const counted = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  await page.route(reads(/console\/inbox/), async (route) => {
    if (++count > 1) return route.abort()
    const response = await route.fetch()
    counted.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Not for Kontor: grace' }).click()
  await counted.promise
  await page.getByRole('button', { name: 'Not for Kontor: linus' }).click()
  await page.getByRole('button', { name: 'Not for Kontor: linus' }).waitFor({ state: 'detached' })
  released.resolve()

  await link.getByText('2').waitFor()
})
