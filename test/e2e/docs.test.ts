import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const skip = withoutBrowser

/** Opens a page. `complaints` are the browser's errors and the page's requests to other hosts. */
async function open(t: TestContext, url: string, path: string) {
  const { page, complaints } = await openScreen(t, url)
  page.setDefaultTimeout(60_000) // the page loads slowly while other tests keep the machine busy
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`requests ${request.url()}`)
  })
  await page.goto(path)
  return { page, complaints }
}

test('/docs loads in a browser from this server alone, without errors', { skip }, async (t) => {
  const { url } = await start(t)
  const { page, complaints } = await open(t, url, '/docs')

  await page.getByRole('heading', { name: /^Kontor/ }).waitFor()
  const tags = await page.locator('h3.opblock-tag a').allInnerTexts()

  assert.deepEqual(tags.slice(0, 3), ['Organizations', 'Contacts', 'Pipelines'])
  assert.deepEqual(complaints, [])
})

test('/docs can send a request with the user’s key', { skip }, async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await make(client, 'organization', { name: 'Nordwind', status: 'active' })
  await make(client, 'organization', { name: 'Südwind' })
  const { page, complaints } = await open(t, server.url, '/docs#/Organizations/listOrganizations')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.auth-container').getByRole('textbox').fill(client.key) // the only one: a page cannot set the session's cookie
  await page.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.locator('tr[data-param-name="name"] input').fill('Nordwind')
  await page.getByRole('button', { name: 'Execute' }).click()
  const response = JSON.parse(
    await page.locator('.live-responses-table .response-col_description code').first().innerText(),
  )

  assert.deepEqual(
    response.data.map(({ name }: { name: string }) => name),
    ['Nordwind'],
  )
  assert.deepEqual(complaints, [])
})

test('/docs shows filters with operators once the user selects them', { skip }, async (t) => {
  const { url } = await start(t)
  const { page, complaints } = await open(t, url, '/docs#/Organizations/listOrganizations')

  await page.locator('tr[data-param-name="name"]').waitFor()
  const filter = page.locator('tr[data-param-name="name[like]"]')
  assert.equal(await filter.count(), 0)
  await page.getByLabel('Show filters with operators').check()
  await filter.waitFor()

  assert.deepEqual(complaints, [])
})

test('/docs shows filters without operators also for lists that spell them filter[…]', { skip }, async (t) => {
  const { url } = await start(t)
  const { page } = await open(t, url, '/docs#/Tasks/listTasks')

  await page.locator('tr[data-param-name="filter[title]"]').waitFor()

  assert.equal(await page.locator('tr[data-param-name="filter[title][eq]"]').count(), 0)
})
