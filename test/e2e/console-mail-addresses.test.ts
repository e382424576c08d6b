import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { mailDomain, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { bundle } from '../support/program.ts'

test('The page of a deal and the account create an address to put into BCC, and copy it', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t, { fresh: true })
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const addresses = async () => (await api.get('/api-v1-mail-addresses?sort=created_at:asc')).body.data
  const places = [
    [`/deals/${deal.id}`, 'Mail address of the deal', 'deal'],
    ['/settings/account', 'Your mail address', 'user'],
  ] as const
  for (const [at, [path, name, kind]] of places.entries()) {
    await openPage(page, path)
    const card = page.getByRole('region', { name })
    await card.getByRole('button', { name: 'Create address' }).click()
    await card.getByRole('button', { name: 'Copy' }).click()
    await card.getByRole('button', { name: 'Copied' }).waitFor()

    const made = (await addresses())[at]
    assert.equal(made.kind, kind)
    assert.match(made.address, new RegExp(`@${mailDomain}$`))
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), made.address)
    await page.reload()
    await card.getByText(made.address).waitFor()
    assert.equal(await card.getByRole('button', { name: 'Create address' }).count(), 0)
  }
  assert.equal((await addresses()).length, places.length)
  assert.deepEqual(complaints, [])
})

test('A server that takes no mail offers no addresses', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { program: bundle, takesMail: false })
  const deal = await make(api, 'deal', { title: 'Hampers' })
  for (const path of [`/deals/${deal.id}`, '/settings/account']) {
    await openPage(page, path)
    assert.equal(await page.getByRole('button', { name: 'Create address' }).count(), path.includes('deals') ? 0 : 1) // of the calendar
    assert.equal(await page.getByText(/mail address/i).count(), 0)
  }
})
