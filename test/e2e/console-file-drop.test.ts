import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'

/** Drops or pastes files onto the page, or holds them over it, as a browser would. */
async function give(page: Page, type: 'dragover' | 'drop' | 'paste', files: Record<string, string>): Promise<void> {
  await page.evaluate(`{
    const transfer = new DataTransfer()
    const files = ${JSON.stringify(files)}
    for (const name in files) transfer.items.add(new File([files[name]], name, { type: 'text/plain' }))
    const init = { bubbles: true, cancelable: true, dataTransfer: transfer, clipboardData: transfer }
    const Kind = '${type}' === 'paste' ? ClipboardEvent : DragEvent
    document.querySelector('h1').dispatchEvent(new Kind('${type}', init))
  }`)
}

test('Files are dropped and pasted anywhere on a record, and one undo takes back what was dropped at once', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  const names = async () =>
    (await api.get(`/api-v1-files?deal_id=${deal.id}&sort=name`)).body.data.map((each: { name: string }) => each.name)

  await give(page, 'dragover', { 'a.txt': 'a' })
  await page.getByText('Drop files to add them to Hampers').waitFor()
  await give(page, 'drop', { 'a.txt': 'a', 'b.txt': 'b' })
  await page.getByText('2 files added.').waitFor()
  assert.deepEqual(await names(), ['a.txt', 'b.txt'])
  await page.getByRole('region', { name: 'Files' }).getByRole('link', { name: 'b.txt' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await until('both are gone', async () => (await names()).length === 0)
  await give(page, 'paste', { 'picture.png': 'x' })
  await page.getByText('picture.png added.').waitFor()
  assert.deepEqual(await names(), ['picture.png'])
})

test('An upload shows its progress and can be cancelled by keyboard, and one that fails says why', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  let release = () => {}
  await page.route('**/api-v1-files?*', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    await route.continue().catch(() => {})
  })

  await give(page, 'drop', { 'slow.txt': 'slow' })
  await page.getByRole('progressbar', { name: 'Upload of slow.txt' }).waitFor()
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('/api-v1-files?'))
  await page.getByRole('button', { name: 'Cancel slow.txt' }).press('Enter')
  await cancelled
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  release()
  await page.unroute('**/api-v1-files?*')
  await give(page, 'drop', { 'empty.txt': '' })
  await page.getByRole('list', { name: 'Uploads' }).getByText('must not be empty').waitFor()
  await page.getByRole('list', { name: 'Uploads' }).getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'detached' })
  assert.equal((await api.get('/api-v1-files')).body.pagination.total, 0)
})

test('A file whose upload failed is uploaded again by one press, without being chosen again', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  await openPage(page, `/deals/${deal.id}`)
  await page.route('**/api-v1-files?*', (route) => route.abort())
  await give(page, 'drop', { 'offer.txt': 'offer', 'plan.txt': 'plan' })
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await uploads.getByRole('button', { name: 'Try again plan.txt' }).waitFor()

  await page.unroute('**/api-v1-files?*')
  await uploads.getByRole('button', { name: 'Try again offer.txt' }).press('Enter')

  await page.getByText('offer.txt added.').waitFor()
  assert.equal(await uploads.getByRole('listitem').count(), 1, 'plan.txt stays')
  assert.equal((await api.get(`/api-v1-files?deal_id=${deal.id}`)).body.data[0].name, 'offer.txt')
})

test('A file that has changed on the disk since it was chosen must be chosen again, and the upload says so', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const file = join(temporaryDirectory(t), 'offer.txt')
  writeFileSync(file, 'offer')
  await openPage(page, `/deals/${deal.id}`)
  await page.route('**/api-v1-files?*', (route) => route.abort())
  await page.getByRole('region', { name: 'Files' }).locator('input[type=file]').setInputFiles(file)
  const uploads = page.getByRole('list', { name: 'Uploads' })
  const again = uploads.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/api-v1-files?*')
  writeFileSync(file, 'another offer')
  utimesSync(file, 2e9, 2e9)

  await again.click()

  await uploads.getByText('The file was changed, moved or deleted. Choose it again.').waitFor()
  assert.equal(await again.count(), 0)
})

/** A picture of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('Pictures and PDF have a preview that the policy of the page allows, on a phone, by keyboard and in German', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { locale: 'de-DE', width: 360 })
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const script = Buffer.from('<script>parent.hacked = true</script>')
  await openPage(page, `/deals/${deal.id}`)
  await page
    .getByRole('region', { name: 'Dateien' })
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') },
      { name: 'fake.png', mimeType: 'image/png', buffer: script },
      { name: 'offer.pdf', mimeType: 'application/pdf', buffer: script },
      { name: 'page.html', mimeType: 'text/html', buffer: script },
    ])
  await page.getByText('4 Dateien hinzugefügt.').waitFor()
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const dialog = page.getByRole('dialog')

  await row('pixel.png').getByRole('button', { name: 'Vorschau' }).press('Enter')
  await dialog.getByRole('img', { name: 'pixel.png' }).waitFor()
  await page.keyboard.press('Escape')
  await row('fake.png').getByRole('button', { name: 'Vorschau' }).press('Enter')
  await dialog.getByText('kein solches Bild').waitFor()
  await page.keyboard.press('Escape')
  await row('offer.pdf').getByRole('button', { name: 'Vorschau' }).press('Enter')
  await dialog.locator('iframe').waitFor()
  assert.match((await dialog.locator('iframe').getAttribute('src'))!, /^blob:/)
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360)
  await page.keyboard.press('Escape')

  assert.equal(await row('page.html').getByRole('button', { name: 'Vorschau' }).count(), 0)
  assert.equal(await page.evaluate("'hacked' in globalThis"), false)
  assert.deepEqual(complaints, [])
})
