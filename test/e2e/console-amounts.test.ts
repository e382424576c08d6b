import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const deal = { title: 'Coaches', value: 5000, currency: 'EUR' }

async function editDeal(t: Parameters<typeof openConsole>[0], locale = 'en-GB', value: number = deal.value) {
  const { api, page } = await openConsole(t, { locale })
  const { id } = await make(api, 'deal', { ...deal, value })
  await openPage(page, `/deals/${id}`)
  await page.getByRole('button', { name: /^(Edit|Bearbeiten)$/ }).click()
  const dialog = page.getByRole('dialog')
  return {
    page,
    dialog,
    input: dialog.getByLabel(/^(Value|Wert)$/),
    save: () => dialog.getByRole('button', { name: /^(Save|Speichern)$/ }).click(),
    stored: async () => (await api.get(`/api-v1-deals/${id}`)).body.data.value,
  }
}

for (const [locale, amounts] of [
  [
    'de-DE',
    {
      '12.500,00': '12.500,00 €',
      '12.500': '12.500,00 €',
      '12,500.50': '12.500,50 €',
      ',5': '0,50 €',
      '1.250.050': '1.250.050,00 €',
      '12500,50': '12.500,50 €',
    },
  ],
  ['en-GB', { '12,500': '€12,500.00', '1 234 567.8': '€1,234,567.80', '0.125': '€0.125', '12.500,50': '€12,500.50' }],
  ['fr-FR', { '1,5': '1,50 €', '12 500,5': '12 500,50 €' }],
  ['de-CH', { '1’250.5': 'EUR 1’250.50', '12500.5': 'EUR 12’500.50' }],
] as const) {
  test(`The amount input accepts the format of ${locale} and the other common format, and shows how it was understood`, {
    skip,
  }, async (t) => {
    const { dialog, input, save, stored } = await editDeal(t, locale)
    for (const [text, understood] of Object.entries(amounts)) {
      await input.fill(text)
      await idle(dialog.page())
      const shown = (await dialog.getByRole('status').innerText()).replaceAll(/\s/g, ' ').replaceAll("'", '’')
      assert.equal(shown, understood)
    }
    await save()
    await dialog.waitFor({ state: 'detached' })

    assert.equal(await stored(), 12_500.5)
  })
}

for (const [locale, amounts] of [
  [
    'en-GB',
    {
      '12.500': 'This may mean 12.50 or 12500',
      '12,50,00': 'The separators do not fit',
      $500: 'Enter a number such as 12500.50',
      '1e5': 'Enter a number such as 12500.50',
      '123456789012345678': 'The number has more digits than can be stored',
    },
  ],
  ['de-DE', { '12,500': 'Das kann 12,50 oder 12500 bedeuten' }],
  ['fr-FR', { '12.500': 'This may mean 12,50 or 12500' }],
] as const) {
  test(`In ${locale}, an ambiguous or invalid amount is rejected, and its text stays in the input`, {
    skip,
  }, async (t) => {
    const { dialog, input, save, stored } = await editDeal(t, locale)
    for (const [text, message] of Object.entries(amounts)) {
      await input.fill(text)
      await save()
      await dialog.getByText(message).waitFor()
      await idle(dialog.page())
      assert.equal(await input.inputValue(), text)
    }
    assert.equal(await stored(), deal.value)
  })
}

test('The mouse wheel does not change an amount', { skip }, async (t) => {
  const { page, dialog, input, save, stored } = await editDeal(t)

  await input.focus()
  await input.hover()
  await page.mouse.wheel(0, 200)
  await dialog.getByLabel(/^(Title|Titel)$/).fill('Two coaches')
  await save()
  await dialog.waitFor({ state: 'detached' })

  assert.equal(await stored(), deal.value)
})

for (const [locale, value] of [
  ['en-GB', 12.125],
  ['de-DE', 0.1 + 0.2],
  ['ar-EG', 1_250_050.5],
] as const) {
  test(`In ${locale}, the text that ${value} is shown as is read as the same amount`, { skip }, async (t) => {
    const { dialog, input, save, stored } = await editDeal(t, locale, value)
    await input.waitFor()
    await idle(dialog.page())
    const text = await input.inputValue()
    await input.fill('1')
    await input.fill(text)
    await dialog.getByLabel(/^(Title|Titel)$/).fill('Changed')
    await save()
    await dialog.waitFor({ state: 'detached' })

    assert.equal(await stored(), value, text)
  })
}

test('A negative amount is saved only after a confirmation', { skip }, async (t) => {
  const { page, dialog, input, save, stored } = await editDeal(t)
  await input.fill('-50')
  await save()

  await page.getByRole('button', { name: 'Change it' }).click()
  await dialog.getByText('Value is negative').waitFor()
  assert.equal(await stored(), deal.value)
  await save()
  await page.getByRole('button', { name: 'Save -€50.00' }).click()
  await dialog.first().waitFor({ state: 'detached' })

  assert.equal(await stored(), -50)
})

test('Amounts have as many decimals as their currencies, and those that were stored', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const [dinars, yen] = [
    { value: 44_750.234, currency: 'KWD' },
    { value: 1_250, currency: 'JPY' },
  ]
  await make(api, 'deal', { ...deal, ...dinars }, { ...deal, ...yen }, { ...deal, value: 0.5 })
  await openPage(page, '/deals')

  for (const amount of [/KWD\s44,750\.234$/, /¥1,250$/, /^€0\.50$/])
    await page.getByRole('cell', { name: amount }).waitFor()
})

test('A number of percent may have a percent sign, in a form and in the cells of line items', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', deal)
  await make(api, 'line_item', { deal_id: id, name: 'Hamper', unit_price: 100 })
  await openPage(page, `/deals/${id}`)
  await page.getByLabel('Tax percent, row 1').fill('19 %')
  await page.getByLabel('Discount percent, row 1').fill('2.5%')
  await page.getByLabel('Unit price, row 1').fill('50%')
  await page.getByLabel('Unit price, row 1').press('Enter')
  await page.getByText('Enter a number such as').waitFor()
  await page.getByLabel('Unit price, row 1').press('Escape')
  await page.getByText('All saved.').waitFor()
  await page.getByText('Total without tax €97.50').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Probability').fill('75 %')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  const [item] = (await api.get(`/api-v1-line-items?filter[deal_id]=${id}`)).body.data
  assert.deepEqual([item.tax_percent, item.discount_percent, item.unit_price], [19, 2.5, 100])
  assert.equal((await api.get(`/api-v1-deals/${id}`)).body.data.probability, 75)
})
