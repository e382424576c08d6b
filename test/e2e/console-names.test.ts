import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { namelessOn } from './nameless.ts'

const skip = withoutBrowser

const pages = [
  ...[
    '/',
    '/pipeline',
    '/deals',
    '/organizations',
    '/contacts',
    '/tasks',
    '/activities',
    '/reports',
    '/proposals',
    '/inbox',
  ],
  ...['/keys', '/webhooks', '/agents', '/trash', '/import?into=contact', '/contacts/duplicates', '/settings/account'],
  ...[
    '/settings/company',
    '/settings/users',
    '/settings/stages',
    '/settings/fields',
    '/settings/mail',
    '/settings/plan',
  ],
]

async function assertNames(t: TestContext, width: number, set: (page: Page) => Promise<void> = async () => {}) {
  const { api, page } = await openConsole(t, { width, fresh: true })
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  const deal = await make(api, 'deal', { title: 'Coaches', value: 100, organization_id: organization.id })
  await make(api, 'contact', { first_name: 'Ada', organization_id: organization.id })
  await make(api, 'task', { title: 'Call', deal_id: deal.id })
  await set(page)
  const found: string[] = []
  for (const path of [...pages, `/deals/${deal.id}`, `/organizations/${organization.id}`]) {
    await openPage(page, path)
    found.push(...(await namelessOn(page)).map((control) => `${path}: ${control}`))
  }
  assert.deepEqual(found, [])
}

test('Every control has a visible name on a screen of 360 px', { skip }, (t) => assertNames(t, 360))

test('Every control has a visible name at 200 %', { skip }, (t) => assertNames(t, 640))

test('Every control has a visible name with forced colors', { skip }, (t) =>
  assertNames(t, 360, (page) => page.emulateMedia({ forcedColors: 'active' })),
)
