import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { reads } from './reads.ts'

const skip = withoutBrowser

const organizations = (length: number) => Array.from({ length }, (_, n) => ({ name: `Company ${n + 1}` }))

test('A page number after the last shows the last page, and an invalid one shows the first', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', ...organizations(60))
  const { id } = (await api.get('/console/session')).body.data.user
  await make(api, 'task', ...organizations(51).map(({ name }) => ({ title: name, assigned_to: id })))

  await openPage(page, '/organizations?page=99999999999999999999')
  await page.getByText('51–60 of 60').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('page'), '2')
  for (const wrong of ['0', 'x', '-1', '1.5']) {
    await openPage(page, `/organizations?page=${wrong}`)
    await page.getByText('1–50 of 60').waitFor()
  }
  await openPage(page, '/tasks?rest=99')
  await page.getByText('51–51 of 51').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('rest'), '2')
})

test('A list whose last page is full ends there', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', ...organizations(100))
  let asked = false
  page.on('request', (request) => {
    if (reads(/page=3/)(new URL(request.url()))) asked = true
  })
  await openPage(page, '/organizations?page=2')
  await page.getByText('51–100 of 100').waitFor()

  await page.getByRole('button', { name: 'Next' }).focus()
  await page.keyboard.press('Enter')
  await idle(page)

  assert.equal(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled'), 'true')
  assert.equal(new URL(page.url()).searchParams.get('page'), '2')
  assert.equal(asked, false)
})

test('While another page loads, the list is busy; quick clicks turn one page each and the focus stays', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', ...organizations(160))
  await openPage(page, '/organizations')
  await page.getByText('1–50 of 160').waitFor()
  const next = page.getByRole('button', { name: 'Next' })
  await next.dblclick() // the list scrolls between the clicks, so that the second one would hit a row
  await page.getByText('101–150 of 160').waitFor()
  await openPage(page, '/organizations')
  await page.getByText('1–50 of 160').waitFor()
  const end = await hold(page, /page=2/, 'GET')

  await next.focus()
  await page.keyboard.press('Enter')
  await page.locator('.card[aria-busy="true"]').waitFor()
  assert.ok(await page.getByText('1–50 of 160').isVisible())
  await page.keyboard.press('Enter')
  await page.getByText('101–150 of 160').waitFor()
  end('continue')
  await page.keyboard.press('Enter')
  await page.getByText('151–160 of 160').waitFor()

  await page.locator('.card[aria-busy="false"]').waitFor()
  await idle(page)
  assert.equal(await next.getAttribute('aria-disabled'), 'true')
  await page.locator('button:focus', { hasText: 'Next' }).waitFor()
  await page.goBack()
  await page.getByText('101–150 of 160').waitFor()
})

test('A double click on Next turns two pages, also when the rows are replaced while the button is pressed', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', ...organizations(160))
  await openPage(page, '/organizations?sort=created_at')
  await page.getByText('1–50 of 160').waitFor()
  const end = await hold(page, /page=2/, 'GET')
  const first = await page.getByRole('rowheader').first().innerText()
  const next = page.getByRole('button', { name: 'Next' })
  await next.scrollIntoViewIfNeeded()
  await next.hover()

  await page.mouse.down()
  await page.mouse.up()
  await page.mouse.down({ clickCount: 2 })
  end('continue')
  await page.getByRole('rowheader', { name: first, exact: true }).waitFor({ state: 'detached' })
  await page.mouse.up({ clickCount: 2 })

  await page.getByText('101–150 of 160').waitFor()
})

test('An address that cannot be decoded shows that it was not found, within the console', { skip }, async (t) => {
  const { page } = await openConsole(t)

  await openPage(page, '/deals/100%')

  await page.getByText('Deal not found').waitFor()
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
})
