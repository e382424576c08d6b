import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertInvitation } from '../../src/access/invitation.ts'
import { lookupOwnerId } from '../../src/access/user.ts'
import { closeBrowser, openScreen, withoutBrowser as skip } from '../support/browser.ts'
import { openSandbox } from '../support/sandbox.ts'

after(closeBrowser)

test('The console shows the demo by the sandbox’s clock: tasks are due today, and none is months late', {
  skip,
}, async (t) => {
  const { url, store } = await openSandbox(t, 'demo')
  const token = await store.writeAccess((tx) => insertInvitation(tx, lookupOwnerId(tx)!))
  const { page, complaints } = await openScreen(t, url, { timeZone: 'UTC' })

  await page.goto(`/test/invitation#${token}`)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  await page.goto('/test/tasks')

  await page
    .getByRole('main')
    .getByText(/^today/)
    .first()
    .waitFor()
  const text = await page.getByRole('main').innerText()
  assert.doesNotMatch(text, /months? ago|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug) 2026/)
  assert.deepEqual(complaints, [])
})
