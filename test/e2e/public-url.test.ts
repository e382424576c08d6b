import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { administerHere, runHere } from '../support/command.ts'
import { owner } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { idle, openPage } from '../support/page.ts'
import { bundle, launch, run } from '../support/program.ts'
import { start } from '../support/start.ts'
import { openPathProxy } from './path-proxy.ts'

const skip = withoutBrowser

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('Company').fill('Nordwind')
  await page.getByLabel('Your name').fill(owner.full_name)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('heading', { name: 'Good to see you, Ada' }).waitFor()
}

for (const strips of [true, false]) {
  const style = strips ? 'removes the path' : 'passes the path on'
  test(`Behind a proxy that ${style}, the console works below the path of the public URL`, { skip }, async (t) => {
    const proxy = await openPathProxy(t, '/crm', { strips })
    const at = (path: string) => `${proxy.url}${path}`
    const serve = ['serve', '--data', temporaryDirectory(t), '--port', '0', '--public-url', proxy.url]
    const { first } = await launch(t, bundle, serve)
    proxy.forwardTo(first.url!)
    const { page, complaints } = await openScreen(t, proxy.url, { fresh: true })

    assert.equal(first.public_url, proxy.url)
    assert.ok(first.setup_url!.startsWith(at('/setup#')))
    await openPage(page, first.setup_url!)
    await setUp(page)
    await idle(page)
    assert.equal(page.url(), at('/'))

    await page.getByRole('link', { name: 'Organizations' }).click()
    await page.getByRole('button', { name: 'New organization' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Südwind')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('heading', { name: 'Südwind' }).waitFor()
    await idle(page)
    assert.ok(page.url().startsWith(at('/organizations/')))
    await page.reload()
    await page.getByRole('heading', { name: 'Südwind' }).waitFor()
    await page.getByRole('link', { name: 'Test', exact: true }).click()
    await page.getByText('Test data').waitFor()
    await idle(page)
    assert.equal(page.url(), at('/test/organizations'))

    await openPage(page, at('/settings/users'))
    await page.getByRole('button', { name: 'Add user' }).click()
    await page.getByLabel('Full name').fill('Ben Maier')
    await page.getByLabel('Email').fill('ben@acme.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
    const link = page.getByText(/\/invitation#/)
    await idle(page)
    assert.ok((await link.innerText()).startsWith(at('/invitation#')))

    await openPage(page, at('/'))
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await idle(page)
    assert.equal(page.url(), at('/'))
    assert.deepEqual([proxy.strays, complaints], [[], []])
  })
}

test('Below the path of the public URL, /docs sends its requests to the server that it was loaded from', {
  skip,
}, async (t) => {
  const proxy = await openPathProxy(t, '/crm', { strips: true })
  const server = await start(t, { limits: { publicUrl: { href: 'https://crm.example/crm', path: '/crm' } } })
  proxy.forwardTo(server.url)
  const { page, complaints } = await openScreen(t, proxy.url, { fresh: true })
  // All operations take the page several seconds of a processor.
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch()
    const { paths, ...document } = await response.json()
    await route.fulfill({ response, json: { ...document, paths: { '/api-v1-me': paths['/api-v1-me'] } } })
  })

  await openPage(page, `${proxy.url}/docs`)
  const option = page.locator('.servers option')
  await option.waitFor({ state: 'attached' })

  assert.equal(await option.innerText(), proxy.url)
  assert.deepEqual([proxy.strays, complaints], [[], []])
})

test('A console that is opened without the proxy works, with the path of the public URL', { skip }, async (t) => {
  const options = ['--data', temporaryDirectory(t), '--port', '0', '--public-url', 'http://crm.example/crm']
  const { first } = await launch(t, bundle, ['serve', ...options])
  const direct = (path: string) => `${first.url}${path}`
  const { page, complaints } = await openScreen(t, first.url!)

  await page.goto(direct(`/setup${new URL(first.setup_url!).hash}`))
  await setUp(page)

  await idle(page)
  assert.equal(page.url(), direct('/crm/'))
  await openPage(page, direct('/organizations'))
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
  assert.equal(page.url(), direct('/crm/organizations'))
  await openPage(page, direct('/crm'))
  await page.getByRole('heading', { name: 'Good to see you, Ada' }).waitFor()
  assert.equal(page.url(), direct('/crm/'))
  assert.deepEqual(complaints, [])
})

test('The commands use the public URL in what they print', async (t) => {
  const data = temporaryDirectory(t)
  const url = 'https://example.com/crm'
  const options = ['--data', data, '--public-url', url]
  const server = await launch(t, bundle, ['serve', ...options, '--port', '0', '--welcome'], { stderr: 'pipe' })
  let welcome = ''
  server.child.stderr!.on('data', (part) => {
    welcome += part
  })
  const { path, url: link } = await administerHere('setup-link', ...options)
  const { stdout } = await runHere(['setup-link', ...options])
  const sandbox = await launch(t, bundle, ['sandbox', '--public-url', url])
  const printed = await run(bundle, ['openapi'], { env: { KONTOR_PUBLIC_URL: url } })
  await server.stop()

  assert.match(welcome, /export KONTOR_URL=https:\/\/example\.com\/crm KONTOR_KEY=/)
  assert.match(welcome, /https:\/\/example\.com\/crm\/setup#/)
  assert.equal(link, `${url}${path}`)
  assert.match(stdout, /Open this link .*\n\n {2}https:\/\/example\.com\/crm\/setup#[\w-]{43}\n$/)
  assert.equal(sandbox.first.url, url)
  assert.deepEqual(JSON.parse(printed.stdout).servers, [{ url }])
})
