import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

const skip = withoutBrowser

/** Lets the scripts of these names not arrive until `end` is called; `lost` has their addresses. */
async function loseScripts(page: Page, names: RegExp) {
  const lost: string[] = []
  let isOver = false
  await page.route(names, (route) => {
    if (isOver) return route.continue()
    lost.push(route.request().url())
    return route.abort()
  })
  return {
    lost,
    end: () => {
      isOver = true
    },
  }
}

test('Scripts that are lost while they load in advance are loaded again when their pages and dialogs open', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  await page.addInitScript('navigator.connection.saveData = false') // loads them in advance
  const scripts = await loseScripts(page, /\/assets\/(board-page|reports-page|record-form)-/)
  await openPage(page, `/organizations/${id}`)
  await until('all are lost', () => new Set(scripts.lost).size, { is: (count) => count === 3 })
  scripts.end()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog', { name: 'Edit organization' }).waitFor()
  await page.keyboard.press('Escape')
  for (const name of ['Pipeline', 'Reports']) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  }
})

test('A page whose script is lost can be tried again, and is when the connection returns', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Nordwind' })
  for (const [path, script, act, shown] of [
    ['/tasks', /board-page-/, () => page.getByRole('link', { name: 'Pipeline', exact: true }).click(), 'New deal'],
    [
      `/organizations/${id}`,
      /record-form-/,
      () => page.getByRole('button', { name: 'Edit', exact: true }).click(),
      'Save',
    ],
  ] as const) {
    for (const again of [
      () => page.getByRole('button', { name: 'Try again' }).click(),
      () => page.evaluate("dispatchEvent(new Event('online'))"),
    ]) {
      const scripts = await loseScripts(page, script)
      await openPage(page, path)
      await act()
      await page.getByText('its script cannot be loaded').waitFor()
      await idle(page)
      scripts.end()
      await again()
      await page.getByRole('button', { name: shown }).waitFor()
      await page.unrouteAll()
    }
  }
})
