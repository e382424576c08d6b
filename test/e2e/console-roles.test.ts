import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { enterAs, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { goFollowing, idle, openPage } from '../support/page.ts'
import { addColleague } from './mail-console.ts'

const skip = withoutBrowser

test('An admin is offered to revoke the key of an owner, and nothing else that the server refuses', {
  skip,
}, async (t) => {
  const { api, page, context, url } = await openConsole(t)
  const admin = await addColleague(url, api, `admin-${Date.now()}@acme.example`, 'admin')
  const keyOf = async (user: typeof api) => {
    const { id: user_id } = (await user.get('/console/session')).body.data.user
    return (await make(user, 'api_key', { name: 'CI', scopes: ['read:all'], type: 'personal', user_id })).id
  }
  const [ofOwner, ofAdmin] = [await keyOf(api), await keyOf(admin)]
  const offered = async (id: string) => {
    await openPage(page, `/keys/${id}`)
    const verbs = page.locator('.heading').getByRole('button', { name: /^(Edit|Disable|Revoke)$/ })
    return verbs.allInnerTexts()
  }
  const all = ['Edit', 'Disable', 'Revoke']
  assert.deepEqual(await offered(ofOwner), all)

  await enterAs(context, url, admin)

  assert.deepEqual(await offered(ofOwner), ['Revoke'])
  assert.deepEqual(await offered(ofAdmin), all)
})

for (const live of [true, false]) {
  const when = live ? 'as soon as the stream of changes ends' : 'when the user returns to the page'
  test(`A role that somebody else changes changes what the pages offer, ${when}`, { skip }, async (t) => {
    const { api, page, context, url } = await openConsole(t, { live })
    const admin = await addColleague(url, api, `admin-${Date.now()}@acme.example`, 'admin')
    const { id } = (await admin.get('/console/session')).body.data.user
    await enterAs(context, url, admin)
    await (live ? goFollowing : openPage)(page, '/settings/account')
    const users = page.getByRole('link', { name: 'Users' })
    await users.waitFor()

    await api.patch(`/console/users/${id}`, { role: 'member' })
    if (!live) await page.evaluate('dispatchEvent(new Event("focus"))')
    await users.waitFor({ state: 'detached' })

    await api.patch(`/console/users/${id}`, { role: 'admin' })
    await page.evaluate('dispatchEvent(new Event("focus"))') // a member's stream has no changes of users
    await users.waitFor()
    await idle(page)
  })
}

test('A settings page that is only for admins, or does not exist, says so', { skip }, async (t) => {
  const { api, page, context, url } = await openConsole(t)
  const main = page.getByRole('main')
  await openPage(page, '/settings/nothing')
  await main.getByRole('heading', { name: 'Page not found' }).waitFor()
  await enterAs(context, url, await addColleague(url, api, `member-${Date.now()}@acme.example`, 'member'))

  await openPage(page, '/settings/stages')
  await main.getByRole('heading', { name: 'Only owners and admins see this page' }).waitFor()
  await main.getByRole('link', { name: 'Your account' }).click()
  await main.getByRole('region', { name: 'You', exact: true }).waitFor()
})
