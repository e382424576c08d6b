import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, withoutBrowser } from '../support/browser.ts'
import { make, openConsole } from '../support/console.ts'
import { targetsOf } from '../support/reads.ts'

const skip = withoutBrowser
after(closeBrowser)

/** How many requests for data a page may make before it shows them, with that for the stream of changes. */
const requestsMax = 3

test('Every page needs at most three requests for data to load', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id: organization_id } = await make(api, 'api-v1-organizations', { name: 'Nordwind' })
  const { id: contact_id } = await make(api, 'api-v1-contacts', { first_name: 'Grace', organization_id })
  const { id: deal_id } = await make(api, 'api-v1-deals', { title: 'Hampers', organization_id, contact_id })
  const { id: task_id } = await make(api, 'api-v1-tasks', { title: 'Call back', deal_id })
  let asked: string[][] = []
  page.on('request', (request) => {
    const targets = targetsOf(request.url())
    if (targets.some((target) => /^\/(api-v1-|console\/)/.test(target))) asked.push(targets)
  })
  const paths = [
    '',
    'pipeline',
    'organizations',
    'contacts',
    'deals',
    'tasks',
    'activities',
    'keys',
    'webhooks',
    'trash',
  ]
  const records = [`organizations/${organization_id}`, `contacts/${contact_id}`, `deals/${deal_id}`, `tasks/${task_id}`]
  for (const path of [...paths, ...records, 'settings', 'settings/fields', 'import', 'contacts/duplicates']) {
    asked = []
    await page.goto(`/${path}`)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.bone').first().waitFor({ state: 'detached' })
    assert.ok(asked.length <= requestsMax, `/${path}: ${JSON.stringify(asked, null, 2)}`)
  }
})
