import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { chooseMore, hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

for (const [end, note, draft] of [
  ['continue', 'Activity logged', ''],
  ['abort', 'Not logged: The server cannot be reached', 'Wants 200'],
] as const) {
  test(`An activity that was being sent when the user left the page is a draft again only if it failed: ${note}`, {
    skip,
  }, async (t) => {
    const { api, page } = await openConsole(t)
    const { id } = await make(api, 'organization', { name: 'Meyer' })
    const response = await hold(page, '**/api-v1-activities', 'POST')
    const text = page.getByLabel('What happened')
    const visit = async () => {
      await page.getByRole('link', { name: 'Organizations' }).first().click()
      await page.getByRole('link', { name: 'Meyer' }).click()
      await page.getByRole('heading', { name: 'Meyer' }).waitFor()
      await page.getByLabel('Subject').focus()
    }
    await page.goto(`/organizations/${id}`)
    await page.getByLabel('Subject').focus()
    await text.fill('Wants 200')
    await page.getByRole('button', { name: 'Log note' }).click()
    await page.locator('form[aria-busy="true"]').waitFor()

    await visit()
    await until('the form is empty', () => text.inputValue(), { is: (value) => value === '' })
    response(end)
    await page.locator('.toast', { hasText: note }).waitFor()
    await visit()

    await idle(page)
    assert.equal(await text.inputValue(), draft)
  })
}

test('Logging an activity with Enter keeps the focus, and is announced', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer' })
  await openPage(page, `/organizations/${id}`)
  await page.getByLabel('Subject').fill('Offer')
  await page.keyboard.press('Enter')
  await page.getByRole('list').getByText('Offer').waitFor()
  await page.getByRole('status').getByText('Activity logged.').waitFor()

  await page.keyboard.type('Next')

  await idle(page)
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Next')
})

test('A running delete cannot be cancelled, and does not navigate away from another page', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer' })
  await openPage(page, `/organizations/${id}`)
  const response = await hold(page, `**/api-v1-organizations/${id}`, 'DELETE')
  const question = page.getByRole('dialog', { name: 'Delete Meyer?' })
  await chooseMore(page, 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel', disabled: true }).waitFor()
  response('continue')

  await page.getByRole('heading', { name: 'Organizations', exact: true }).waitFor()
})

test('Completing a task that was deleted elsewhere removes it from the list', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'task', { title: 'Call back' })
  await openPage(page, '/tasks?show=open')
  const box = page.getByRole('checkbox', { name: 'Complete Call back' })
  await box.waitFor()
  await api.delete(`/api-v1-tasks/${id}`)

  await box.press('Space')

  await page.getByText('Call back has been deleted in the meantime.').waitFor()
  await box.waitFor({ state: 'detached' })
})

test('A keyboard move is announced with the stage where the deal was dropped', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, '/pipeline')
  await page.getByRole('button', { name: 'Move Coaches' }).focus()

  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)

  await page.locator('.toast', { hasText: 'Coaches is in Qualified now' }).waitFor()
  await idle(page)
  assert.equal(await page.locator('.unseen[role="status"]').innerText(), 'Coaches: dropped in Qualified.')
})

test('A keyboard move that asks for a reason is not announced as done before there is one', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, '/pipeline')
  await page.getByRole('button', { name: 'Move Coaches' }).focus()
  const said = page.locator('.unseen[role="status"]')

  await page.keyboard.press('Space')
  for (let at = 0; !(await said.innerText()).includes('over Lost'); at++) {
    assert.ok(at < 10, 'there is a stage Lost')
    await page.keyboard.press('ArrowRight')
    await said.getByText('Coaches: over').waitFor()
    await idle(page)
  }
  await page.keyboard.press('Space')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await idle(page)

  assert.equal(await said.innerText(), '')
})

test('Filters for empty values and for text are shown in the chips and the dialog', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nordwind' })

  await openPage(page, '/organizations?country[like]=bad_x,y')
  await page.getByRole('button', { name: 'Remove filter: Country has bad_x,y' }).waitFor()
  await openPage(page, '/deals?assigned_to=null')
  await page.getByRole('button', { name: 'Remove filter: Owner none' }).waitFor()
})

test('Typing into the search of a page that is being left changes neither the address nor what the page shows', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'contact', { first_name: 'Grace' }, { first_name: 'Ada' })
  const script = await hold(page, '**/assets/reports-page-*', 'GET')
  await openPage(page, '/contacts?q=Grace')
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.waitForURL('**/reports')

  await page.getByRole('searchbox').fill('Ada')

  assert.equal(new URL(page.url()).search, '')
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Grace' }).waitFor()
  script('continue')
  await page.getByRole('heading', { name: 'Reports' }).waitFor()
  await idle(page)
  assert.equal(new URL(page.url()).search, '')
})

test('A view that is saved, and a record that is deleted, leave the address alone once the user is elsewhere', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const contact = await make(api, 'contact', { first_name: 'Grace' })
  const { id } = await make(api, 'view', { name: 'By name', resource: 'contact', sort: 'first_name' })
  const script = await hold(page, '**/assets/reports-page-*', 'GET')
  const saved = await hold(page, `**/api-v1-views/${id}`, 'PATCH')
  const deleted = await hold(page, `**/api-v1-contacts/${contact.id}`, 'DELETE')
  await openPage(page, `/contacts?view=${id}&sort=-first_name`)
  const views = page.waitForResponse(
    (response) => response.url().includes('/api-v1-views?') && response.request().method() === 'GET',
  )

  await page.getByRole('button', { name: 'Update view' }).click()
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.waitForURL('**/reports')
  saved('continue')
  await views
  script('continue')
  await page.getByRole('heading', { name: 'Reports' }).waitFor()
  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/reports')

  await follow(page, `/contacts/${contact.id}`)
  await chooseMore(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.goBack()
  deleted('continue')
  await page.locator('.toast', { hasText: 'Contact deleted.' }).waitFor()
  await idle(page)
  assert.equal(new URL(page.url()).pathname, '/reports')
})
