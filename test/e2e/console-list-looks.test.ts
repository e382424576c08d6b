import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, setTime } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Compact rows are 36 px high, and stay chosen for all lists', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  const { id: organization_id } = await make(api, 'organization', {
    name: 'Nordwind',
    domain: 'nordwind.example',
    city: 'Hamburg',
  })
  const phones = [{ phone_number: '+49 40 1' }]
  await make(
    api,
    'contact',
    { first_name: 'Grace', job_title: 'Buyer', organization_id, phones },
    { first_name: 'Ada' },
  )
  await make(api, 'deal', { title: 'Hampers', organization_id }, { title: 'Coaches', organization_id })
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'Compact rows' }).click()

  for (const path of ['/contacts', '/organizations', '/deals']) {
    await openPage(page, path)
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().height)))
    assert.ok(heights.length > 0 && heights.every((height) => height <= 37), `${path}: ${heights}`)
  }
  await page.getByRole('button', { name: 'Roomy rows' }).click()
  await page.getByRole('button', { name: 'Compact rows' }).waitFor()
})

test('The list of contacts shows their phones', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  await make(api, 'contact', { first_name: 'Grace', phones: [{ phone_number: '+49 40 1234567' }] })

  await openPage(page, '/contacts')

  assert.equal(await page.getByRole('link', { name: '+49 40 1234567' }).getAttribute('href'), 'tel:+49 40 1234567')
})

test('What is overdue is marked in lists and on its page, and what is done or won is not', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280, fresh: true })
  const { data: stages } = (await api.get('/api-v1-stages')).body
  const won = stages.find((stage: { kind: string }) => stage.kind === 'won')
  const expected_close_date = '2020-05-05'
  const { id } = await make(api, 'deal', { title: 'Open', expected_close_date })
  await make(
    api,
    'deal',
    { title: 'Won', expected_close_date, stage_id: won.id },
    { title: 'Later', expected_close_date: '2031-05-05' },
    { title: 'Today', expected_close_date: '2026-06-15' },
  )
  const due_date = '2020-05-05T10:00:00Z'
  const { id: task } = await make(api, 'task', { title: 'Call', due_date })

  await setTime(page, '2026-06-15T10:00:00Z')
  await openPage(page, '/deals')
  await page.locator('.records .fault').waitFor()
  assert.deepEqual(await page.locator('tr:has(.fault) th a').allInnerTexts(), ['Open'])
  for (const path of [`/deals/${id}`, `/tasks/${task}`]) {
    await openPage(page, path)
    await page.getByRole('region', { name: 'At a glance' }).locator('.fault').waitFor()
  }
})

test('What is overdue is still marked after the user has looked at the test data', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 1280 })
  const overdue = { title: 'Open', expected_close_date: '2020-05-05' }
  await make(api, 'deal', overdue)
  const inTest = { 'Kontor-Environment': 'test' }
  await api.post('/api-v1-stages', { name: 'Test' }, inTest)
  await api.post('/api-v1-deals', overdue, inTest)

  await openPage(page, '/deals')
  for (const data of ['Test', 'Live']) {
    await page.locator('.records .fault').waitFor()
    await page.getByRole('navigation', { name: 'Data' }).getByRole('link', { name: data }).click()
    await page.locator(`.shell.${data.toLowerCase()}`).waitFor()
  }

  await page.locator('.records .fault').waitFor()
})
