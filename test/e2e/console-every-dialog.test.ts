import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { violationsOn } from './axe.ts'
import { visitDialogs } from './dialogs.ts'
import { namelessOn } from './nameless.ts'

const skip = withoutBrowser

const pages = [
  ...['/', '/pipeline', '/deals?value[gte]=0', '/contacts', '/tasks?show=open', '/reports', '/keys', '/webhooks'],
  ...['/trash', '/settings/account', '/settings/company', '/settings/users', '/settings/stages', '/settings/fields'],
]

for (const [mode, options, forcedColors] of [
  ['in English, light, at 360 px', { width: 360 }, undefined],
  ['in German, dark, at 200 %', { width: 640, locale: 'de-DE', theme: 'dark' }, undefined],
  ['with forced colors', { width: 360 }, 'active'],
] as const) {
  test(`What the buttons of every page open has no axe violations, and each of its controls a visible name: ${mode}`, {
    skip,
  }, async (t) => {
    const { api, page, complaints } = await openConsole(t, { ...options, fresh: true })
    const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
    const { id: contact_id } = await make(api, 'contact', { first_name: 'Ada', organization_id })
    const { id: deal_id } = await make(api, 'deal', { title: 'Coaches', value: 100, organization_id, contact_id })
    await make(api, 'task', { title: 'Call', deal_id, due_date: '2026-01-01' })
    await make(api, 'api_key', { name: 'Sync', scopes: ['read:all'] })
    await make(api, 'field', { resource: 'deal', key: 'sector', label: 'Sector', type: 'text' })
    if (forcedColors) await page.emulateMedia({ forcedColors })
    const found: string[] = []
    let count = 0
    await visitDialogs(page, [...pages, `/deals/${deal_id}`, `/contacts/${contact_id}?show=history`], async (what) => {
      count++
      const violations = forcedColors ? [] : await violationsOn(page)
      found.push(...[...violations, ...(await namelessOn(page))].map((each) => `${what}: ${each}`))
    })

    assert.deepEqual(found, [])
    assert.ok(count > 20, `only ${count} dialogs`)
    assert.deepEqual(complaints, [])
  })
}
