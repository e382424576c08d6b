import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

/** The label of the focused element, and what describes it. */
function focused(page: Page): Promise<{ label: string; description: string | undefined }> {
  return page.evaluate(`(() => {
    const { activeElement } = document
    const description = document.getElementById(activeElement.getAttribute('aria-describedby'))?.textContent
    return { label: activeElement.textContent, description }
  })()`)
}

test('A question begins at the answer that changes nothing, which screen readers read with the consequences', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'webhook', { url: 'https://example.com/hook', events: ['*'] })
  await openPage(page, `/webhooks/${id}`)
  await page.getByRole('button', { name: 'Disable' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()

  const { label, description } = await focused(page)
  assert.equal(label, 'Cancel')
  assert.equal(description, await page.getByRole('dialog').locator('p').innerText())

  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal((await focused(page)).label, 'Disable')
})

test('After a failure, the focus is on the button that was pressed, and Shift+Tab stays in the dialog', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { stage } = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, '/settings/stages')
  await page.getByRole('button', { name: `Delete ${stage.name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Stage has deals').waitFor()
  await idle(page)

  assert.equal((await focused(page)).label, 'Delete')
  await page.keyboard.press('Shift+Tab')
  assert.equal((await focused(page)).label, 'Cancel')
})
