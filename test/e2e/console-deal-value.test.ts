import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

test('The value and the currency of a deal with line items are shown in its form as what cannot be entered', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const deal = await make(api, 'deal', { title: 'Christmas', value: 5, currency: 'EUR' })
  await openPage(page, `/deals/${deal.id}`)
  const edit = async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit deal' })
    await form.getByLabel('Value').waitFor()
    await idle(page)
    return form
  }
  const before = await edit()
  await before.getByLabel('Value').fill('6')
  await before.getByRole('button', { name: 'Save' }).click()
  await page.getByText('€6').first().waitFor()
  await make(api, 'line_item', { deal_id: deal.id, name: 'One', quantity: 3, unit_price: 10 })
  await page.reload()
  await idle(page)

  const form = await edit()
  await form.getByText('It follows the line items of the deal.').first().waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/follows.png` })
  for (const name of ['Value', 'Currency']) {
    assert.equal(await form.getByLabel(name).isEditable(), false, name)
  }
  await form.getByLabel('Title').fill('Easter')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Easter' }).waitFor()
  assert.deepEqual(complaints, [])
})
