import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { atEnd } from './at-end.ts'
import { keepLine } from './server-log.ts'

/** Possible paths of the browser. The headless shell comes first: its pages use a third of the CPU time of a complete Chromium. */
const paths = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
/** The path of the browser, if there is one. */
export const chromiumPath: string | undefined = paths.find((path) => path !== '' && existsSync(path))

/** The value for a test's `skip`: false, or the reason why the test cannot run. */
export const withoutBrowser: string | false = chromiumPath
  ? false
  : 'no browser is installed: apt-get install chromium-headless-shell, or set CHROMIUM_PATH'

let browser: Promise<Browser> | undefined

/** A context that tests with the same options share, so that scripts stay compiled. Its idle page keeps the process of its pages alive. */
interface Profile {
  context: BrowserContext
  idle: Page
}

const profiles = new Map<string, Promise<Profile>>()

export interface ScreenOptions {
  width?: number
  theme?: 'light' | 'dark'
  /** A phone with a touch screen. */
  touch?: boolean
  /** Default: `en-GB`. */
  locale?: string
  /** `Asia/Tokyo`; default: the machine's. */
  timeZone?: string
  /** A profile of its own, for a test that changes the clock or the network of its context. Default: a shared profile. */
  fresh?: boolean
}

/** What a mistake in a script throws. The console shows its other errors. */
const mistakes = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']

/**
 * An empty browser profile, cleared after the test. Exceptions and errors of the page (such as policy violations) are added to `complaints`;
 * after a mistake in a script, the test fails in any case.
 */
export async function openScreen(
  t: TestContext,
  baseURL: string,
  { fresh = false, ...options }: ScreenOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  let page: Page | undefined
  t.after(async () => {
    if (!t.passed && page && !page.isClosed()) keepLine(`screenshot: ${await takeScreenshot(page, t.name)}`)
  })
  const context = await (fresh ? newContext(t, baseURL, options) : sharedContext(t, baseURL, options))
  page = await context.newPage()
  if (!fresh) refuseClock(page)
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  const mistaken: string[] = []
  page.on('pageerror', ({ name, message, stack }) => {
    complaints.push(message)
    if (mistakes.includes(name)) mistaken.push(stack ?? message)
  })
  t.after(() => assert.deepEqual(mistaken, [], 'the page has thrown'))
  page.on('console', (message) => keepLine(`${page.url()} ${message.type()}: ${message.text()}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** The clock of a page is that of its context, so the next test would have it, too. */
function refuseClock(page: Page): void {
  const get = () => {
    throw new Error('The clock of a shared profile is that of other tests: open the page with `fresh: true`')
  }
  Object.defineProperty(page, 'clock', { get })
}

/** Returns the path of the picture. */
async function takeScreenshot(page: Page, test: string): Promise<string> {
  const path = resolve('test-results', `${test.replace(/\W+/g, '-').slice(0, 80)}.png`)
  await page.screenshot({ path, timeout: 5_000 })
  return path
}

async function newContext(t: TestContext, baseURL: string, options: ScreenOptions): Promise<BrowserContext> {
  const context = await launchContext(baseURL, options)
  t.after(() => context.close())
  return context
}

async function sharedContext(t: TestContext, baseURL: string, options: ScreenOptions): Promise<BrowserContext> {
  const key = JSON.stringify([baseURL, options])
  if (!profiles.has(key)) profiles.set(key, newProfile(baseURL, options))
  const { context, idle } = await profiles.get(key)!
  t.after(async () => {
    for (const page of context.pages()) if (page !== idle) await page.close()
    await context.unrouteAll()
    await context.setOffline(false)
    await context.clearCookies()
    await idle.evaluate('localStorage.clear()')
  })
  return context
}

async function newProfile(baseURL: string, options: ScreenOptions): Promise<Profile> {
  const context = await launchContext(baseURL, options)
  const idle = await context.newPage()
  await idle.goto('/assets/icon.svg')
  return { context, idle }
}

async function launchContext(
  baseURL: string,
  { width = 1280, theme = 'light', touch = false, locale = 'en-GB', timeZone }: ScreenOptions,
): Promise<BrowserContext> {
  browser ??= launchBrowser()
  const context = await (await browser).newContext({
    baseURL,
    viewport: { width, height: width < 600 ? 740 : 860 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: touch,
    isMobile: touch,
    permissions: ['clipboard-read', 'clipboard-write'],
    locale,
    ...(timeZone && { timezoneId: timeZone }),
  })
  // Otherwise each page loads the scripts of all others after a while.
  await context.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
  return context
}

function launchBrowser(): Promise<Browser> {
  const launched = chromium.launch({
    executablePath: chromiumPath!,
    args: ['--no-sandbox', '--renderer-process-limit=1'],
  })
  atEnd(async () => (await launched).close())
  return launched
}
