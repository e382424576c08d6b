import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('The account page creates the address of a calendar, shows it once, replaces and revokes it', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { timeZone: 'Asia/Tokyo' })
  const { user } = (await api.get('/console/session')).body.data
  const due_date = new Date(Date.now() + 86_400_000).toISOString()
  await make(api, 'task', { title: 'Call back', assigned_to: user.id, due_date })
  const card = page.getByRole('region', { name: 'Calendar' })
  const shown = async () => {
    await idle(page)
    const address = await page.getByRole('dialog').locator('code').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    return address
  }
  const confirm = (verb: string) => page.getByRole('dialog').getByRole('button', { name: verb }).press('Enter')
  const read = async (address: string) => {
    const response = await fetch(address)
    return { status: response.status, text: await response.text() }
  }

  await openPage(page, '/settings/account')
  await page.route('**/console/calendar*', (route) => route.abort(), { times: 1 })
  await card.getByRole('button', { name: 'Create address' }).press('Enter')
  await page.getByText('The request may have been processed: check before you try again.').waitFor()
  complaints.splice(0) // that nothing was received
  await card.getByRole('button', { name: 'Create address' }).press('Enter')
  const first = await shown()
  assert.match((await read(first)).text, /SUMMARY:Call back/)
  await page.reload()
  await card.getByText('days as in Asia/Tokyo').waitFor()
  assert.ok(!(await page.content()).includes(first.split('/').at(-2)!))

  await card.getByRole('button', { name: 'Replace' }).press('Enter')
  await confirm('Replace')
  await page.getByText('Your calendar’s address').waitFor()
  const second = await shown()
  assert.deepEqual([(await read(first)).status, (await read(second)).status], [404, 200])

  await card.getByRole('button', { name: 'Revoke' }).press('Enter')
  await confirm('Revoke')
  await card.getByRole('button', { name: 'Create address' }).waitFor()
  assert.equal((await read(second)).status, 404)
  assert.deepEqual(complaints, [])
})
