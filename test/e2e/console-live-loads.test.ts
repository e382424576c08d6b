import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { goFollowing, idle, isStream, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { reads } from './reads.ts'

const skip = withoutBrowser

const list = reads(/^\/api-v1-organizations\?/)

test('What changes while a list loads what changed before is shown, too', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  await goFollowing(page, '/organizations')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: read, resolve: tellRead } = Promise.withResolvers<void>()
  let told = 0
  await page.exposeFunction('noteTold', () => void told++)
  const { user } = (await api.get('/console/session')).body.data
  await page.evaluate(`new BroadcastChannel('kontor.changes.${user.id}.live').onmessage = () => noteTold()`)
  await page.route(list, async (route) => {
    const response = await route.fetch()
    tellRead()
    await released
    return route.fulfill({ response })
  })

  await make(api, 'organization', { name: 'Nordwind' })
  await read
  await make(api, 'organization', { name: 'Südwind' })
  await until('the page has been told of both', () => told >= 2)
  release()

  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
  await page.getByRole('link', { name: 'Südwind' }).waitFor()
})

test('A load that nobody has asked for and that fails leaves what is shown', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { url } = await make(api, 'webhook', { url: 'https://acme.example/hook' })
  await openPage(page, '/webhooks')
  await page.getByRole('link', { name: url }).waitFor()
  const isList = reads(/^\/api-v1-webhooks\?/)
  const failed = page.waitForEvent('requestfailed', (request) => isList(new URL(request.url())))
  await page.route(isList, (route) => route.abort())

  await page.evaluate("dispatchEvent(new Event('focus'))")
  await failed
  await idle(page)

  await page.getByRole('link', { name: url }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('alert').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
})

test('A window that the server refuses the stream of changes asks again when the server has said, and not before', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { fresh: true, live: true })
  let streams = 0
  page.on('request', (request) => void (isStream(request) && streams++))
  await page.route(/api-v1-changes\?payload/, (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '600' } }),
  )
  await page.clock.install()
  await openPage(page, '/organizations')
  await until('the stream was refused', () => streams === 1)

  let waitedMs = 0
  await until('the window has asked again', async () => {
    await page.clock.fastForward(30_000)
    waitedMs += 30_000
    await idle(page)
    return streams > 1
  })
  assert.ok(waitedMs >= 600_000, `after ${waitedMs} ms`)
})

test('A stream in which nothing comes, not even a sign of life, is replaced by another one', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true, live: true })
  let streams = 0
  page.on('request', (request) => void (isStream(request) && streams++))
  await page.clock.install()
  await goFollowing(page, '/organizations')

  let waitedMs = 0
  await until('the window has opened another stream', async () => {
    await page.clock.fastForward(20_000) // the signs of life of the server take no such time
    waitedMs += 20_000
    await idle(page)
    return streams > 1
  })
  assert.ok(waitedMs >= 60_000, `after ${waitedMs} ms`)
  await make(api, 'organization', { name: 'Nordwind' })
  await page.clock.resume()
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()
})
