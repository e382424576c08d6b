import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { defaultPlan } from '../../src/access/plan.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { atEnd } from './at-end.ts'
import { openScreen, type ScreenOptions } from './browser.ts'
import { temporaryDirectory } from './directory.ts'
import { bundle, type Command, launch } from './program.ts'
import { newOwner, password, type Visitor, visit } from './visitor.ts'

export const owner = { full_name: 'Ada Weber', email: 'ada@acme.example', password }

export interface Console {
  url: string
  page: Page
  context: BrowserContext
  /** Sends requests as the same user, without the browser. */
  api: Visitor
  /** Exceptions and errors of the page. */
  complaints: string[]
}

interface Running {
  url: string
  directory: string
  setupUrl: string
}

/** The domain of the addresses at which the server takes mail. */
export const mailDomain = 'in.acme.example'

/** A server on an empty directory, which takes mail, and sends webhooks to receivers on this machine; returns the link of its first run. */
export async function launchEmpty(t: Pick<TestContext, 'after'>, program = bundle, takesMail = true): Promise<Running> {
  const directory = temporaryDirectory(t)
  const options = ['--data', directory, '--port', '0', '--rate-limits', 'off', '--webhook-allow', '127.0.0.1']
  if (takesMail) options.push('--mail-domain', mailDomain)
  const { first } = await launch(t, program, ['serve', ...options])
  return { url: first.url!, directory, setupUrl: first.setup_url! }
}

interface ConsoleOptions extends ScreenOptions {
  /** A server of its own, without other companies, on which `owner` signs in. Default: one server for all tests of a process. */
  program?: Command
  /** Whether that server takes mail. Default: yes. */
  takesMail?: boolean
  /** Whether the page follows the changes of others. Default: no, so that the test decides when it reloads. */
  live?: boolean
}

/** Opens the console in a browser, signed in as the owner of a new company. */
export async function openConsole(
  t: TestContext,
  { program, takesMail, live = false, ...options }: ConsoleOptions = {},
): Promise<Console> {
  const server = await (program ? launchEmpty(t, program, takesMail) : sharedServer())
  const api = await (program ? setUp(server) : addOwner(server))
  const { url } = server
  const screen = await openScreen(t, url, options)
  if (!live) await screen.page.addInitScript('delete Navigator.prototype.locks') // as without HTTPS
  await enterAs(screen.context, url, api)
  return { url, api, ...screen }
}

/** Gives a browser the session of a user. */
export async function enterAs(context: BrowserContext, url: string, { cookie }: Visitor): Promise<void> {
  const [name, value] = cookie!.split('=') as [string, string]
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
}

async function setUp({ url, setupUrl }: Running): Promise<Visitor> {
  const api = visit(url)
  const token = setupUrl.split('#')[1]
  assert.equal((await api.post('/console/setup', { token, company_name: 'Acme', ...owner })).status, 201)
  return api
}

function addOwner({ url, directory }: Running): Promise<Visitor> {
  return withStore(directory, (store) => newOwner({ url, store }, defaultPlan))
}

let shared: Promise<Running> | undefined

function sharedServer(): Promise<Running> {
  shared ??= launchEmpty({ after: (end) => atEnd(end as () => unknown) })
  return shared
}

/** Presses the button of the record's menu that has this name. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('dialog', { name: 'More actions' }).getByRole('button', { name }).click()
}

/** Holds requests of a method until the returned function is called. */
export async function hold(
  page: Page,
  path: Parameters<Page['route']>[0],
  method: string,
): Promise<(end: 'continue' | 'abort') => void> {
  const { promise: released, resolve: response } = Promise.withResolvers<'continue' | 'abort'>()
  await page.route(path, async (route: Route) => {
    if (route.request().method() === method && (await released) === 'abort') await route.abort()
    else await route.continue()
  })
  return response
}

/** Sets the time of the browser, and that of the server as pages show it. */
export async function setTime(page: Page, time: string): Promise<void> {
  await page.clock.setFixedTime(time)
  await page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(/"now":"[^"]*"/, `"now":"${time}"`)
    return route.fulfill({ response, body })
  })
}
