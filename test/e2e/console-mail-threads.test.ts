import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailWithFile } from '../features/mail/mails.ts'
import { openScreen, withoutBrowser as skip } from '../support/browser.ts'
import { enterAs } from '../support/console.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { violationsOn } from './axe.ts'
import { addColleague, openMailConsole } from './mail-console.ts'
import { namelessOn } from './nameless.ts'

const first = { 'Message-ID': '<1@navy.example>', Subject: 'Hampers' }
const answer = { 'Message-ID': '<2@navy.example>', 'In-Reply-To': '<1@navy.example>', Subject: 'Re: Hampers' }

test('The timelines of a deal, its contact and its organization show a thread once, folded, and its newest message unfolded', {
  skip,
}, async (t) => {
  const { page, api, deal, contact, organization, deliver, complaints } = await openMailConsole(t)
  await deliver(first, 'We would like 200 hampers.\r\n')
  await deliver(
    { ...answer, Cc: 'Howard Aiken <howard@navy.example>' },
    'Make it 220.\r\n\r\nAda wrote:\r\n> 200 it is.\r\n',
  )
  const other = mailWithFile('plan.pdf', 'x', { Subject: 'Plan' })
  await deliver(headersOf(other), bodyOf(other))
  await api.post('/api-v1-activities', { type: 'call', subject: 'Called Grace', deal_id: deal.id })

  for (const path of [`/deals/${deal.id}`, `/contacts/${contact.id}`, `/organizations/${organization.id}`]) {
    await openPage(page, path)
    const threads = page.locator('.timeline details.thread')
    assert.deepEqual(await threads.locator('> summary strong').allInnerTexts(), ['Plan', 'Re: Hampers'])
    const [plan, hampers] = [threads.nth(0), threads.nth(1)]
    await hampers.getByText('2 messages').waitFor()
    assert.match(await hampers.innerText(), /Grace Hopper · today, [\d:]+ · Seen by: the team$/)
    assert.match(await plan.innerText(), /Not verified[\s\S]*1 attachment$/)

    await hampers.locator('> summary').click()
    const messages = hampers.locator('details.mail')
    await messages.nth(1).waitFor()
    assert.deepEqual(await messages.evaluateAll((all) => all.map((each) => each.hasAttribute('open'))), [true, false])
    const newest = await messages.nth(0).innerText()
    assert.match(newest, /From:\s+Grace Hopper <grace@navy.example>\s+To:\s+Sales <sales@kontor.example>/)
    assert.match(newest, /Cc:\s+Howard Aiken <howard@navy.example>[\s\S]*Make it 220\./)
    assert.ok(!newest.includes('200 it is'))
    await messages.nth(0).getByText('Show the quoted mail').click()
    await messages.nth(0).getByText('200 it is').waitFor()
    await messages.nth(1).locator('> summary').click()
    await messages.nth(1).getByText('We would like 200 hampers.', { exact: true }).waitFor()
  }
  await openPage(page, `/deals/${deal.id}`)
  const marks = await page.locator('.timeline > li').evaluateAll((all) => all.map((each) => each.textContent))
  assert.match(marks[0]!, /^Called Grace/)
  assert.deepEqual(complaints, [])
})

test('A timeline with many mails and activities shows the older ones on request, each once and in order', {
  skip,
}, async (t) => {
  const { page, api, deal, deliver } = await openMailConsole(t)
  const names: string[] = []
  for (let n = 0; n < 24; n++) {
    names.unshift(`Mail ${n}`)
    await deliver({ Subject: `Mail ${n}` })
    if (n % 2 === 1) continue
    names.unshift(`Call ${n}`)
    await api.post('/api-v1-activities', { type: 'call', subject: `Call ${n}`, deal_id: deal.id })
  }
  await openPage(page, `/deals/${deal.id}`)
  const shown = page.locator('.timeline > li strong')

  const before = await shown.allInnerTexts()
  await page.getByRole('button', { name: 'Show older' }).click()
  await page.getByText('Mail 0', { exact: true }).waitFor()

  assert.ok(before.length >= 20 && before.length < names.length)
  assert.deepEqual(before, names.slice(0, before.length))
  assert.deepEqual(await shown.allInnerTexts(), names)
})

test('A timeline shows more mails than one request lists', { skip }, async (t) => {
  const { page, deal, deliver } = await openMailConsole(t)
  const count = 105
  for (let n = 0; n < count; n++) await deliver({ Subject: `Mail ${n}` })
  await openPage(page, `/deals/${deal.id}`)
  const threads = page.locator('.timeline details.thread')
  const older = page.getByRole('button', { name: 'Show older' })

  while ((await threads.count()) < count) {
    await older.click()
    await idle(page)
  }

  await page.getByText('Mail 0', { exact: true }).waitFor()
  assert.equal(await threads.count(), count)
  assert.equal(await older.count(), 0)
})

test('A mail that is shown only to the people on it leaves the timeline of a colleague at once, and returns', {
  skip,
}, async (t) => {
  const { page, url, api, deal, deliver, complaints } = await openMailConsole(t, { live: true, fresh: true })
  await deliver({ ...first, To: 'Ada Weber <ada@acme.example>' })
  const { id } = await deliver({ ...answer, To: 'Ada Weber <ada@acme.example>' })
  await api.patch(`/api-v1-messages/${id}`, { audience: 'participants' })
  const colleague = await addColleague(url, api, 'bob@acme.example')
  const other = await openScreen(t, url, { fresh: true })
  await enterAs(other.context, url, colleague)
  await Promise.all([openPage(page, `/deals/${deal.id}`), openPage(other.page, `/deals/${deal.id}`)])
  const thread = (of: typeof page) => of.locator('.timeline details.thread')
  await thread(other.page).locator('> summary').click()
  await other.page.getByText('We would like 200 hampers.').waitFor()
  assert.match(
    await thread(page).innerText(),
    /Re: Hampers\s+2 messages[\s\S]*Seen by: Ada Weber \(older ones differ\)/,
  )
  assert.match(await thread(other.page).innerText(), /^Hampers\s+Grace Hopper/)
  await thread(page).locator('> summary').click()
  const older = page.locator('details.mail').nth(1)
  await older.locator('> summary').click()
  const choose = async (entry: string) => {
    await older.getByRole('button', { name: 'Actions for the mail from Grace Hopper' }).click()
    await page.getByRole('button', { name: entry }).click()
  }

  await choose('Show only to the people on it')
  await older.getByText('Seen by: Ada Weber').waitFor()
  await thread(other.page).waitFor({ state: 'detached' })
  assert.ok(!(await other.page.locator('main').innerText()).includes('hampers.'))
  await choose('Show to the team')
  await thread(other.page).waitFor()

  await thread(other.page).locator('> summary').click()
  await other.page.getByRole('button', { name: 'Actions for the mail from Grace Hopper' }).click()
  await other.page.getByRole('button', { name: 'Original' }).waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Show only to the people on it' }).count(), 0)
  assert.deepEqual([complaints, other.complaints], [[], []])
})

test('The console says why a mail without users cannot be shown only to them', { skip }, async (t) => {
  const { page, deal, deliver } = await openMailConsole(t, { locale: 'de-DE' })
  await deliver()
  await openPage(page, `/deals/${deal.id}`)
  await page.locator('details.thread > summary').click()
  await page.getByRole('button', { name: 'Aktionen für die Mail von Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Nur den Beteiligten zeigen' }).click()

  await page.getByText('Nicht ausgeführt: Kein Benutzer hat diese Mail gesendet oder empfangen').waitFor()
})

test('A held mail is released, put on other records, saved as it arrived, deleted and brought back', {
  skip,
}, async (t) => {
  const { page, api, deal, deliver, complaints } = await openMailConsole(t)
  const held = await deliver({ From: 'Ada Weber <ada@acme.example>', To: 'Grace <grace@navy.example>' })
  await api.post('/api-v1-deals', { title: 'Baskets' })
  await api.post('/api-v1-contacts', { first_name: 'Howard' })
  const stored = async () => (await api.get(`/api-v1-messages/${held.id}?include=deal,contacts`)).body.data
  await openPage(page, `/deals/${deal.id}`)
  const thread = page.locator('details.thread')
  await thread.getByText('Held').first().waitFor()
  await thread.locator('> summary').click()

  await page.getByRole('button', { name: 'Release' }).click()
  await page.getByText('Message released.').waitFor()
  await until('the mail is not held any more', async () => (await stored()).status === 'matched')

  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for the mail from Ada Weber' }).click()
    await page.getByRole('button', { name }).click()
  }
  const [original] = await Promise.all([page.waitForEvent('download'), choose('Original')])
  assert.equal(original.suggestedFilename(), 'message.eml')

  await choose('Deal, organization, contacts …')
  const dialog = page.getByRole('dialog', { name: 'What this mail belongs to' })
  await dialog.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  await dialog.getByLabel('Add a contact').fill('Howard')
  await page.getByRole('option', { name: 'Howard' }).click()
  await dialog.getByRole('button', { name: 'Remove Howard' }).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const { contacts, deal: on } = await stored()
  assert.deepEqual([contacts.map((each: { first_name: string }) => each.first_name), on.title], [['Howard'], 'Hampers'])

  await choose('Delete')
  await thread.waitFor({ state: 'detached' })
  await page.locator('.toast', { hasText: 'Mail deleted.' }).getByRole('button', { name: 'Undo' }).click()
  await thread.waitFor()

  await thread.locator('> summary').click()
  await choose('Deal, organization, contacts …')
  await dialog.getByLabel('Deal').fill('Baskets')
  await page.getByRole('option', { name: 'Baskets' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await thread.waitFor({ state: 'detached' })
  assert.equal((await stored()).deal.title, 'Baskets')
  assert.deepEqual(complaints, [])
})

for (const [mode, options] of [
  ['in English, light, at 360 px', { width: 360 }],
  ['in German, dark, at 1280 px', { locale: 'de-DE', theme: 'dark' }],
] as const) {
  test(`Mails on a record and on their own page have no axe violations, fit, and every control has a name: ${mode}`, {
    skip,
  }, async (t) => {
    const { page, deal, deliver } = await openMailConsole(t, options)
    const { id } = await deliver(first)
    await deliver({ ...answer, From: 'Ada Weber <ada@acme.example>' })
    const plan = mailWithFile(`${'long'.repeat(30)}.pdf`, 'x', { Subject: 'x'.repeat(200) })
    await deliver(headersOf(plan), bodyOf(plan))
    const found: string[] = []
    const check = async () => {
      found.push(...(await violationsOn(page)), ...(await namelessOn(page)))
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (Number(overflow) > 0) found.push(`${page.url()} is ${overflow} px too wide`)
    }
    for (const path of [`/deals/${deal.id}`, `/messages/${id}`]) {
      await openPage(page, path)
      await check()
      for (const summary of await page.locator('details.thread > summary').all()) await summary.press('Enter')
      await idle(page)
      await check()
      await page
        .getByRole('button', { name: /^(Actions for|Aktionen für)/ })
        .first()
        .press('Enter')
      await check()
      await page.getByRole('button', { name: /^Deal, / }).press('Enter')
      await page.locator('dialog[open]').waitFor()
      await check()
      await page.keyboard.press('Escape')
    }
    assert.deepEqual(found, [])
  })
}

function headersOf(raw: string): Record<string, string> {
  const lines = raw.split('\r\n\r\n')[0]!.split('\r\n')
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
}

function bodyOf(raw: string): string {
  return raw.split('\r\n\r\n').slice(1).join('\r\n\r\n')
}
