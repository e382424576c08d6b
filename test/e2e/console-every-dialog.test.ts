import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { violationsOn } from './axe.ts'
import { visitDialogs } from './dialogs.ts'
import { namelessOn, namelessWithForcedColors } from './nameless.ts'

const skip = withoutBrowser

const deal = '/deals/:deal'
const contact = '/contacts/:contact?show=history'
const pages = {
  'lists and the board': ['/', '/pipeline', '/deals?value[gte]=0', '/contacts', '/tasks?show=open', '/trash', '/inbox'],
  'records, reports and keys': [deal, contact, '/reports', '/keys', '/webhooks'],
  'the settings': ['account', 'company', 'users', 'stages', 'fields', 'mail'].map((page) => `/settings/${page}`),
}

for (const [mode, options, withForcedColors] of [
  ['in English, light and with forced colors, at 360 px', { width: 360 }, true],
  ['in German, dark, at 200 %', { width: 640, locale: 'de-DE', theme: 'dark' }, false],
] as const) {
  for (const [where, paths] of Object.entries(pages)) {
    test(`What the buttons of ${where} open has no axe violations, and each control a visible name: ${mode}`, {
      skip,
    }, async (t) => {
      const { api, page, complaints } = await openConsole(t, { ...options, fresh: true })
      const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
      const { id: contact_id } = await make(api, 'contact', { first_name: 'Ada', organization_id })
      const { id: deal_id } = await make(api, 'deal', { title: 'Coaches', value: 100, organization_id, contact_id })
      await make(api, 'task', { title: 'Call', deal_id, due_date: '2026-01-01' })
      await make(api, 'api_key', { name: 'Sync', scopes: ['read:all'] })
      await make(api, 'field', { resource: 'deal', key: 'sector', label: 'Sector', type: 'text' })
      const found: string[] = []
      let count = 0
      const targets = paths.map((path) => path.replace(':deal', deal_id!).replace(':contact', contact_id!))
      await visitDialogs(page, targets, async (what) => {
        count++
        const faults = [...(await violationsOn(page)), ...(await namelessOn(page))]
        if (withForcedColors) faults.push(...(await namelessWithForcedColors(page)))
        found.push(...faults.map((each) => `${what}: ${each}`))
      })

      assert.deepEqual(found, [])
      assert.ok(count >= paths.length, `only ${count} dialogs`)
      assert.deepEqual(complaints, [])
    })
  }
}
