import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { declare, ofEachType } from '../support/declare.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const nordwind = { name: 'Nordwind', metadata: { employees: 1250.5, tier: 'gold', vip: true, renews: '2026-12-31' } }
const hafen = { name: 'Hafen', metadata: { employees: 8, tier: 'silver_plus', vip: false, renews: '2026-03-01' } }

test('A declared field that is switched on is a column after a reload too, and its heading sorts the list', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', ...ofEachType)
  await make(api, 'organization', nordwind, hafen, { name: 'Insel' })
  await openPage(page, '/organizations')
  assert.equal(await page.getByRole('columnheader', { name: 'Employees' }).count(), 0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Employees' }).check()
  await page.getByRole('checkbox', { name: 'Domain' }).uncheck()
  await page.getByRole('button', { name: 'Done' }).click()

  const heading = page.getByRole('columnheader', { name: 'Employees' })
  await heading.getByRole('button').click()
  await page.waitForURL(/sort=metadata\.employees/)
  const names = () => page.locator('tbody th').allInnerTexts()
  await page.locator('tbody th', { hasText: 'Insel' }).first().waitFor()
  await page.locator('[aria-busy=false] tbody').waitFor()
  await idle(page)
  assert.deepEqual(
    (await names()).filter((name) => name !== 'Insel'),
    ['Hafen', 'Nordwind'],
  )
  await page.reload()
  await heading.waitFor()
  await idle(page)
  assert.equal(await heading.getAttribute('aria-sort'), 'ascending')
  assert.equal(await page.getByRole('columnheader', { name: 'Domain' }).count(), 0)
  await page.getByRole('cell', { name: '1,250.5', exact: true }).waitFor()

  const [field] = (await api.get('/api-v1-fields?key=employees')).body.data
  await api.delete(`/api-v1-fields/${field.id}`)
  await openPage(page, '/organizations')
  await page.getByRole('columnheader', { name: 'City' }).waitFor()
  assert.equal(await heading.count(), 0)
})

test('Filters by declared fields fit their types, and a day is the user’s day', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { timeZone: 'Asia/Tokyo' })
  await declare(api, 'organization', ...ofEachType)
  const audited = { name: 'Insel', metadata: { audit: '2026-06-14T15:00:00Z', hotline: '+49 431 1234' } }
  await make(api, 'organization', nordwind, hafen, audited)
  await openPage(page, '/organizations')
  const dialog = page.getByRole('dialog')
  const found = async (fill: () => Promise<unknown>) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await dialog.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await fill()
    await dialog.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/metadata\./)
    await page.locator('.card[aria-busy=false] tbody').waitFor()
    await page.locator('tbody tr:nth-child(2)').waitFor({ state: 'detached' })
    return page.locator('tbody th').allInnerTexts()
  }

  assert.deepEqual(await found(() => dialog.getByLabel('Employees from').fill('1,000')), ['Nordwind'])
  await page.getByText('Employees from 1000').waitFor()
  assert.deepEqual(await found(() => dialog.getByLabel('Tier').selectOption('silver_plus')), ['Hafen'])
  await page.getByText('Tier silver_plus').waitFor()
  assert.deepEqual(await found(() => dialog.getByLabel('Key account').selectOption('true')), ['Nordwind'])
  assert.deepEqual(await found(() => dialog.getByLabel('Renews on to').fill('2026-06-30')), ['Hafen'])
  assert.deepEqual(await found(() => dialog.getByLabel('Hotline').fill('431')), ['Insel'])
  const day = async () => {
    await dialog.getByLabel('Next audit from').fill('2026-06-15')
    await dialog.getByLabel('Next audit to').fill('2026-06-15')
  }
  assert.deepEqual(await found(day), ['Insel'])
  await page.reload()
  await page.getByText('Next audit from 15 Jun 2026').waitFor()
})

test('A saved view keeps columns and filters of declared fields', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  await declare(api, 'organization', ...ofEachType)
  await make(api, 'organization', nordwind, hafen)
  await openPage(page, '/organizations?metadata.tier=gold')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tier' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Gold')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/view=/)

  await idle(page)
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await page.getByRole('columnheader', { name: 'Tier' }).waitFor()
  await idle(page)
  assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Nordwind'])
})

test('A record shows declared fields by their labels: links only where they are safe, and text as text', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t, { timeZone: 'America/New_York' })
  const script = '<img src=x onerror="document.title=1">'
  await declare(
    api,
    'organization',
    ...ofEachType.slice(1),
    { key: 'evil', label: `</script>${script}`, type: 'text' },
    { key: 'trap', label: 'Trap', type: 'url' },
    { key: 'bait', label: 'Bait', type: 'email' },
    { key: 'mask', label: 'Mask', type: 'url' },
    { key: 'slip', label: 'Slip', type: 'url' },
  )
  const metadata = {
    ...{ employees: 1250.5, vip: true, renews: '2026-12-31', audit: '2026-06-15T02:30:00Z', tier: 'silver_plus' },
    ...{ site: 'https://nordwind.example/a', billing: 'b@nordwind.example', hotline: '+49 431/12-34' },
    ...{ evil: script, trap: 'javascript:document.title=1', bait: 'a@b.example?bcc=x@y.example', source: 'fair' },
    ...{ mask: 'https://bank.example@evil.example', slip: 'https://evil.example\\@bank.example' },
  }
  const { id } = await make(api, 'organization', { name: 'Nordwind', metadata })
  await openPage(page, `/organizations/${id}`)
  const details = page.getByRole('region', { name: 'Details' })
  const shown = (label: string) => details.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]')

  assert.equal(await shown('Employees').innerText(), '1,250.5')
  assert.equal(await shown('Key account').innerText(), 'Yes')
  assert.equal(await shown('Renews on').innerText(), '31 Dec 2026')
  assert.equal(await shown('Next audit').innerText(), '14 Jun 2026, 22:30')
  assert.equal(await shown('Tier').innerText(), 'silver_plus')
  assert.equal(await shown('Site').getByRole('link').getAttribute('rel'), 'noopener noreferrer')
  assert.equal(await shown('Billing').getByRole('link').getAttribute('href'), 'mailto:b@nordwind.example')
  assert.equal(await shown('Hotline').getByRole('link').getAttribute('href'), 'tel:+494311234')
  assert.equal(await shown('onerror').innerText(), script)
  assert.equal(await shown('Trap').innerText(), 'javascript:document.title=1')
  assert.equal(await shown('Trap').getByRole('link').count(), 0)
  for (const label of ['Bait', 'Mask', 'Slip']) assert.equal(await shown(label).getByRole('link').count(), 0, label)
  const free = page.getByRole('region', { name: 'Metadata' })
  assert.deepEqual(await free.locator('dt').allInnerTexts(), ['source'])
  assert.match(await page.title(), /Nordwind/)
  assert.deepEqual(complaints, [])
})
