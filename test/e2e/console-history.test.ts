import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { chooseMore, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const framesMax = 600
const waitForScroll = (page: Page, condition: string) =>
  page.evaluate(`new Promise((done, fail) => {
    let frames = 0
    const look = () => {
      if (scrollY ${condition}) done()
      else if (++frames > ${framesMax}) fail(new Error('scrollY is ' + scrollY + ', not ${condition}'))
      else requestAnimationFrame(look)
    }
    look()
  })`)
const scrollTo = async (page: Page, top: number) => {
  await idle(page)
  await page.evaluate(`scrollTo(0, ${top})`)
  await waitForScroll(page, `=== ${top}`)
}
const headingWithFocus = (page: Page, name: string) => page.locator('h1:focus', { hasText: name }).waitFor()
const boxWithFocus = (page: Page, name: string) => page.locator(`input:focus[aria-label="${name}"]`).waitFor()
const searchOf = (page: Page) => new URL(page.url()).search

async function withCompanies(t: TestContext) {
  const screen = await openConsole(t)
  const bodies = Array.from({ length: 120 }, (_, n) => ({ name: `Company ${String(n + 1).padStart(3, '0')}` }))
  await make(screen.api, 'organization', ...bodies)
  return screen
}

test('Back and Forward go one step and show the list as it was left', { skip }, async (t) => {
  const { page, complaints } = await withCompanies(t)
  await openPage(page, '/organizations?sort=name')
  await page.getByText('1–50 of 120').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51–100 of 120').waitFor()
  await idle(page)
  assert.ok((await page.evaluate<number>('scrollY')) < 400, 'another page begins at the top of the table')
  await scrollTo(page, 900)
  await page.getByRole('link', { name: 'Company 075' }).click()
  await page.getByRole('heading', { name: 'Company 075' }).waitFor()
  await idle(page)
  assert.equal(await page.evaluate('scrollY'), 0)

  await page.goBack()
  await page.getByText('51–100 of 120').waitFor()
  await idle(page)
  await waitForScroll(page, '=== 900')
  await page.reload()
  await idle(page)
  await waitForScroll(page, '=== 900')
  await page.goBack()
  await page.getByText('1–50 of 120').waitFor()
  await idle(page)
  await waitForScroll(page, '> 900')
  await page.goForward()
  await page.getByText('51–100 of 120').waitFor()
  await idle(page)
  await waitForScroll(page, '=== 900')
  assert.deepEqual(complaints, [])
})

test('Sorting, filtering and tabs add history entries; a search adds one, however many letters it has', {
  skip,
}, async (t) => {
  const { page } = await withCompanies(t)
  await openPage(page, '/organizations')
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.getByRole('rowheader').first().getByText('Company 001').waitFor()
  await page.getByRole('searchbox').pressSequentially('099')
  await page.getByText('1 found').waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByText('1–50 of 120').waitFor()
  await page.getByRole('searchbox').pressSequentially('098')
  await page.getByText('1 found').waitFor()

  await page.goBack()
  await page.getByRole('rowheader').first().getByText('Company 001').waitFor()
  assert.equal(searchOf(page), '?sort=name')
  await page.goBack()
  await page.getByRole('rowheader').first().getByText('Company 120').waitFor()
  assert.equal(searchOf(page), '')

  await openPage(page, '/tasks')
  await page.getByRole('button', { name: 'Overdue' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.goBack()
  assert.equal(searchOf(page), '?show=overdue')
})

test('A navigation moves the focus to the heading; the first load and a changed query do not', {
  skip,
}, async (t) => {
  const { page } = await withCompanies(t)
  await openPage(page, '/organizations?sort=name')
  await page.getByText('1–50 of 120').waitFor()
  assert.equal(await page.evaluate('document.activeElement === document.body'), true)

  await page.getByRole('link', { name: 'Company 007' }).press('Enter')
  await headingWithFocus(page, 'Company 007')
  await page.goBack()
  await headingWithFocus(page, 'Organizations')
  await page.getByRole('button', { name: 'New organization' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('New here')
  await page.keyboard.press('Enter')
  await headingWithFocus(page, 'New here')
  await page.getByRole('link', { name: 'Import' }).first().press('Enter')
  await headingWithFocus(page, 'Import')
  await page.getByRole('link', { name: 'Organizations' }).press('Enter')
  await headingWithFocus(page, 'Organizations')
  await page.getByRole('link', { name: 'Test', exact: true }).press('Enter')
  await page.getByText('Test data').waitFor()
  await headingWithFocus(page, 'Organizations')
  await page.getByRole('searchbox').pressSequentially('x')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await page.locator('input[type=search]:focus').waitFor()
})

test('After a record is deleted, its list is shown with the heading focused, and Back does not return to the record', {
  skip,
}, async (t) => {
  const { page } = await withCompanies(t)
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Company 120' }).click()
  await chooseMore(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')

  await page.getByText('1–50 of 119').waitFor()
  await headingWithFocus(page, 'Organizations')
  await page.goBack()
  await page.getByText('1–50 of 119').waitFor()
})

test('Completing a task moves the focus to the next one, or to the heading after the last', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const assigned_to = (await api.get('/console/session')).body.data.user.id
  const titles = ['First', 'Second', 'Third']
  await make(api, 'task', ...titles.map((title, n) => ({ title, assigned_to, due_date: `2027-01-0${n + 1}` })))
  await openPage(page, '/tasks')

  await page.getByRole('checkbox', { name: 'Complete First' }).press('Space')
  await page.getByText('First', { exact: true }).waitFor({ state: 'detached' })
  await boxWithFocus(page, 'Complete Second')
  await page.getByRole('checkbox', { name: 'Complete Third' }).press('Space')
  await page.getByText('Third', { exact: true }).waitFor({ state: 'detached' })
  await boxWithFocus(page, 'Complete Second')
  await page.keyboard.press('Space')
  await page.getByText('Second', { exact: true }).waitFor({ state: 'detached' })
  await headingWithFocus(page, 'Tasks')

  const { id } = await make(api, 'task', { title: 'Fourth' })
  await openPage(page, `/tasks/${id}`)
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await page.getByText('Completed', { exact: true }).first().waitFor()
  await headingWithFocus(page, 'Fourth')
})
