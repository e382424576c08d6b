import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const lineOf = (page: Page) => page.getByRole('region', { name: 'At a glance' })

test('The line under the title of a deal has what is asked first, and each of it is edited there', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  const { id } = await make(api, 'deal', { title: 'Hampers', organization_id, expected_close_date: '2031-12-04' })
  await openPage(page, `/deals/${id}`)
  const line = lineOf(page)
  assert.deepEqual(await line.locator('dt').allInnerTexts(), ['Organization', 'Closes on', 'Owner', 'Next task'])

  await line.getByRole('button', { name: 'Add task' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Call back')
  await page.getByRole('button', { name: 'Create task' }).click()
  await line.getByRole('link', { name: 'Call back' }).waitFor()
  await line.getByText('4 Dec 2031').dblclick()
  await page.getByRole('dialog').getByLabel('Closes on').fill('2031-12-24')
  await page.getByRole('button', { name: 'Save' }).click()

  await line.getByText('24 Dec 2031').waitFor()
})

test('The next task of a deal is changed in the line under its title, which names another one once it is done below', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
  const task = await make(api, 'task', { title: 'Call', due_date: '2031-12-04', deal_id })
  await make(api, 'task', { title: 'Write', due_date: '2031-12-05', deal_id })
  await openPage(page, `/deals/${deal_id}`)
  const line = lineOf(page)

  await line.getByRole('button', { name: 'Change Next task' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Call back')
  await page.getByRole('button', { name: 'Save' }).click()
  await line.getByRole('link', { name: 'Call back' }).waitFor()
  assert.equal((await api.get(`/api-v1-tasks/${task.id}`)).body.data.title, 'Call back')

  const tasks = page.getByRole('region', { name: 'Tasks' })
  await tasks.getByLabel('Complete Call back').click()
  await line.getByRole('link', { name: 'Write' }).waitFor()
  await tasks.getByLabel('Complete Write').click()
  await tasks.getByRole('button', { name: 'Add task' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Visit')
  await page.getByRole('button', { name: 'Create task' }).click()
  await line.getByRole('link', { name: 'Visit' }).waitFor()
})

test('A long title of a deal takes two lines, so that the composer is in sight in a window of 1280 × 800', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  await page.setViewportSize({ width: 1280, height: 800 })
  const { id } = await make(api, 'deal', { title: 'Versicherungsvermittlung für Speditionen '.repeat(6) })

  await openPage(page, `/deals/${id}`)

  const lines = `(() => { const h1 = document.querySelector('h1'); return h1.clientHeight / parseFloat(getComputedStyle(h1).lineHeight) })()`
  assert.equal(Math.floor((await page.evaluate(lines)) as number), 2)
  const box = (await page.getByLabel('Subject').boundingBox())!
  assert.ok(box.y + box.height < 800, `the composer ends at ${box.y + box.height} px`)
})

test('The tab order of a deal follows the eye: down the left column, then down the right one, with details before people', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  await make(api, 'contact', { first_name: 'Grace', organization_id })
  const { id } = await make(api, 'deal', { title: 'Hampers', organization_id })
  for (const [width, regions] of [
    [1280, ['Activity', 'Details', 'People', 'Mail address of the deal', 'Tasks', 'Files', 'Line items']],
    [360, ['People', 'Activity', 'Details', 'Mail address of the deal', 'Tasks', 'Files', 'Line items']],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await openPage(page, `/deals/${id}`)
    await page.getByRole('region', { name: 'Files' }).waitFor()

    const found = await page
      .locator('.record section.card, .record ~ section.card')
      .evaluateAll((all) => all.map((each) => each.ariaLabel))

    assert.deepEqual(found, regions)
  }
})

test('A task shows when it is due, whose it is and to what it belongs above everything; its history is a tab', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
  const { id } = await make(api, 'task', {
    title: 'Call back',
    due_date: '2031-12-04T10:00:00Z',
    deal_id,
    description: 'Soon',
  })
  await openPage(page, `/tasks/${id}`)
  assert.deepEqual(await lineOf(page).locator('dt').allInnerTexts(), ['Due date', 'Assigned to', 'Priority', 'Deal'])
  await page.getByText('Soon').waitFor()
  assert.equal(await page.getByText('Created', { exact: true }).count(), 1) // the field, not an entry of the history

  await page.getByRole('link', { name: 'History' }).click()

  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await idle(page)
  assert.equal(await page.getByText('Soon').count(), 0)
})
