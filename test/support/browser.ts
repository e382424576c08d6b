import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Possible paths of the browser. The headless shell comes first: its pages use a third of the CPU time of a complete Chromium. */
const paths = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const executablePath = paths.find((path) => path !== '' && existsSync(path))

/** The value for a test's `skip`: false, or the reason why the test cannot run. */
export const withoutBrowser: string | false = executablePath
  ? false
  : 'no browser is installed: apt-get install chromium-headless-shell, or set CHROMIUM_PATH'

let browser: Promise<Browser> | undefined

export interface ScreenOptions {
  width?: number
  theme?: 'light' | 'dark'
  /** A phone with a touch screen. */
  touch?: boolean
  /** Default: `en-GB`. */
  locale?: string
  /** `Asia/Tokyo`; default: the machine's. */
  timeZone?: string
}

/** A fresh browser profile, closed with the test. Exceptions and errors of the page (such as policy violations) are added to `complaints`. */
export async function openScreen(
  t: TestContext,
  baseURL: string,
  { width = 1280, theme = 'light', touch = false, locale = 'en-GB', timeZone }: ScreenOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  browser ??= chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
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
  t.after(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** Call it after the last test of a file: an open browser keeps the process alive. */
export async function closeBrowser(): Promise<void> {
  const open = await browser
  browser = undefined
  await open?.close()
}
