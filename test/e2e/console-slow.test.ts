import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { closeBrowser, withoutBrowser } from '../support/browser.ts'
import { make, openConsole } from '../support/console.ts'

const skip = withoutBrowser
after(closeBrowser)

/** Leaves requests of a method unanswered until the returned function is called. */
async function hold(page: Page, path: string, method: string): Promise<(end: 'continue' | 'abort') => void> {
  const { promise: answered, resolve: answer } = Promise.withResolvers<'continue' | 'abort'>()
  await page.route(path, async (route: Route) => {
    if (route.request().method() === method && (await answered) === 'abort') await route.abort()
    else await route.continue()
  })
  return answer
}

for (const [end, note, kept] of [
  ['continue', 'The activity is logged', ''],
  ['abort', 'Not logged: The server cannot be reached', 'Wants 200'],
] as const) {
  test(`An activity that is being sent is no draft for a user who comes back meanwhile: ${note}`, {
    skip,
  }, async (t) => {
    const { api, page } = await openConsole(t)
    const { id } = await make(api, 'api-v1-organizations', { name: 'Meyer' })
    const answer = await hold(page, '**/api-v1-activities', 'POST')
    const text = page.getByLabel('What happened')
    const visit = async () => {
      await page.getByRole('link', { name: 'Organizations' }).first().click()
      await page.getByRole('link', { name: 'Meyer' }).click()
      await page.getByRole('heading', { name: 'Meyer' }).waitFor()
    }
    await page.goto(`/organizations/${id}`)
    await text.fill('Wants 200')
    await page.getByRole('button', { name: 'Log call' }).click()
    await page.locator('form[aria-busy="true"]').waitFor()

    await visit()
    assert.equal(await text.inputValue(), '')
    answer(end)
    await page.locator('.toast', { hasText: note }).waitFor()
    await visit()

    assert.equal(await text.inputValue(), kept)
  })
}

test('After an activity is logged by Enter, the focus is where it was', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'api-v1-organizations', { name: 'Meyer' })
  await page.goto(`/organizations/${id}`)
  await page.getByLabel('Subject').fill('Offer')
  await page.keyboard.press('Enter')
  await page.getByRole('list').getByText('Offer').waitFor()

  await page.keyboard.type('Next')

  assert.equal(await page.getByLabel('Subject').inputValue(), 'Next')
})

test('A delete that is under way cannot be cancelled, and takes its user nowhere else', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'api-v1-organizations', { name: 'Meyer' })
  await page.goto(`/organizations/${id}`)
  const answer = await hold(page, `**/api-v1-organizations/${id}`, 'DELETE')
  const question = page.getByRole('dialog', { name: 'Delete Meyer?' })
  await page.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()

  await page.keyboard.press('Escape')
  assert.ok(await question.getByRole('button', { name: 'Cancel' }).isDisabled())
  answer('continue')

  await page.getByRole('heading', { name: 'Organizations', exact: true }).waitFor()
})
