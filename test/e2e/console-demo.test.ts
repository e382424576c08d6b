import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { openSandboxConsole } from './sandbox-console.ts'

test('The console shows the demo by the sandbox’s clock: tasks are due today, and none is months late', {
  skip,
}, async (t) => {
  const { page, complaints } = await openSandboxConsole(t, 'demo')
  await openPage(page, '/test/tasks')

  await page
    .getByRole('main')
    .getByText(/^today/)
    .first()
    .waitFor()
  const text = await page.getByRole('main').innerText()
  assert.doesNotMatch(text, /months? ago|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug) 2026/)
  assert.deepEqual(complaints, [])
})
