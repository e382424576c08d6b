import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare, ofEachType } from '../support/declare.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

/** Opens the form of a condition, and chooses its field and comparison. */
async function compare(page: Page, field: string, comparison: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Field').selectOption({ label: field })
  await dialog.getByLabel('Comparison').selectOption({ label: comparison })
  return dialog
}

const add = (page: Page) => page.getByRole('button', { name: 'Condition', exact: true }).click()

/** Applies the condition of the open form. Returns what the list then has. */
async function apply(page: Page): Promise<string[]> {
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await idle(page)
  return (await page.locator('.records tbody [data-column=title]').allInnerTexts()).map((text) => text.trim()).sort()
}

test('Conditions are added one by one, and a click on one changes it', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  for (const [title, value] of [
    ['Small', 100],
    ['Medium', 200],
    ['Large', 300],
  ] as const) {
    await make(api, 'deal', { title, value })
  }
  await openPage(page, '/deals')

  await add(page)
  await (await compare(page, 'Value', 'is more than')).getByLabel('Value', { exact: true }).fill('100')
  assert.deepEqual(await apply(page), ['Large', 'Medium'])
  await add(page)
  await (await compare(page, 'Value', 'is up to')).getByLabel('Value', { exact: true }).fill('200')
  assert.deepEqual(await apply(page), ['Medium'])

  await page.getByRole('button', { name: 'Value after 100', exact: true }).click()
  const dialog = await compare(page, 'Title', 'is not')
  await dialog.getByLabel('Value', { exact: true }).fill('Small')
  assert.deepEqual(await apply(page), ['Medium'])
  assert.deepEqual(
    [...new URL(page.url()).searchParams],
    [
      ['value[lte]', '200'],
      ['title[ne]', 'Small'],
    ],
  )
  await page.getByRole('button', { name: 'Remove filter: Value to 200' }).click()
  await idle(page)
  assert.equal(await page.locator('.records tbody tr').count(), 2)
})

test('A condition takes several records, several options, nothing, or anything', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const stages = (await api.get('/api-v1-stages')).body.data
  for (const [at, title] of ['First', 'Second', 'Third'].entries()) {
    await make(api, 'deal', { title, stage_id: stages[at].id, ...(at === 0 && { expected_close_date: '2026-06-01' }) })
  }
  await openPage(page, '/deals')

  await add(page)
  const dialog = await compare(page, 'Stage', 'is one of')
  for (const at of [0, 1]) {
    await dialog.getByRole('combobox', { name: 'Value' }).last().fill(stages[at].name)
    await page.getByRole('option', { name: stages[at].name }).click()
    await idle(page)
  }
  assert.deepEqual(await apply(page), ['First', 'Second'])
  await add(page)
  await compare(page, 'Closes on', 'is empty')
  assert.deepEqual(await apply(page), ['Second'])
  await page.getByRole('button', { name: 'Closes on none', exact: true }).click()
  await compare(page, 'Closes on', 'is not empty')
  assert.deepEqual(await apply(page), ['First'])

  for (const [title, priority] of [
    ['Soon', 'urgent'],
    ['Later', 'low'],
    ['Sometime', 'medium'],
  ] as const) {
    await make(api, 'task', { title, priority })
  }
  await openPage(page, '/tasks?show=all')
  await add(page)
  const options = await compare(page, 'Priority', 'is one of')
  for (const option of ['Urgent', 'Low']) await options.getByRole('checkbox', { name: option }).check()
  await options.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Priority in Low, Urgent', exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('priority[in]'), 'low,urgent')
})

/** A value for each kind of field; otherwise, a text. */
const samples: Record<string, string> = {
  ...{ date: '2026-06-01', timestamp: '2026-06-01', moment: '2026-06-01', number: '1', position: '1', flag: 'true' },
  ...{ email: 'ada@acme.example', phone: '+498912345', reference: '01900000-0000-7000-8000-000000000000' },
}

test('Every comparison that is offered is one that the API has', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'deal', ...ofEachType)
  const { resources, declared } = (await api.get('/console/description')).body.data
  for (const resource of ['organization', 'contact', 'deal', 'task', 'activity']) {
    const { path, page: list, fields, unshown } = resources.find(({ name }: { name: string }) => name === resource)
    await openPage(page, resource === 'task' ? `${list}?show=all` : list)
    await add(page)
    const field = page.getByRole('dialog').getByLabel('Field')
    const comparison = page.getByRole('dialog').getByLabel('Comparison')
    const namesIn = (select: typeof field) =>
      select.locator('option').evaluateAll((options) => options.map((option) => option.getAttribute('value')!))
    for (const name of await namesIn(field)) {
      await field.selectOption(name)
      const known = [...fields, ...unshown, ...(declared.live?.[resource] ?? [])].find((each) => each.name === name)
      const value = known?.options?.[0] ?? samples[known?.kind ?? name] ?? 'a'
      for (const each of await namesIn(comparison)) {
        const nulls: Record<string, string> = { empty: `${name}=null`, filled: `${name}[ne]=null` }
        const query = nulls[each] ?? `${name}[${each}]=${value}`
        const { status, body } = await api.get(`/${path}?${query}`)
        assert.equal(status, 200, `${path}?${query}: ${JSON.stringify(body.error)}`)
      }
    }
  }
})

test('Deals are found by their pipeline, by anybody on them and by whether they are stale, each shown with its name', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: pipeline_id } = await make(api, 'pipeline', { name: 'Partners' })
  const { id: stage_id } = await make(api, 'stage', { name: 'Signed up', pipeline_id })
  const { id: contact_id } = await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  await make(api, 'deal', { title: 'Reseller', stage_id, contact_id }, { title: 'Hampers' })

  for (const [field, text, name] of [
    ['Pipeline', 'Part', 'Partners'],
    ['People', 'Ada', 'Ada Weber'],
  ] as const) {
    await openPage(page, '/deals')
    await add(page)
    await (await compare(page, field, 'is')).getByLabel('Value', { exact: true }).fill(text)
    await page.getByRole('option', { name }).click()
    assert.deepEqual(await apply(page), ['Reseller\nAda Weber'])
    await page.getByRole('button', { name: `${field} ${name}`, exact: true }).waitFor()
  }
  await openPage(page, '/deals')
  await add(page)
  await (await compare(page, 'Stale', 'is')).getByLabel('Value', { exact: true }).selectOption('false')
  assert.equal((await apply(page)).length, 2)
  await page.getByRole('button', { name: 'Stale No', exact: true }).waitFor()
})
