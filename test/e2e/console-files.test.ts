import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

test('Files are added on the page of a record, and downloaded there and on their own page', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const path = join(temporaryDirectory(t), 'Angebot „Körbe“.txt')
  writeFileSync(path, 'Twenty hampers.')
  await openPage(page, `/deals/${deal.id}`)
  const card = page.getByRole('region', { name: 'Files' })

  await card.locator('input[type=file]').setInputFiles([path])
  await card.getByRole('link', { name: 'Angebot „Körbe“.txt' }).waitFor()
  const [shown] = (await api.get(`/api-v1-files?deal_id=${deal.id}`)).body.data
  const [first] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download' }).click(),
  ])
  await openPage(page, `/files/${shown.id}`)
  const [second] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])

  assert.deepEqual([shown.name, shown.media_type, shown.bytes], ['Angebot „Körbe“.txt', 'text/plain', 15])
  for (const download of [first, second]) {
    assert.equal(readFileSync(await download.path(), 'utf8'), 'Twenty hampers.')
    assert.equal(download.suggestedFilename(), 'Angebot „Körbe“.txt')
  }
})
