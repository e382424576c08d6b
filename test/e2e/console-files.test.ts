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

test('A file names the record that it belongs to, on its page and in its form', { skip }, async (t) => {
  const { api, page, url } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const headers = { Cookie: api.cookie!, 'Kontor-Environment': 'live', 'Content-Type': 'text/plain' }
  const path = `/api-v1-files?name=offer.txt&deal_id=${deal.id}`
  const uploaded = await fetch(`${url}${path}`, { method: 'POST', headers, body: 'Twenty hampers.' })
  assert.equal(uploaded.status, 201)
  const { data: file } = (await uploaded.json()) as { data: { id: string } }
  await openPage(page, `/files/${file.id}`)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Clear Hampers' }).waitFor()
  assert.equal(await page.getByRole('dialog').getByRole('combobox', { name: 'Deal' }).inputValue(), 'Hampers')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('main').getByRole('link', { name: 'Hampers' }).click()

  await page.getByRole('heading', { name: 'Hampers', level: 1 }).waitFor()
})

test('The buttons of several files say which file they are for', { skip }, async (t) => {
  const { api, page, url } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const headers = { Cookie: api.cookie!, 'Kontor-Environment': 'live', 'Content-Type': 'image/png' }
  for (const name of ['a.png', 'b.png']) {
    const path = `/api-v1-files?name=${name}&deal_id=${deal.id}`
    assert.equal((await fetch(`${url}${path}`, { method: 'POST', headers, body: 'Not a picture.' })).status, 201)
  }
  await openPage(page, `/deals/${deal.id}`)
  const card = page.getByRole('region', { name: 'Files' })
  for (const name of ['Preview a.png', 'Download a.png', 'Preview b.png', 'Download b.png'])
    await card.getByRole('button', { name, exact: true }).waitFor()
})

test('The list of files says to which deal each belongs', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  const chosen = { name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('offer') }
  await page.getByRole('region', { name: 'Files' }).locator('input[type=file]').setInputFiles(chosen)
  await page.getByText('offer.txt added.').waitFor()

  await openPage(page, '/files')

  await page.getByRole('row', { name: 'offer.txt' }).getByRole('link', { name: 'Hampers' }).waitFor()
})
