import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser as skip } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'

test('With more stages than one request reads, the home page and the page of a deal have all of them', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const many = Array.from({ length: 100 }, (_, n) => ({ name: `Stage ${n}` }))
  await make(api, 'stage', ...many)
  const { id: stage_id } = await make(api, 'stage', { name: 'The last one' })
  const { id } = await make(api, 'deal', {
    title: 'Hampers',
    value: 1_000,
    stage_id,
    expected_close_date: '2026-01-01',
  })

  await openPage(page, `/deals/${id}`)
  const current = page.locator('.stage-steps [aria-current="step"]')
  assert.equal(await current.innerText(), 'The last one')

  await openPage(page, '/')
  const own = page.getByRole('region', { name: 'Pipeline' }).getByRole('link', { name: 'The last one' })
  assert.match(await own.innerText(), /1 deal/)
  const closing = page.getByRole('region', { name: 'Closing soon' })
  await closing.getByRole('link', { name: 'Hampers' }).waitFor()
  await closing.getByRole('link', { name: '1 deal' }).click()
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Hampers' }).waitFor()
})

test('A report on a pipeline with more stages than one filter takes has no deals of other pipelines', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  await make(api, 'deal', { title: 'Elsewhere', value: 500, currency: 'EUR' })
  const { id: pipeline_id } = await make(api, 'pipeline', { name: 'Partners' })
  const many = Array.from({ length: 100 }, (_, n) => ({ name: `Stage ${n}`, pipeline_id }))
  await make(api, 'stage', ...many)
  const { id: stage_id } = await make(api, 'stage', { name: 'The last one', pipeline_id })
  await make(api, 'deal', { title: 'Hampers', value: 1_000, currency: 'EUR', stage_id })

  await openPage(page, `/reports?pipeline_id=${pipeline_id}`)
  const total = page.getByRole('region', { name: 'Forecast in EUR', exact: true }).getByRole('row', { name: 'Total' })
  assert.match(await total.innerText(), /€1,000/)
  await total.getByRole('link').first().click()
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Hampers' }).waitFor()
  assert.equal(await main.getByRole('link', { name: 'Elsewhere' }).count(), 0)
})
