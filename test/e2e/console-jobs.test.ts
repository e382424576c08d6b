import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { countInputs, idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

// The jobs of every day, in clicks and keys; what is typed does not count. Others are in console-references and console-log-call.

test('A follow-up task on the page of a deal takes four clicks, and no digits', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, `/deals/${id}`)
  const walk = countInputs(page)

  await walk.click(page.getByLabel('Subject'))
  await page.getByLabel('Subject').fill('Call back')
  await walk.click(page.getByRole('button', { name: 'Task', exact: true }))
  await walk.click(page.getByRole('form').getByRole('button', { name: 'in 3 days' }))
  await walk.click(page.getByRole('form').getByRole('button', { name: 'Add task' }))
  await page.getByText('Task added.').waitFor()

  assert.ok(walk.count <= 4, `${walk.count} clicks and keys`)
  const [task] = (await api.get('/api-v1-tasks')).body.data
  assert.deepEqual([task.title, task.deal_id, typeof task.due_date], ['Call back', id, 'string'])
})

test('A part of a phone number finds its contact with two keys, and shows the number', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const phones = [{ phone_number: '+49 89 1234567' }]
  const { id } = await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber', phones })
  await openPage(page, '/reports')
  const walk = countInputs(page)

  await walk.press('Control+k')
  await page.getByRole('combobox', { name: 'Search all records' }).fill('23456')
  await page.getByRole('option', { name: /Ada Weber.*1234567/, selected: true }).waitFor()
  await walk.press('Enter')
  await page.getByRole('heading', { name: 'Ada Weber' }).waitFor()

  assert.ok(walk.count <= 2, `${walk.count} clicks and keys`)
  assert.ok(page.url().endsWith(`/contacts/${id}`))
})

test('One click opens the home page with the forecast of this month, and its amount links to those deals', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/reports')
  const month = await page.evaluate<string>("new Date().toLocaleDateString('sv').slice(0, 7)")
  for (const deal of [
    { title: 'Sooner', value: 1_000, probability: 50, expected_close_date: `${month}-02` },
    { title: 'Later', value: 4_000, probability: 50, expected_close_date: '2999-01-01' },
  ]) {
    await make(api, 'deal', deal)
  }
  const walk = countInputs(page)

  await walk.click(page.getByRole('link', { name: 'Home', exact: true }))
  const tile = page.locator('.tile', { hasText: 'Forecast of this month' })
  await tile.getByRole('link', { name: '€500' }).waitFor()
  assert.ok(walk.count <= 1, `${walk.count} clicks and keys`)
  await tile.getByRole('link').click()
  await page.getByRole('table').getByRole('link', { name: 'Sooner' }).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('link', { name: 'Later' }).count(), 0)
})

for (const [job, button, choose] of [
  ['Twenty deals get another owner', 'Assign', { combobox: 'Owner', text: 'Bea', option: /^Bea Kern/ }],
  ['Twenty deals get another close date', 'Set field', { field: 'Closes on', label: 'Closes on', text: '2027-03-28' }],
  ['Twenty deals get another probability', 'Set field', { field: 'Probability', label: 'Probability', text: '40' }],
] as const) {
  test(`${job} with three clicks and three keys`, { skip }, async (t) => {
    const { api, page } = await openConsole(t)
    await api.post('/console/users', { full_name: 'Bea Kern', email: `bea.${Date.now()}@acme.example` })
    for (let at = 0; at < 20; at++) await make(api, 'deal', { title: `Deal ${at}` })
    await openPage(page, '/deals')
    const dialog = page.getByRole('dialog')
    const walk = countInputs(page)

    await walk.click(page.getByRole('checkbox', { name: 'Select this page' }))
    await walk.click(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: button }))
    if ('combobox' in choose) {
      await dialog.getByRole('combobox', { name: choose.combobox }).fill(choose.text)
      await dialog.getByRole('option', { name: choose.option }).waitFor()
      await walk.press('Enter')
      await idle(page) // the dialog grows by what it says of the change
    } else {
      walk.count++
      await dialog.getByLabel('Field').selectOption({ label: choose.field })
      await dialog.getByLabel(choose.label).fill(choose.text)
    }
    await walk.click(dialog.getByRole('button', { name: /^Change/ }))
    await page.locator('.toast', { hasText: '20 deals changed.' }).waitFor()

    assert.ok(walk.count <= 6, `${walk.count} clicks and keys`)
  })
}
