import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { assertError } from '../support/client.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const evil = '<img src=x onerror="document.title=\'pwned\'"><script>document.title="pwned"</script>'

async function assertHarmless(page: Page): Promise<void> {
  const harmful = page.locator('img[src=x], script:not([src]), a[href^="javascript:"]')
  await idle(page)
  assert.equal(await harmful.count(), 0, page.url())
  assert.doesNotMatch(await page.title(), /^pwned$/)
}

test('HTML and scripts in record fields are shown as text', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const organization = await make(api, 'organization', {
    ...{ name: evil, city: evil, country: evil, address: evil, domain: 'javascript:alert(1)', organization_type: evil },
    metadata: { [evil]: evil },
  })
  await make(api, 'contact', {
    first_name: evil,
    last_name: evil,
    job_title: evil,
    organization_id: organization.id,
  })
  const deal = await make(api, 'deal', { title: evil, organization_id: organization.id })
  await make(api, 'task', { title: evil, description: evil, deal_id: deal.id })
  await make(api, 'activity', { type: 'note', subject: evil, description: evil, deal_id: deal.id })

  for (const path of [
    '/',
    '/organizations',
    `/organizations/${organization.id}`,
    `/deals/${deal.id}`,
    '/pipeline',
    '/tasks?show=open',
  ]) {
    await openPage(page, path)
    await page.getByText(evil).first().waitFor()
    await assertHarmless(page)
  }
  assert.deepEqual(complaints, [])
})

test('HTML and scripts in the names of the company, stages, users and keys are shown as text', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const [stage] = (await api.get('/api-v1-stages')).body.data
  await api.patch('/console/company', { name: evil })
  await api.patch(`/api-v1-stages/${stage.id}`, { name: evil })
  await api.post('/console/users', { full_name: evil, email: 'eve@acme.example' })
  await make(api, 'deal', { title: 'New warehouse' })
  const key = await make(api, 'api_key', { name: evil, description: evil, scopes: ['read:all'] })
  for (const color of ['red', '#000;background:url(//evil.example)', `${evil}`]) {
    assertError(await api.patch(`/api-v1-stages/${stage.id}`, { color }), 400, 'VALIDATION_ERROR')
  }

  for (const path of ['/', '/pipeline', '/deals', '/keys', `/keys/${key.id}`, '/settings/stages', '/settings/users']) {
    await openPage(page, path)
    await page.getByRole('main').getByText(evil).first().waitFor()
    await page.locator('.brand').getByText(evil).waitFor()
    await assertHarmless(page)
  }
  await page
    .getByRole('button', { name: /^(Password|New) link / })
    .first()
    .click()
  await page.getByRole('dialog').getByText(evil).first().waitFor()
  await idle(page)
  await assertHarmless(page)
  assert.deepEqual(complaints, [])
})

test('HTML and scripts in an imported file’s name, columns and cells are shown as text', { skip }, async (t) => {
  const { page, complaints } = await openConsole(t)
  const quoted = `"${evil.replaceAll('"', '""')}"`
  await openPage(page, '/import?into=contact')
  const buffer = Buffer.from(`First name,E-mail,${quoted}\nGrace,${quoted},${quoted}\n`)
  await page.locator('input[type=file]').setInputFiles({ name: `${evil}.csv`, mimeType: 'text/csv', buffer })

  await page.getByRole('heading', { name: `${evil}.csv` }).waitFor()
  await idle(page)
  await assertHarmless(page)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('1 row cannot').waitFor()
  await page.getByRole('cell', { name: evil }).first().waitFor()
  await idle(page)
  await assertHarmless(page)
  assert.deepEqual(complaints, [])
})
