import { expect, test } from './fixtures.js'

test('The form stores a lead', async ({ page, crm }) => {
  await page.goto('/')
  await page.getByRole('textbox').fill('Christmas hampers')
  await page.getByRole('button').click()

  await expect(page.getByRole('status')).toHaveText('Thank you!')
  const deals = await (await crm.fetch('/api-v1-deals')).json()
  expect(deals.data[0].title).toBe('Christmas hampers')
})

test('The form asks for patience while Kontor does not respond', async ({ page, crm }) => {
  await crm.faults.set([{ match: { path: '/api-v1-deals' }, do: { reset: true } }])

  await page.goto('/')
  await page.getByRole('button').click()

  await expect(page.getByRole('alert')).toHaveText('Please try again later.')
})
