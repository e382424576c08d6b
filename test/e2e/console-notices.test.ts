import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ScreenOptions, withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { goFollowing, idle, openPage } from '../support/page.ts'
import { password, visit } from '../support/visitor.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

/** Opens the console as a user about whom a colleague, an owner, can do something. */
async function open(t: TestContext, options: ScreenOptions & { live?: boolean } = {}) {
  const opened = await openConsole(t, options)
  const { api, url } = opened
  const { id, email } = (await api.get('/console/session')).body.data.user
  const grace = { full_name: 'Grace Hopper', email: 'grace@acme.example', role: 'owner' }
  const { invitation: token } = (await api.post('/console/users', grace)).body.data
  const colleague = visit(url)
  assert.equal((await colleague.post('/console/invitation/accept', { token, password })).status, 201)
  const makeLink = () => colleague.post(`/console/users/${id}/invitation`)
  const changeEmail = (to: string) => colleague.patch(`/console/users/${id}`, { email: to })
  return { ...opened, email, makeLink, changeEmail }
}

const notices = (page: Page, name = 'Changes to your account') => page.getByRole('region', { name })

test('Every page says what a colleague has done to the account, until the user confirms it with the keyboard', {
  skip,
}, async (t) => {
  const { page, api, email, makeLink, changeEmail, complaints } = await open(t)
  await changeEmail('thief@evil.example')
  await makeLink()

  await openPage(page, '/contacts')
  const shown = notices(page)
  await shown.getByText('Grace Hopper (grace@acme.example) made a link').waitFor()
  await shown.getByText(`changed your email. It was ${email} before.`).waitFor()
  await shown.getByText('change your password').waitFor()
  await openPage(page, '/pipeline')
  await shown.getByRole('link', { name: 'Your account' }).press('Enter')
  await page
    .getByRole('button', { name: 'Sign out everywhere else' })
    .or(page.getByLabel('New password'))
    .first()
    .waitFor()

  await shown.getByRole('link', { name: 'Your account' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await shown.waitFor({ state: 'detached' })
  await idle(page)
  assert.equal(await page.evaluate('document.activeElement.id'), 'main')
  await page.reload()
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  await idle(page)
  assert.equal(await shown.count(), 0)
  assert.deepEqual((await api.get('/console/session')).body.data.notices, [])
  assert.deepEqual(complaints, [])
})

test('A page that is open says it as soon as the change reaches it, and without live changes once the user returns to it', {
  skip,
}, async (t) => {
  for (const live of [true, false]) {
    const { page, makeLink } = await open(t, { live })
    await (live ? goFollowing(page, '/contacts') : openPage(page, '/contacts'))
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor()

    await makeLink()
    if (!live) await page.evaluate('dispatchEvent(new Event("focus"))')

    await notices(page).getByRole('button', { name: 'Understood' }).click()
    await notices(page).waitFor({ state: 'detached' })
  }
})

test('What is done while the user reads the first notice is shown next', { skip }, async (t) => {
  const { page, makeLink, changeEmail } = await open(t)
  await makeLink()
  await openPage(page, '/')
  await notices(page).getByText('made a link').waitFor()

  await changeEmail('thief@evil.example')
  await notices(page).getByRole('button', { name: 'Understood' }).click()

  await notices(page).getByText('changed your email').waitFor()
  await idle(page)
  assert.equal(await notices(page).getByText('made a link').count(), 0)
})

for (const options of [
  { width: 1280, theme: 'light', locale: 'de-DE' },
  { width: 360, theme: 'light', locale: 'de-DE' },
  { width: 1920, theme: 'dark', locale: 'en-GB' },
] as const) {
  const { width, theme, locale } = options
  test(`The notices fit and are accessible at ${width} px, ${theme}, ${locale}`, { skip }, async (t) => {
    const { page, makeLink, changeEmail } = await open(t, options)
    await changeEmail(`${'a-rather-long-name-'.repeat(3)}@evil-and-long-domain.example`)
    await makeLink()

    await openPage(page, '/')
    const shown = notices(page, locale === 'de-DE' ? 'Änderungen an Ihrem Konto' : undefined)
    await shown.getByRole('button', { name: locale === 'de-DE' ? 'Verstanden' : 'Understood' }).waitFor()

    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.deepEqual(await violationsOn(page), [])
  })
}
