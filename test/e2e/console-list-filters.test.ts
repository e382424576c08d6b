import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { follow, idle, openPage } from '../support/page.ts'

test('The filters of every list open, and close again', { skip }, async (t) => {
  const { page, complaints } = await openConsole(t)
  await openPage(page, '/')
  for (const list of ['organizations', 'contacts', 'deals', 'tasks', 'activities', 'messages', 'files', 'products']) {
    await follow(page, `/${list}`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('dialog', { name: 'Filter' }).waitFor()
    await idle(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  assert.deepEqual(complaints, [])
})

test('Each field of a list can be chosen for a condition', { skip }, async (t) => {
  const { page, complaints } = await openConsole(t)
  for (const list of ['messages', 'deals', 'files']) {
    await openPage(page, `/${list}`)
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    const field = page.getByRole('dialog').getByLabel('Field', { exact: true })
    const options = "[...document.querySelector('dialog select').options].map(({ value }) => value)"
    const names = await page.evaluate<string[]>(options)
    assert.ok(names.length > 5)
    for (const value of names) {
      await field.selectOption(value)
      await idle(page)
    }
    await page.keyboard.press('Escape')
  }
  assert.deepEqual(complaints, [])
})
