import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

// One page for all: to load it takes several seconds of a processor.
test('/docs in a browser', { skip: withoutBrowser }, async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await make(client, 'organization', { name: 'Nordwind', status: 'active' })
  await make(client, 'organization', { name: 'Südwind' })
  const { page, complaints } = await openScreen(t, server.url)
  page.setDefaultTimeout(60_000) // the page loads slowly while other tests keep the machine busy
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`requests ${request.url()}`)
  })
  await page.goto('/docs#/Organizations/listOrganizations')

  await t.test('/docs loads in a browser from this server alone, without errors', async () => {
    await page.getByRole('heading', { name: /^Kontor/ }).waitFor()
    const tags = await page.locator('h3.opblock-tag a').allInnerTexts()

    assert.deepEqual(tags.slice(0, 3), ['Organizations', 'Contacts', 'Pipelines'])
    assert.deepEqual(complaints, [])
  })

  await t.test('/docs can send a request with the user’s key', async () => {
    const operation = page.locator('#operations-Organizations-listOrganizations')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.locator('.auth-container').getByRole('textbox').fill(client.key) // the only one: a page cannot set the session's cookie
    await page.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close' }).first().click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.locator('tr[data-param-name="name"] input').fill('Nordwind')
    await operation.getByRole('button', { name: 'Execute' }).click()
    const response = JSON.parse(
      await operation.locator('.live-responses-table .response-col_description code').first().innerText(),
    )

    assert.deepEqual(
      response.data.map(({ name }: { name: string }) => name),
      ['Nordwind'],
    )
    assert.deepEqual(complaints, [])
  })

  await t.test('/docs shows filters without operators also for lists that spell them filter[…]', async () => {
    await page.locator('#operations-tag-Tasks').click()
    await page.locator('#operations-Tasks-listTasks').getByRole('button').first().click()
    await page.locator('tr[data-param-name="filter[title]"]').waitFor()

    assert.equal(await page.locator('tr[data-param-name="filter[title][eq]"]').count(), 0)
  })

  await t.test('/docs shows filters with operators once the user selects them', async () => {
    const operation = page.locator('#operations-Organizations-listOrganizations')
    await operation.locator('tr[data-param-name="name"]').waitFor()
    const filter = operation.locator('tr[data-param-name="name[like]"]')
    assert.equal(await filter.count(), 0)
    await page.getByLabel('Show filters with operators').check()
    await filter.waitFor()

    assert.deepEqual(complaints, [])
  })
})
