import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('Several pipelines are tabs of the board and of the reports: the tab is in the address, and the last one is kept', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const pipeline = await make(api, 'pipeline', { name: 'Partners' })
  await openPage(page, '/pipeline')
  const tabs = page.getByRole('navigation', { name: 'Pipelines' })
  assert.equal(await tabs.count(), 0, 'a pipeline without stages has no tab')
  const stage = await make(api, 'stage', { name: 'Signed up', pipeline_id: pipeline.id })
  await make(api, 'deal', { title: 'Reseller', stage_id: stage.id, value: 700 }, { title: 'Hampers', value: 5 })
  const shown = async () => {
    await idle(page)
    const columns = await page
      .locator('section.board > section')
      .evaluateAll((all) => all.map((each) => each.ariaLabel))
    const cards = await page.locator('section.board li a').allInnerTexts()
    return { columns, hasReseller: cards.includes('Reseller'), hasHampers: cards.includes('Hampers') }
  }

  await openPage(page, '/pipeline')
  assert.equal((await shown()).hasHampers, true)
  assert.equal((await shown()).columns.includes('Signed up'), false)
  await tabs.getByRole('link', { name: 'Partners' }).click()
  await page.getByRole('region', { name: 'Signed up' }).waitFor()
  assert.deepEqual(await shown(), { columns: ['Signed up'], hasReseller: true, hasHampers: false })
  assert.equal(new URL(page.url()).searchParams.get('pipeline_id'), pipeline.id)
  await page.getByRole('button', { name: 'New deal' }).click()
  const form = page.getByRole('dialog', { name: 'New deal' })
  assert.equal(await form.getByLabel('Stage').inputValue(), stage.id)
  await form.getByRole('button', { name: 'Cancel' }).click()

  await openPage(page, '/pipeline')
  assert.deepEqual((await shown()).columns, ['Signed up'])
  await page.getByRole('link', { name: 'Show as list' }).click()
  await page.getByRole('rowheader', { name: 'Reseller' }).waitFor()
  await idle(page)
  assert.equal(await page.getByRole('rowheader').count(), 1)
  await openPage(page, '/reports')
  const forecast = page.getByRole('region', { name: 'Forecast in EUR', exact: true })
  await forecast.getByRole('link', { name: '€700' }).first().waitFor()
  await tabs.getByRole('link', { name: 'Sales' }).click()
  await forecast.getByRole('link', { name: '€5', exact: true }).first().waitFor()
  assert.deepEqual(complaints, [])
})

test('A column of the board has one sum in the currency of the company if there are exchange rates, and names what it leaves out', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  await make(
    api,
    'deal',
    { title: 'Dollars', value: 500, currency: 'USD', probability: 50 },
    { title: 'Euros', value: 1_000, currency: 'EUR' },
  )
  await openPage(page, '/pipeline')
  const lead = page.getByRole('region', { name: 'Lead', exact: true })
  await lead.getByText('2 deals').waitFor()
  assert.match(await lead.locator('header').innerText(), /2 deals · (€1,000|\$500|US\$500)/)

  await make(api, 'exchange_rate', { currency: 'USD', rate: 0.5, valid_from: '2020-01-01' })
  await openPage(page, '/pipeline')
  await lead.getByText('2 deals · €1,250').waitFor()
  await lead.getByText('€125 weighted').waitFor()
  await make(api, 'deal', { title: 'Francs', value: 9, currency: 'CHF' })
  await openPage(page, '/pipeline')
  await lead.getByText('3 deals · €1,250 + CHF').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/board.png` })
  assert.deepEqual(complaints, [])
})

test('Where a stage is chosen, stages of several pipelines are below the names of their pipelines', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Hampers' })
  const groups = async () => {
    const select = page.getByRole('dialog').getByLabel('Stage')
    await select.locator('option', { hasText: 'Proposal' }).first().waitFor({ state: 'attached' })
    return select.locator('optgroup').evaluateAll((all) => all.map((each) => each.getAttribute('label')))
  }
  const edit = async () => {
    await openPage(page, `/deals/${deal.id}`)
    await page.getByRole('button', { name: 'Edit' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Stage').waitFor()
    return form
  }
  await edit()
  assert.deepEqual(await groups(), [], 'of one pipeline')
  const pipeline = await make(api, 'pipeline', { name: 'Partners' })
  const stage = await make(api, 'stage', { name: 'Lead', pipeline_id: pipeline.id })

  const form = await edit()
  assert.deepEqual(await groups(), ['Sales', 'Partners'])
  await form.getByLabel('Stage').selectOption(stage.id)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  await idle(page)
  assert.equal((await api.get(`/api-v1-deals/${deal.id}`)).body.data.stage_id, stage.id)

  await openPage(page, '/deals')
  await page.getByRole('button', { name: 'Condition' }).click()
  await page.getByRole('dialog').getByLabel('Field').selectOption({ label: 'Stage' })
  await page.getByRole('dialog').getByRole('combobox', { name: 'Value' }).last().fill('Lead')
  const options = page.getByRole('option', { name: /^Lead/ })
  await options.nth(1).waitFor()
  assert.deepEqual(
    (await options.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
    ['Lead Sales', 'Lead Partners'],
  )
  assert.deepEqual(complaints, [])
})
