import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { assertError, clientFor } from '../support/client.ts'
import { chooseMore, launchEmpty, openConsole, owner } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { bundle } from '../support/program.ts'

const skip = withoutBrowser

test('The first run leads from the setup link to the home page; signing out and in again works', {
  skip,
}, async (t) => {
  const { url, setupUrl } = await launchEmpty(t)
  const { page, complaints } = await openScreen(t, url)

  await openPage(page, '/')
  await page.getByText('kontor setup-link').waitFor()
  await openPage(page, setupUrl)
  await page.getByLabel('Company').fill('Nordwind')
  await page.getByLabel('Your name').fill(owner.full_name)
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByText('Email must be a valid email address').waitFor()
  await idle(page)
  assert.equal(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('heading', { name: 'Good to see you, Ada' }).waitFor()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Email or password is wrong').waitFor()
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Good to see you, Ada' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('An API key can be created, copied, used and revoked', { skip }, async (t) => {
  const { url, page, complaints } = await openConsole(t)
  await openPage(page, '/keys')

  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Website form')
  await page.getByLabel('Write contacts').check()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await idle(page)
  const key = await page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('button', { name: 'I have saved it' }).click()

  const client = clientFor(url, { id: '', key })
  assert.match(key, /^svc_live_[A-Za-z0-9]{32}$/)
  assert.equal((await client.post('/api-v1-contacts', { first_name: 'Grace' })).status, 201)
  assertError(await client.post('/api-v1-deals', { title: 'x' }), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.ok(!(await page.content()).includes(key), 'the key is shown only once')

  await page.getByRole('link', { name: 'Website form' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('cannot be undone').waitFor()
  await page.getByRole('button', { name: 'Revoke permanently' }).click()
  await page.getByText('Revoked', { exact: true }).first().waitFor()
  assertError(await client.get('/api-v1-contacts'), 401, 'API_KEY_REVOKED')
  assert.deepEqual(complaints, [])
})

test('A record can be created, found, edited, logged on and deleted', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await openPage(page, '/organizations')

  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Name is required').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Nordwind')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('City').fill('Hamburg')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Hamburg').waitFor()

  await page.getByLabel('Subject').fill('At the fair')
  await page.getByRole('button', { name: 'Meeting' }).click()
  await page.getByRole('button', { name: 'Log meeting' }).click()
  await page.locator('.timeline').getByText('At the fair').waitFor()
  const [activity] = (await api.get('/api-v1-activities?include=user')).body.data
  assert.deepEqual([activity.type, activity.user.full_name], ['meeting', owner.full_name])

  await page.getByRole('link', { name: 'Organizations' }).first().click()
  await page.getByRole('searchbox').fill('NORD')
  await page.getByRole('link', { name: 'Nordwind' }).click()
  await chooseMore(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('A task is completed with one click', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = (await api.get('/console/session')).body.data.user
  await make(api, 'task', { title: 'Call back', assigned_to: id, due_date: '2026-01-01' })

  await openPage(page, '/tasks?show=overdue')
  await page.getByRole('checkbox', { name: 'Complete Call back' }).click()
  await page.getByText('Nothing is overdue').waitFor()

  assert.equal((await api.get('/api-v1-tasks?filter[status]=completed')).body.pagination.total, 1)
})

test('An edit sends only the changed fields', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'task', { title: 'Call back', status: 'completed', priority: 'low' })
  const before = (await api.get(`/api-v1-tasks/${id}`)).body.data
  await openPage(page, `/tasks/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').waitFor()
  await api.patch(`/api-v1-tasks/${id}`, { priority: 'urgent' }) // by someone else in the meantime

  await page.getByRole('textbox', { name: 'Title' }).fill('Call back soon')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('group', { name: 'Priority' }).getByLabel('Theirs: Urgent').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Call back soon' }).waitFor()

  const { title, priority, completed_at } = (await api.get(`/api-v1-tasks/${id}`)).body.data
  assert.deepEqual([title, priority, completed_at], ['Call back soon', 'urgent', before.completed_at])
})

test('The test workspace has its own data and is labelled', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Live only' })

  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Live only' }).waitFor()
  assert.equal(await page.getByText('Test data').count(), 0)
  await page.getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByText('Test data').waitFor()
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()

  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/test/organizations')
  assert.match(await page.title(), /^\[Test\]/)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Trial')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page
    .getByText(/svc_test_/)
    .first()
    .waitFor()
})

test('When the session ends while a form is open, no input is lost', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { program: bundle })
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'New organization' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')

  const { cookie } = api
  await api.delete('/console/sessions')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Your session has ended').waitFor()
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Typed before' }).waitFor()
  api.cookie = cookie
  assertError(await api.get('/console/session'), 401, 'UNAUTHORIZED')
})
