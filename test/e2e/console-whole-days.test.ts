import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole, setTime } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** 23 November there, with two moments of that day: the first one has passed. In New York it is the 24th in UTC. */
const places = [
  { timeZone: 'Asia/Tokyo', now: '2026-11-23T03:00:00Z', moments: ['2026-11-23T02:00:00Z', '2026-11-23T13:00:00Z'] },
  {
    timeZone: 'America/New_York',
    now: '2026-11-24T02:00:00Z',
    moments: ['2026-11-24T00:30:00Z', '2026-11-24T04:00:00Z'],
  },
]

for (const { timeZone, now, moments } of places) {
  test(`In ${timeZone}, a task that is due at midnight UTC is due on that calendar day, without a time`, {
    skip,
  }, async (t) => {
    const { api, page } = await openConsole(t, { timeZone, fresh: true })
    const { user } = (await api.get('/console/session')).body.data
    const { id: deal_id } = await make(api, 'deal', { title: 'Hampers' })
    const add = (title: string, due_date: string, of = {}) =>
      make(api, 'task', { title, due_date, assigned_to: user.id, ...of })
    await add('Yesterday', '2026-11-22')
    const { id } = await add('All day', '2026-11-23', { deal_id })
    await add('Next day', '2026-11-24')
    await add('Earlier', moments[0]!)
    await add('Later', moments[1]!)
    await setTime(page, now)
    const stored = async () => (await api.get(`/api-v1-tasks/${id}`)).body.data
    const main = page.getByRole('main')
    const titles = async () => (await main.locator('.task .grow > a').allInnerTexts()).sort()
    const row = (title: string) => main.locator('.task', { hasText: title }).locator('.small').first().innerText()
    const tab = async (name: string, count: number) => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByText(`${count} tasks`, { exact: true }).waitFor()
      await idle(page)
    }

    await openPage(page, '/')
    await page.getByRole('link', { name: '4 tasks due' }).waitFor()
    assert.deepEqual(await titles(), ['All day', 'Earlier', 'Later', 'Yesterday'])
    await page.getByRole('link', { name: '4 tasks due' }).click()
    await page.getByText('4 tasks', { exact: true }).waitFor()

    await openPage(page, '/tasks')
    await page.getByText('5 tasks').waitFor()
    const headings = await main.getByRole('heading', { level: 2 }).allInnerTexts()
    assert.deepEqual(headings, ['Overdue 2', 'Today 2', 'Tomorrow 1'])
    assert.deepEqual(
      [await row('Yesterday'), await row('All day'), await row('Next day')],
      ['was due yesterday', 'due today · Hampers', 'due tomorrow'],
    )
    await tab('Due today', 3)
    assert.deepEqual(await titles(), ['All day', 'Earlier', 'Later'])
    await tab('Overdue', 2)
    assert.deepEqual(await titles(), ['Earlier', 'Yesterday'])

    for (const [operator, found] of Object.entries({ gt: [], lt: ['Yesterday'] })) {
      await follow(page, `/tasks?due_date%5B${operator}%5D=2026-11-23`)
      const others = (await titles()).filter((title) => title !== 'Next day')
      assert.deepEqual(others, found, operator)
    }

    await openPage(page, '/pipeline')
    const due = main.locator('.next-task').getByText('23 Nov 2026', { exact: true })
    assert.equal(await due.getAttribute('class'), 'muted')
    await openPage(page, `/deals/${deal_id}`)
    assert.equal(await main.locator('.key-facts .next .muted').innerText(), 'today')

    await openPage(page, `/tasks/${id}`)
    const time = main.locator('time[title="23 Nov 2026"]').first()
    assert.equal(await time.innerText(), 'today')
    assert.equal(await main.getByText('Overdue:').count(), 0)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await idle(page)
    assert.equal(await dialog.getByLabel('Due date (optional)', { exact: true }).inputValue(), '2026-11-23')
    assert.equal(await dialog.getByLabel('Due date: time').inputValue(), '')
    await dialog.getByLabel('Title').fill('The whole day')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual([(await stored()).title, (await stored()).due_date], ['The whole day', '2026-11-23T00:00:00.000Z'])

    await openPage(page, '/tasks')
    await page.getByRole('button', { name: 'Move to tomorrow: The whole day' }).click()
    await page.getByRole('region', { name: 'Tomorrow', exact: true }).getByText('The whole day').waitFor()
    const moved = new Date((await stored()).due_date)
    assert.equal(moved.toLocaleString('sv-SE', { timeZone }), '2026-11-24 23:59:59')
    await openPage(page, `/tasks/${id}`)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('23 Nov 2026', { exact: true }).waitFor()
  })
}
