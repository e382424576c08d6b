import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { targetsOf } from './reads.ts'

const skip = withoutBrowser

/** The size of what the browser loads for a page, without data, in KiB as sent. */
const sizeMax = 64

test('The first page loads at most 64 KiB, and other pages’ scripts only while the browser is idle', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { fresh: true })
  const sizes = new Map<string, Promise<number>>()
  page.on('requestfinished', (request) => {
    if (targetsOf(request.url()).some((target) => /^\/(api-v1-|console\/)/.test(target))) return
    sizes.set(
      request.url(),
      request.sizes().then(({ responseBodySize }) => responseBodySize),
    )
  })
  await openPage(page, '/')
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor()
  const loaded = await Promise.all(sizes.values())
  const kib = loaded.reduce((sum, size) => sum + size, 0) / 1024
  assert.ok(loaded.length > 4)
  assert.ok(kib <= sizeMax, `${kib.toFixed(1)} KiB: ${[...sizes.keys()].join(' ')}`)
})

/** How many requests for data a page may make before it shows them, with that for the stream of changes. */
const requestsMax = 3

/** How many scripts a page may load: a browser loads six files at a time. */
const scriptsMax = 9

test('Every page needs at most three requests for data and nine scripts to load', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  const { id: contact_id } = await make(api, 'contact', { first_name: 'Grace', organization_id })
  const { id: deal_id } = await make(api, 'deal', { title: 'Hampers', organization_id, contact_id })
  const { id: task_id } = await make(api, 'task', { title: 'Call back', deal_id })
  let asked: string[][] = []
  let scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
    const targets = targetsOf(request.url())
    if (targets.some((target) => /^\/(api-v1-|console\/)/.test(target))) asked.push(targets)
  })
  const paths = [
    '',
    'pipeline',
    'reports',
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
    await openPage(page, 'about:blank') // ends what the page before still requests
    asked = []
    scripts = []
    await openPage(page, `/${path}`)
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.bone').first().waitFor({ state: 'detached' })
    assert.match(asked[0]![0]!, /^\/api-v1-changes\?after=now/, `/${path}: changes after this are news`)
    const first = asked.filter(
      (targets) => path !== 'pipeline' || !targets.every((target) => target.includes('/api-v1-tasks?')),
    ) // cards do not wait for their tasks
    assert.ok(first.length <= requestsMax, `/${path}: ${JSON.stringify(asked, null, 2)}`)
    assert.ok(scripts.length > 2 && scripts.length <= scriptsMax, `/${path}: ${scripts.join(' ')}`)
  }
})

test('The pages of records name all scripts that they load, so that one round trip brings them', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Hampers' })
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  for (const path of ['/pipeline', '/deals', `/deals/${id}`, '/tasks', '/test/contacts']) {
    await openPage(page, 'about:blank')
    scripts.length = 0
    const response = await page.goto(path)
    const text = await response!.text()
    await openPage(page, path)

    assert.ok(scripts.length > 4)
    assert.deepEqual(
      [...new Set(scripts)].filter((script) => !text.includes(script)),
      [],
      path,
    )
  }
})
