import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closeBrowser, withoutBrowser } from '../support/browser.ts'
import { type Console, make, openConsole } from '../support/console.ts'

const skip = withoutBrowser
after(closeBrowser)

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** The violations that axe finds on the page, one line each. `rules` limits the rules that it checks. */
async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  await page.getByText('Loading…').first().waitFor({ state: 'detached' }) // the page before its script
  await page.getByRole('heading', { level: 1 }).waitFor() // a page with a script of its own shows it late
  await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: Violation[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** Creates a record of each resource. Returns the paths of all pages. */
async function fill({ api }: Console): Promise<string[]> {
  const { user } = (await api.get('/console/session')).body.data
  const about = await make(api, 'api-v1-organizations', {
    name: 'Nordwind',
    status: 'active',
    domain: 'nordwind.example',
  })
  const contact = await make(api, 'api-v1-contacts', {
    ...{ first_name: 'Grace', organization_id: about.id },
    emails: [{ email: 'grace@nordwind.example' }],
    phones: [{ phone_number: '+49 30 1234' }],
  })
  const deal = await make(api, 'api-v1-deals', { title: 'New warehouse', value: 1_000, organization_id: about.id })
  const task = {
    title: 'Call back',
    assigned_to: user.id,
    due_date: '2026-01-01',
    priority: 'urgent',
    deal_id: deal.id,
  }
  await make(api, 'api-v1-tasks', task)
  await make(api, 'api-v1-activities', { type: 'call', subject: 'First call', contact_id: contact.id })
  const key = await make(api, 'api-v1-keys', { name: 'CI', scopes: ['read:all'] })
  await api.post('/console/users', { full_name: 'Grace', email: 'grace@acme.example' })
  const deleted = await make(api, 'api-v1-contacts', { first_name: 'Alan' })
  await api.delete(`/api-v1-contacts/${deleted.id}`)
  await api.patch(`/api-v1-deals/${deal.id}`, { value: 2_000, metadata: { source: 'fair' } })
  await api.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Edsger' }] })
  const webhook = await make(api, 'api-v1-webhooks', { url: 'https://receiver.example/kontor', events: ['stage.*'] })
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

for (const [width, locale, themes] of [
  [1280, 'en-GB', 'light and dark'],
  [360, 'en-GB', 'light and dark'],
  [360, 'de-DE', 'light'],
] as const) {
  test(`At ${width} px in ${locale}, ${themes}, no page has axe violations or is wider than the screen`, {
    skip,
  }, async (t) => {
    const opened = await openConsole(t, { width, locale })
    const { page } = opened
    const paths = await fill(opened)
    for (const path of paths) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      assert.deepEqual(await violationsOn(page), [], path)
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(wider) <= 0, `${path} is ${wider} px wider than the screen`)
      if (themes === 'light') continue
      await page.emulateMedia({ colorScheme: 'dark' }) // changes colors only
      assert.deepEqual(await violationsOn(page, ['color-contrast']), [], `${path}, dark`)
    }
    assert.deepEqual(opened.complaints, [])
  })
}

test('Dialogs and the pages before sign-in have no axe violations', { skip }, async (t) => {
  const { api, page, context } = await openConsole(t, { width: 360 })
  const open = async (path: string, button: string) => {
    await page.goto(path)
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await violationsOn(page), [], button)
  }
  await open('/contacts', 'New contact')
  await open('/organizations', 'Filter')
  await make(api, 'api-v1-tasks', { title: 'Call back', due_date: '2026-01-01' })
  await open('/tasks?show=open', 'Reschedule Call back')
  await open('/keys', 'New key')
  await open('/webhooks', 'New webhook')
  await page.getByText('Choose types of Deals').click()
  assert.deepEqual(await violationsOn(page), [], 'the event picker')
  await page.getByRole('button', { name: 'Close' }).click()
  const webhook = await make(api, 'api-v1-webhooks', { url: 'https://receiver.example/', events: ['stage.*'] })
  for (const button of ['Replay', 'Rotate secret']) await open(`/webhooks/${webhook.id}`, button)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Ping' }).click()
  await page.locator('summary', { hasText: 'webhook.ping' }).click()
  await page.getByText('Request', { exact: true }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'a delivery')
  await open('/settings', 'Sign out everywhere')
  const { id } = await make(api, 'api-v1-organizations', { name: 'Nordwind' })
  await open(`/organizations/${id}?show=history`, 'Undo: Created')
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu' }).click()
  assert.deepEqual(await violationsOn(page), [], 'the menu')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search all records' }).fill('nord')
  await page.getByRole('option', { name: 'Nordwind', selected: true }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'the search')
  await page.getByRole('combobox').fill('go')
  await page.getByRole('option', { name: 'Go to Home', selected: true }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'the commands')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(await violationsOn(page), [], 'the keys')

  await context.clearCookies()
  for (const path of ['/', '/setup#nonsense', '/invitation#nonsense']) {
    await page.goto('about:blank')
    await page.goto(path)
    await page.getByRole('heading').waitFor()
    assert.deepEqual(await violationsOn(page), [], path)
  }
})

test('An organization and a contact of it can be created with the keyboard alone', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await page.goto('/organizations')
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
