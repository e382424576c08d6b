import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { targetsOf, waitForRead } from './reads.ts'

const skip = withoutBrowser

/** Holds back the matching requests until `release` is called. `asked` are their paths. */
async function holdBack(page: Page, pattern: RegExp): Promise<{ release(): void; asked: string[] }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked: string[] = []
  await page.route(pattern, async (route) => {
    asked.push(...targetsOf(route.request().url()))
    await promise
    await route.fallback()
  })
  return { release: resolve, asked }
}

const skeleton = (page: Page) => page.locator('[aria-busy=true] .bone')

test('The page contains a skeleton before its script runs, which the content replaces', { skip }, async (t) => {
  const { page, complaints } = await openConsole(t)
  const { release } = await holdBack(page, /\/assets\/(?!early).*\.js$/)

  await page.goto('/organizations', { waitUntil: 'commit' })
  await until('the skeleton is there', () => skeleton(page).count(), { is: (count) => count > 8 })
  assert.equal(await page.getByText('Loading…').count(), 1)
  release()

  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
  await idle(page)
  assert.equal(await page.locator('.bone').count(), 0)
  assert.deepEqual(complaints, [])
})

for (const [path, shape] of [
  ['/organizations', 'rows'],
  ['/pipeline?show=open', 'columns'],
  ['/', 'lines'],
] as const) {
  test(`While loading, ${path} shows a skeleton of ${shape}`, { skip }, async (t) => {
    const { page } = await openConsole(t)
    const { release } = await holdBack(page, /\/(api-v1-|console\/)/)

    await page.goto(path)
    await page.locator(`.skeleton.${shape} .bone`).first().waitFor()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    assert.equal(await page.evaluate("document.querySelector('.bone').getAnimations().length"), 0)
    release()

    await skeleton(page).first().waitFor({ state: 'detached' })
  })
}

test('While its parts are loading, no page is wider than 320 px, a small phone or 400 % zoom', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 320 })
  const { id } = await make(api, 'deal', { title: 'New warehouse', value: 1_000 })
  await page.addInitScript(`{
    const look = () => {
      if (document.body) widest = Math.max(widest, document.documentElement.scrollWidth - innerWidth)
      requestAnimationFrame(look)
    }
    globalThis.widest = 0
    look()
  }`)
  for (const path of ['/', '/pipeline', '/tasks', '/deals', `/deals/${id}`, '/reports', '/settings']) {
    const { release } = await holdBack(page, /\/(api-v1-|console\/)/)
    await page.goto(path)
    await page.locator(':root[data-busy*=GET]').waitFor()
    release()
    await idle(page)
    assert.equal(await page.evaluate('widest'), 0, path)
  }
})

test('The page contains the session’s data: nothing is requested first', { skip }, async (t) => {
  const { page } = await openConsole(t)
  const { asked, release } = await holdBack(page, /\/(api-v1-|console\/)/)
  release()

  await openPage(page, '/')
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor()

  assert.ok(asked.some((path) => path.startsWith('/api-v1-tasks')))
  assert.deepEqual(
    asked.filter((path) => path === '/console/session' || path === '/console/description'),
    [],
  )
})

test('Without the session cookie on the page request, the console requests the session', { skip }, async (t) => {
  const { page, url } = await openConsole(t)
  await page.route('https://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${url}/organizations">Our CRM</a>` }),
  )
  await page.goto('https://elsewhere.example/')

  const session = waitForRead(page, /console.session/)
  await page.getByRole('link', { name: 'Our CRM' }).click()

  assert.equal((await session).status(), 200)
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
})

test('The sign-in form appears without the menu before it', { skip }, async (t) => {
  const { page, context } = await openConsole(t)
  await context.clearCookies()
  const { release } = await holdBack(page, /\/console\//)

  await page.goto('/')
  await page.locator(':root[data-busy*=GET]').waitFor()
  assert.equal(await page.locator('.shell, .bone').count(), 0)
  release()

  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('A company name that contains a closing script tag is shown as text', { skip }, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const name = '</script><script>document.title="pwned"</script><!-- $& %INITIAL_DATA%'
  await api.patch('/console/company', { name })
  await make(api, 'organization', { name: 'Nordwind' })

  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Nordwind' }).waitFor()

  assert.equal(await page.locator('.brand').innerText(), name)
  assert.match(await page.title(), /^Organizations/)
  assert.deepEqual(complaints, [])
})
