import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { openMailConsole } from './mail-console.ts'
import { alterReads } from './reads.ts'

const failing = () => ({
  status: 503,
  body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'The database is busy' } },
})

test('Older activities that cannot be loaded are said to be, once, and can be tried again', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  for (let n = 0; n < 21; n++) await make(api, 'activity', { type: 'note', subject: `Note ${n}`, organization_id: id })
  await openPage(page, `/organizations/${id}`)
  const main = page.getByRole('main')
  await main.getByText('Note 20').waitFor()
  const stop = await alterReads(page, /api-v1-(activities|messages)/, failing)
  await main.getByRole('button', { name: 'Show older' }).click()
  await main.getByRole('alert').getByText('The database is busy').waitFor()
  await idle(page)
  assert.equal(await main.getByRole('alert').count(), 1)
  assert.equal(await main.getByText('Note 20').count(), 1)

  await stop()
  await main.getByRole('button', { name: 'Try again' }).click()
  await main.getByText('Note 0', { exact: true }).waitFor()
})

test('Older changes that cannot be loaded are said to be, and can be tried again', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  for (let n = 0; n < 21; n++) await api.patch(`/api-v1-organizations/${id}`, { city: `City ${n}` })
  await openPage(page, `/organizations/${id}?show=history`)
  const entries = page.getByRole('region', { name: 'History' })
  const stop = await alterReads(page, /history/, failing)
  await entries.getByRole('button', { name: 'Show older' }).click()
  await entries.getByRole('alert').getByText('The database is busy').waitFor()

  await stop()
  await entries.getByRole('button', { name: 'Try again' }).click()
  await entries.getByText('Created').waitFor()
})

test('Older mails of a thread that cannot be loaded are said to be, and can be tried again', { skip }, async (t) => {
  const { page, deal, deliver } = await openMailConsole(t)
  const subject = 'Hampers'
  await deliver({ Subject: subject, From: 'grace@navy.example', 'Message-ID': '<0@navy.example>' }, 'Mail 0.\r\n')
  for (let n = 1; n < 21; n++)
    await deliver(
      {
        ...{ Subject: `Re: ${subject}`, From: 'grace@navy.example', 'Message-ID': `<${n}@navy.example>` },
        'In-Reply-To': '<0@navy.example>',
      },
      `Mail ${n}.\r\n`,
    )
  await openPage(page, `/deals/${deal.id}`)
  const thread = page.locator('details.thread')
  await thread.locator('summary').first().click()
  const older = thread.getByRole('button', { name: 'Show older' })
  await older.waitFor()
  const stop = await alterReads(page, /api-v1-messages/, failing)
  await older.click()
  await thread.getByRole('alert').getByText('The database is busy').waitFor()

  await stop()
  await thread.getByRole('button', { name: 'Try again' }).click()
  await thread.getByText('Mail 0.').waitFor()
})
