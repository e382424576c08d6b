import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { hostileHtml } from '../../mail/hostile-html.ts'
import { html } from '../../mail/hostile-mails.ts'
import { mailOf, startReader } from '../../mail/read.ts'
import { openScreen, withoutBrowser } from '../../support/browser.ts'
import { openMailbox } from '../../support/mailbox.ts'

/** What a page does that a mail must not do: dialogs, and requests, besides that for the page itself and those that its policy prevents. */
function watch(page: Page): string[] {
  const done: string[] = []
  page.on('dialog', (dialog) => {
    done.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  const isPage = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('requestfinished', (request) => isPage(request) || done.push(request.url()))
  page.on('requestfailed', (request) => request.failure()?.errorText === 'csp' || done.push(request.url()))
  page.on('popup', (popup) => done.push(`popup ${popup.url()}`))
  return done
}

const hasRun = (page: Page) => page.evaluate('window.ran === 1')

test('Hostile HTML that is shown by its address runs no script and loads nothing, sanitized or not', {
  skip: withoutBrowser,
}, async (t) => {
  const { server, shared, deliver } = await openMailbox(t)
  const { read } = startReader(t)
  const { page, context } = await openScreen(t, server.url, { fresh: true })
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${shared.key}` })
  const done = watch(page)
  for (const content of hostileHtml) {
    for (const shown of [mailOf(await read(html(content))).html, content]) {
      if (shown === null || shown === '') continue
      const id = await deliver({ html: shown })
      const response = await page.goto(`${server.url}/api-v1-messages/${id}/html`)

      assert.equal(response?.status(), 200, content)
      assert.deepEqual([await hasRun(page), done], [false, []], content)
    }
  }
})

test('Sanitized HTML runs no script and loads nothing where a page would let it, also when everything in it is clicked', {
  skip: withoutBrowser,
}, async (t) => {
  const { server } = await openMailbox(t)
  const { read } = startReader(t)
  const { page } = await openScreen(t, server.url, { fresh: true })
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto(server.url)
  const done = watch(page)
  for (const content of hostileHtml) {
    await page.setContent(mailOf(await read(html(content))).html ?? '')
    const click = `for (const link of document.querySelectorAll('a, button, [tabindex], p, div')) {
      link.addEventListener('click', (event) => { if (/^https?:/.test(link.href)) event.preventDefault() })
      for (const type of ['click', 'mouseover', 'pointerenter', 'focus']) link.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
    }`
    await page.evaluate(click)

    assert.deepEqual([await hasRun(page), done], [false, []], content)
  }
})

test('Unsanitized, the same HTML does run scripts, so that the tests would notice', {
  skip: withoutBrowser,
}, async (t) => {
  const { server } = await openMailbox(t)
  const { page } = await openScreen(t, server.url, { fresh: true })
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto(server.url)
  const done = watch(page)

  await page.setContent(hostileHtml[0]!)

  assert.deepEqual([await hasRun(page), done], [true, ['dialog 1']])
})
