import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'

const skip = withoutBrowser

async function newKey(api: Visitor, body: object): Promise<string> {
  const made = await api.post('/api-v1-keys', { scopes: ['read:all', 'write:all'], ...body })
  assert.equal(made.status, 201)
  return made.body.data.key
}

test('Activities show their author: a user, a personal key with its user, or a shared key', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const { id: organization_id } = await make(api, 'organization', { name: 'Nordwind' })
  const me = (await api.get('/console/session')).body.data.user.id
  const log = async (subject: string, key?: string) => {
    const headers = key === undefined ? undefined : { Authorization: `Bearer ${key}` }
    const response = await api.post('/api-v1-activities', { type: 'call', subject, organization_id }, headers)
    assert.deepEqual([response.status, response.body.data.user_id], [201, key === undefined ? me : null])
    return response.body.data.id
  }
  await log('By hand')
  const synced = await log('Synced', await newKey(api, { name: 'Sync', type: 'personal', user_id: me }))
  await log('Automated', await newKey(api, { name: 'Zapier' }))
  const authors = { 'By hand': 'Ada Weber', Synced: 'Ada Weber’s key “Sync”', Automated: 'API key “Zapier”' }

  for (const [place, region] of [
    [`/organizations/${organization_id}`, 'Activity'],
    ['/', 'Latest activity'],
  ] as const) {
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('activity-keys') && asked.push(request.url())))
    await openPage(page, place)
    for (const [subject, author] of Object.entries(authors)) {
      const entry = page.getByRole('region', { name: region }).getByRole('listitem').filter({ hasText: subject })
      await entry.getByText(`· ${author} ·`).waitFor()
    }
    assert.equal(asked.length, 1)
    page.removeAllListeners('request')
  }
  await openPage(page, '/activities')
  for (const [subject, author] of Object.entries(authors)) {
    const row = page.getByRole('row').filter({ hasText: subject })
    await row.getByText(author, { exact: true }).waitFor()
  }
  await openPage(page, `/activities/${synced}`)
  await page.getByRole('definition').filter({ hasText: authors.Synced }).waitFor()
  assert.deepEqual(complaints, [])
})
