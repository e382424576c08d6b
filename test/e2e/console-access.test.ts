import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { type Console, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { follow, openPage } from '../support/page.ts'
import { violationsOn } from './axe.ts'

const skip = withoutBrowser

/** Creates a record of each resource. Returns the paths of all pages. */
async function fill({ api }: Console): Promise<string[]> {
  const { user } = (await api.get('/console/session')).body.data
  const about = await make(api, 'organization', {
    name: 'Nordwind',
    status: 'active',
    domain: 'nordwind.example',
  })
  const contact = await make(api, 'contact', {
    ...{ first_name: 'Grace', organization_id: about.id },
    emails: [{ email: 'grace@nordwind.example' }],
    phones: [{ phone_number: '+49 30 1234' }],
  })
  const deal = await make(api, 'deal', { title: 'New warehouse', value: 1_000, organization_id: about.id })
  const task = {
    title: 'Call back',
    assigned_to: user.id,
    due_date: '2026-01-01',
    priority: 'urgent',
    deal_id: deal.id,
  }
  await make(api, 'task', task)
  await make(api, 'activity', { type: 'call', subject: 'First call', contact_id: contact.id })
  const key = await make(api, 'api_key', { name: 'CI', scopes: ['read:all'] })
  await api.post('/console/users', { full_name: 'Grace', email: 'grace@acme.example' })
  const deleted = await make(api, 'contact', { first_name: 'Alan' })
  await api.delete(`/api-v1-contacts/${deleted.id}`)
  await api.patch(`/api-v1-deals/${deal.id}`, { value: 2_000, metadata: { source: 'fair' } })
  await api.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Edsger' }] })
  const webhook = await make(api, 'webhook', { url: 'https://receiver.example/kontor', events: ['stage.*'] })
  await api.post(`/api-v1-webhooks/${webhook.id}/ping`)
  return [
    ...[
      '/',
      '/reports',
      '/pipeline',
      '/tasks',
      '/organizations',
      '/contacts',
      '/deals',
      '/activities',
      '/import',
      '/keys',
    ],
    ...[`/organizations/${about.id}`, `/contacts/${contact.id}`, `/deals/${deal.id}`, `/keys/${key.id}`],
    ...['/webhooks', `/webhooks/${webhook.id}`, '/trash', `/contacts/${deleted.id}`, `/deals/${deal.id}?show=history`],
    ...['/settings', '/settings/company', '/settings/stages', '/settings/fields', '/settings/users', '/test'],
  ]
}

for (const [width, locale, colorScheme, go] of [
  [1280, 'en-GB', 'light', openPage],
  [360, 'de-DE', 'dark', follow], // the longer words
] as const) {
  test(`At ${width} px in ${locale}, ${colorScheme}, no page has axe violations or is wider than the screen`, {
    skip,
  }, async (t) => {
    const opened = await openConsole(t, { width, locale })
    const { page } = opened
    const paths = await fill(opened)
    await page.emulateMedia({ colorScheme })
    await openPage(page, '/settings')
    for (const path of paths) {
      await go(page, path)
      assert.deepEqual(await violationsOn(page), [], path)
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(wider) <= 0, `${path} is ${wider} px wider than the screen`)
    }
    assert.deepEqual(opened.complaints, [])
  })
}

test('An organization and a contact of it can be created with the keyboard alone', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await openPage(page, '/organizations')
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = () => page.evaluate("document.activeElement?.textContent?.trim() ?? ''")
  const tabTo = async (text: string) => {
    for (let n = 0; n < 60; n++) {
      await press('Tab')
      if ((await focused()) === text) return
    }
    assert.fail(`${text} is not reached by the keyboard`)
  }

  await tabTo('New organization')
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Nordwind')
  await press('Enter')
  await page.getByRole('heading', { name: 'Nordwind' }).waitFor()
  await tabTo('Contacts')
  await press('Enter')
  await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
  await tabTo('New contact')
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Grace')
  await press('Tab', 'Tab', 'Tab')
  await page.keyboard.type('nord')
  await page.locator('[role=option]', { hasText: 'Nordwind' }).waitFor()
  await press('ArrowDown', 'Enter')
  await tabTo('Create contact')
  await press('Enter')
  await page.getByRole('heading', { name: 'Grace' }).waitFor()

  const [contact] = (await api.get('/api-v1-contacts?include=organization')).body.data
  assert.equal(contact.organization.name, 'Nordwind')
})
