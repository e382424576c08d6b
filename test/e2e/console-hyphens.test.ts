import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

/** The parts of the text of the element that begins so, as its lines divide it. */
function linesOf(page: Page, selector: string, start: string): Promise<string[]> {
  return page.evaluate(`{
  const elements = [...document.querySelectorAll('${selector}')]
  const node = elements.find(({ textContent }) => textContent.startsWith('${start}')).firstChild
  const parts = []
  let last
  for (let at = 0; at < node.length; at++) {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    const { top, width } = [...range.getClientRects()].at(-1) ?? { width: 0 }
    if (width > 0 && top !== last) parts.push('')
    if (width > 0) last = top
    parts[parts.length - 1] += node.data[at]
  }
  parts
  }`)
}

test('A long label of a fact is divided with hyphens on a phone, and a long name of a stage has a line of its own', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, locale: 'de-DE' })
  const { id } = await make(api, 'deal', { title: 'Hampers', probability: 20 })
  await make(api, 'stage', { name: 'Bedarfsermittlungsgespräch' })
  const label = 'Wirtschaftszweigklassifikation'
  await api.post('/api-v1-fields', { resource: 'deal', key: 'branch', label, type: 'text' })
  await api.patch(`/api-v1-deals/${id}`, { metadata: { branch: 'Schiffbau' } })
  await openPage(page, `/deals/${id}`)
  for (const [start, words] of [
    ['Wahr', 'Wahrscheinlichkeit'],
    ['Wirt', label],
  ] as const) {
    const shown = await linesOf(page, 'dt', start)
    assert.ok(shown.length > 1, `${words} fits one line`)
    assert.ok(
      shown.slice(0, -1).every((line) => line.endsWith('\u00AD')),
      JSON.stringify(shown),
    )
    assert.equal(shown.join('').replaceAll('\u00AD', ''), words)
  }

  await openPage(page, '/settings/stages')
  await idle(page)
  await page.getByText('Bedarfsermittlungsgespräch').waitFor()
  assert.equal((await linesOf(page, '.list .grow', 'Bedarf')).length, 1)
})
