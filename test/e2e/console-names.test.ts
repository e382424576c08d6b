import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, openPage } from '../support/page.ts'
import { namelessOn, namelessWithForcedColors } from './nameless.ts'

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

type Go = (page: Page, path: string) => Promise<void>

/** Goes to each page, where `check` returns the controls without a name. */
async function assertNames(t: TestContext, width: number, go: Go, check: typeof namelessOn) {
  const { api, page } = await openConsole(t, { width })
  const organization = await make(api, 'organization', { name: 'Nordwind' })
  const deal = await make(api, 'deal', { title: 'Coaches', value: 100, organization_id: organization.id })
  await make(api, 'contact', { first_name: 'Ada', organization_id: organization.id })
  await make(api, 'task', { title: 'Call', deal_id: deal.id })
  const found: string[] = []
  await openPage(page, '/settings')
  for (const path of [...pages, `/deals/${deal.id}`, `/organizations/${organization.id}`]) {
    await go(page, path)
    found.push(...(await check(page)).map((control) => `${path}: ${control}`))
  }
  assert.deepEqual(found, [])
}

test('Every control has a visible name on a screen of 360 px, also with forced colors', { skip }, (t) =>
  assertNames(t, 360, openPage, async (page) => [
    ...(await namelessOn(page)),
    ...(await namelessWithForcedColors(page)),
  ]),
)

test('Every control has a visible name at 200 %', { skip }, (t) => assertNames(t, 640, follow, namelessOn))
