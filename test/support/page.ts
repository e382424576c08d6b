import assert from 'node:assert/strict'
import { errors, type Locator, type Page, type Request } from 'playwright-core'

const limitMs = 30_000

/** Opens a page of the console. Resolves when it is idle. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path, { timeout: limitMs })
  await idle(page)
}

/** Goes from a page of the console to another one as its links do, which takes a third of loading it. Resolves when it is idle. */
export async function follow(page: Page, path: string): Promise<void> {
  const link = `Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} })`
  await page.evaluate(`{ const link = ${link}; document.body.append(link); link.click(); link.remove() }`)
  await idle(page)
  assert.ok(page.url().endsWith(path), `${path} leads to ${page.url()}`)
}

/** Resolves when a page of the console is idle: nothing is requested, and everything is shown. What can be read then stays. */
export async function idle(page: Page): Promise<void> {
  try {
    await page.locator(':root:not([data-busy])').waitFor({ state: 'attached', timeout: limitMs })
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    const busy = await page.locator(':root').getAttribute('data-busy')
    assert.fail(`waited ${limitMs / 1_000} s until ${page.url()} is idle; last seen: ${busy}`)
  }
}

/** Types like a person: each key is shown before the next one is pressed. */
export async function typeSlowly(page: Page, text: string): Promise<void> {
  for (const character of text) {
    await page.keyboard.type(character)
    await idle(page)
  }
}

/** Clicks and presses keys like a user, and counts them. Typed content does not count. */
export function countInputs(page: Page) {
  const walk = {
    count: 0,
    async click(target: Locator): Promise<void> {
      walk.count++
      await target.click()
    },
    async press(key: string): Promise<void> {
      walk.count++
      await page.keyboard.press(key)
    },
  }
  return walk
}

/** Whether a request is for the stream of changes. */
export function isStream(request: Request): boolean {
  return request.headers().accept === 'text/event-stream'
}

/** Opens a page and waits until its window follows the changes. */
export async function goFollowing(page: Page, path: string): Promise<void> {
  const opened = page.waitForResponse((response) => isStream(response.request()) && response.ok())
  await openPage(page, path)
  await opened
}
