import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, setTime } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { reads, targetOf } from './reads.ts'

const skip = withoutBrowser

const tasksIn = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link').allInnerTexts()

for (const { timeZone, day, chip, now, within, outside } of [
  {
    timeZone: 'Asia/Tokyo',
    day: '2026-11-22',
    chip: '22 Nov 2026',
    now: '2026-11-22T08:00:00+09:00',
    within: ['2026-11-21T15:30:00Z', '2026-11-22T14:30:00Z'],
    outside: ['2026-11-21T14:30:00Z', '2026-11-22T15:30:00Z'],
  },
  {
    timeZone: 'America/Los_Angeles', // a day of 23 hours
    day: '2026-03-08',
    chip: '8 Mar 2026',
    now: '2026-03-08T20:00:00-07:00',
    within: ['2026-03-08T08:30:00Z', '2026-03-09T06:30:00Z'],
    outside: ['2026-03-08T07:30:00Z', '2026-03-09T07:30:00Z'],
  },
  {
    timeZone: 'America/Los_Angeles', // a day of 25 hours
    day: '2026-11-01',
    chip: '1 Nov 2026',
    now: '2026-11-01T20:00:00-08:00',
    within: ['2026-11-01T07:30:00Z', '2026-11-02T07:30:00Z'],
    outside: ['2026-11-01T06:30:00Z', '2026-11-02T08:30:00Z'],
  },
]) {
  test(`A day in a filter is the user's: ${day} in ${timeZone}`, { skip }, async (t) => {
    const { api, page } = await openConsole(t, { timeZone, fresh: true })
    await make(api, 'task', ...[...within, ...outside].map((due_date) => ({ title: due_date, due_date })))
    await make(api, 'deal', { title: 'That day', expected_close_date: day }, { title: 'Never' })
    await setTime(page, now)
    await openPage(page, '/tasks?show=all')
    await page.getByText('4 tasks').waitFor()

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Due date from').fill(day)
    await page.getByLabel('Due date to').fill(day)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('2 tasks').waitFor()

    await idle(page)
    assert.deepEqual(await tasksIn(page), within)
    assert.equal(await page.getByText(/due today, /).count(), 2)
    assert.equal(new URL(page.url()).searchParams.get('due_date[lte]'), day)
    await page.getByText(`Due date to ${chip}`).waitFor()
    const created = page.waitForRequest((request) => reads(/api-v1-deals\?.*created_at/)(new URL(request.url())))
    await openPage(
      page,
      `/deals?expected_close_date[gte]=${day}&expected_close_date[lte]=${day}&created_at[gte]=${day}`,
    )
    const query = new URLSearchParams(targetOf(await created, /api-v1-deals\?/).split('?')[1])
    assert.equal(query.get('expected_close_date[lte]'), day)
    assert.match(query.get('created_at[gte]')!, /T(15|08|07):00:00.000Z$/)
  })
}

test('The filters in a link’s address are shown by name, as chips and in the dialog', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { user } = (await api.get('/console/session')).body.data
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const stage = (await api.get('/api-v1-stages')).body.data[1]
  const deal = { title: 'Harbour', organization_id: id, stage_id: stage.id, assigned_to: user.id }
  await make(api, 'deal', { title: 'Other' }, deal)
  await openPage(page, `/deals?stage_id=${stage.id}&organization_id=${id}&assigned_to=${user.id}`)

  await page.getByText('1–1 of 1').waitFor()
  for (const chip of [`Stage ${stage.name}`, 'Organization Nordwind', `Owner ${user.full_name}`]) {
    await page.getByRole('button', { name: `Remove filter: ${chip}` }).waitFor()
  }
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  for (const [label, value] of [
    ['Stage', stage.name],
    ['Organization', 'Nordwind'],
    ['Owner', user.full_name],
  ]) {
    await idle(page)
    assert.equal(await page.getByRole('dialog').getByLabel(label, { exact: true }).inputValue(), value)
  }
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await idle(page)
  assert.equal(new URL(page.url()).searchParams.get('organization_id'), id)

  await api.delete(`/api-v1-organizations/${id}`)
  await page.reload()
  await page.getByRole('button', { name: 'Remove filter: Organization (deleted)' }).click()
  await page.getByText('Organization (deleted)').waitFor({ state: 'detached' })
  await page.locator('button:focus', { hasText: 'Filter' }).waitFor()
})

test('An unknown filter in the address is an error, and can be cleared', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Nordwind' })
  await openPage(page, '/organizations?colour=red')

  await page.getByRole('alert').getByText('colour').waitFor()
  await page.getByRole('button', { name: 'Clear filters and order' }).click()

  await page.getByText('Nordwind').waitFor()
  await idle(page)
  assert.equal(new URL(page.url()).search, '')
})

test('A record page links to all of its tasks, which can be searched and filtered', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  const tasks = Array.from({ length: 12 }, (_, n) => ({
    title: `Visit ${n + 1}`,
    organization_id: id,
    ...(n % 2 && { due_date: '2027-01-01' }),
    ...(n < 3 && { status: 'completed', priority: 'high' }),
  }))
  await make(api, 'task', ...tasks, { title: 'Elsewhere' })
  await openPage(page, `/organizations/${id}`)

  await page.getByRole('link', { name: 'Show all 12' }).click()
  await page.getByText('12 tasks').waitFor()
  await idle(page)
  assert.equal((await tasksIn(page)).length, 12)
  await page.getByRole('button', { name: 'Remove filter: Organization Nordwind' }).waitFor()
  await page.getByRole('searchbox').fill('visit 1')
  await page.getByText('4 tasks').waitFor()
  await idle(page)
  assert.deepEqual((await tasksIn(page)).toSorted(), ['Visit 1', 'Visit 10', 'Visit 11', 'Visit 12'])

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Priority').selectOption('high')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('1 task', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'All open' }).click()
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
})

test('A list is marked as busy as soon as its address changes', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'organization', { name: 'Alpha' })
  await openPage(page, '/organizations')
  await page.locator('.card[aria-busy=false]').waitFor()
  await page.route(/sort=name/, () => {}) // which stays unanswered

  const busy = await page.evaluate(`(async () => {
    for (const button of document.querySelectorAll('thead button')) if (button.innerText === 'Name') button.click()
    await new Promise(requestAnimationFrame)
    return [location.search, document.querySelector('.card').getAttribute('aria-busy')]
  })()`)

  assert.deepEqual(busy, ['?sort=name', 'true'])
})
