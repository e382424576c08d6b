import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { openPage } from '../support/page.ts'

test('At 360 px, the buttons of each stage and pipeline are side by side', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 360 })
  await api.post('/api-v1-pipelines', { name: 'Partners' })
  await openPage(page, '/settings/stages')
  const rows = await page.getByRole('main').getByRole('listitem').all()
  const lines = await Promise.all(
    rows.map((row) =>
      row
        .getByRole('button')
        .evaluateAll((buttons) => new Set(buttons.map((button) => button.getBoundingClientRect().top)).size),
    ),
  )
  assert.ok(lines.length > 7)
  assert.deepEqual([...new Set(lines)], [1])
})
