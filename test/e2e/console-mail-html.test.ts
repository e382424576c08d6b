import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { hostileHtml } from '../mail/hostile-html.ts'
import { withoutBrowser as skip } from '../support/browser.ts'
import { idle, openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { htmlMail, openMailConsole } from './mail-console.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A server of pictures elsewhere, which notes what is asked for. */
async function pictureServer(t: TestContext) {
  const asked: { path: string; referrer: string | undefined; cookie: string | undefined }[] = []
  const server = createServer(({ url, headers }, response) => {
    asked.push({ path: url!, referrer: headers.referer, cookie: headers.cookie })
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(pixel)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('A mail shows its own pictures, and those of other servers only when asked, each time anew', {
  skip,
}, async (t) => {
  const { asked, url } = await pictureServer(t)
  const { page, deal, deliver, complaints } = await openMailConsole(t, { fresh: true })
  const html = `<h1 style="color: #0b6154">News</h1><img src="${url}/a.png" alt="far"><img src="cid:own" alt="own">`
  const parts = [
    `--x\r\nContent-Type: text/html\r\n\r\n${html}\r\n`,
    '--x\r\nContent-Type: image/png; name=own.png\r\nContent-ID: <own>\r\nContent-Transfer-Encoding: base64\r\n\r\n',
    `${pixel.toString('base64')}\r\n--x--\r\n`,
  ]
  await deliver({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/related; boundary=x' }, parts.join(''))
  const show = async () => {
    await openPage(page, `/deals/${deal.id}`)
    await page.locator('details.thread > summary').click()
    await page.getByRole('button', { name: 'Show with formatting' }).click()
    const frame = page.locator('iframe.mail-frame').contentFrame()
    await frame.getByRole('heading', { name: 'News' }).waitFor()
    return frame
  }
  const loaded = (frame: Awaited<ReturnType<typeof show>>, name: string) =>
    until(`the picture ${name} is loaded`, () =>
      frame.getByAltText(name).evaluate((picture) => Reflect.get(picture, 'naturalWidth') === 1),
    )

  const frame = await show()
  await loaded(frame, 'own')
  assert.equal(
    await frame.getByRole('heading').evaluate((each) => Reflect.get(globalThis, 'getComputedStyle')(each).color),
    'rgb(11, 97, 84)',
  )
  assert.deepEqual(asked, [])

  await page.getByRole('button', { name: 'Show remote pictures' }).click()
  await loaded(frame, 'far')
  assert.deepEqual(asked, [{ path: '/a.png', referrer: undefined, cookie: undefined }])

  await show()
  await page.getByRole('button', { name: 'Show remote pictures' }).waitFor()
  await idle(page)
  assert.equal(asked.length, 1)
  assert.deepEqual(complaints, [])
})

test('No mail runs a script, submits a form or leaves its frame, also with remote pictures', { skip }, async (t) => {
  const { page, context, deal, deliver, complaints } = await openMailConsole(t, { fresh: true })
  const asked: string[] = []
  await context.route(/evil\.example/, (route) => {
    asked.push(route.request().resourceType())
    return route.fulfill({ status: 200, contentType: 'image/png', body: pixel })
  })
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  const harmless = '<img src="https://evil.example/picture.png">'
  await deliver(...htmlMail(`<p>Begin</p>${hostileHtml.join('<hr>')}<p>End</p>${harmless}`))
  for (const html of hostileHtml.filter((_, at) => at % 8 === 0))
    await deliver(...htmlMail(`<p>Begin</p>${html}${harmless}`))
  await openPage(page, `/deals/${deal.id}`)
  const address = page.url()

  for (const summary of await page.locator('details.thread > summary').all()) {
    await summary.click()
    await idle(page)
  }
  const buttons = page.getByRole('button', { name: 'Show with formatting' })
  const count = await buttons.count()
  for (let at = 0; at < count; at++) {
    await buttons.nth(at).click()
    const frame = page.locator('iframe.mail-frame').nth(at).contentFrame()
    await frame.getByText('Begin').first().waitFor()
  }
  assert.deepEqual(asked, [])
  const remote = page.getByRole('button', { name: 'Show remote pictures' })
  while ((await remote.count()) > 0) await remote.first().click()
  await until('the pictures are asked for', () => asked.length >= count)
  await idle(page)

  assert.ok(count > 5, `only ${count} mails`)
  assert.deepEqual([...new Set(asked)], ['image'])
  assert.equal(await page.evaluate('globalThis.ran'), undefined)
  assert.deepEqual([alerts, context.pages().length, page.url()], [[], 1, address])
  assert.deepEqual(complaints, [])
})

test('A link in a mail opens in a window of its own, which cannot reach the console', { skip }, async (t) => {
  const { page, context, deal, deliver } = await openMailConsole(t, { fresh: true })
  await context.route(/navy\.example/, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<script>document.title = String(opener)</script>' }),
  )
  await deliver(...htmlMail('<a href="https://navy.example/hampers">Our hampers</a>'))
  await openPage(page, `/deals/${deal.id}`)
  await page.locator('details.thread > summary').click()
  await page.getByRole('button', { name: 'Show with formatting' }).click()
  const link = page.locator('iframe.mail-frame').contentFrame().getByRole('link', { name: 'Our hampers' })

  const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
  await opened.waitForLoadState()

  assert.equal(opened.url(), 'https://navy.example/hampers')
  assert.equal(await opened.title(), 'null')
})
