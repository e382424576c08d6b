import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../support/browser.ts'
import { fillDeals } from './pipeline.ts'
import { serving, start, stop } from './processes.ts'

const deals = 300
/** A frame at 60 per second takes 16.7 ms. */
const frameMsMax = 17
const rounds = 5
/** Bytes per second. */
const slowNetwork = { offline: false, latency: 800, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** How long a slow network takes until the console's board has cards, and its frames while one of 300 deals is dragged over all stages. */
export async function benchBoard(): Promise<void> {
  if (!chromiumPath) return console.log('The board: no browser is installed.\n')
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { cookie } = await fillDeals(data, 1)
  const command = serving(data)
  const { child, first } = await start('0-1', command, { KONTOR_RATE_LIMITS: 'off' })
  await addDeals(first.url, cookie)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  const context = await browser.newContext({ baseURL: first.url, viewport: { width: 1920, height: 1080 } })
  const [name, value] = cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: first.url }])
  const page = await context.newPage()
  await reportSlowVisits(page)
  await openBoard(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const alone = await moveOver(page, session)
  await page.locator('.deal').first().hover()
  await page.mouse.down()
  const dragging = await moveOver(page, session)
  await browser.close()
  await stop(child)
  rmSync(data, { recursive: true })
  report(`Dragging one of ${deals} deals`, dragging)
  report('The same movement without a deal', alone)
  console.log('')
}

/** A first visit and a second one, with an empty cache of the browser before the first. */
async function reportSlowVisits(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowNetwork)
  const seconds: string[] = []
  for (let visit = 0; visit < 2; visit++) {
    await page.goto('about:blank') // ends what the visit before loads for other pages
    const begin = performance.now()
    await page.goto('/pipeline', { waitUntil: 'commit' })
    await page.locator('.deal').first().waitFor()
    seconds.push(((performance.now() - begin) / 1_000).toFixed(1))
  }
  await session.detach() // the network is as before
  console.log(
    `At 800 ms and 50 kB/s, the board has cards after ${seconds[0]} s, and on a second visit after ${seconds[1]} s.`,
  )
}

interface Frames {
  /** The times between frames, in milliseconds. */
  gaps: number[]
  /** How long the page's main thread was busy. */
  busyMs: number
}

function report(what: string, { gaps, busyMs }: Frames): void {
  const late = (gaps.filter((gap) => gap > frameMsMax).length / gaps.length) * 100
  const [longest, busy] = [Math.max(...gaps).toFixed(0), (busyMs / gaps.length).toFixed(1)]
  console.log(
    `${what}: ${late.toFixed(1)} % of ${gaps.length} frames later than ${frameMsMax} ms, the longest ${longest} ms; the page is busy for ${busy} ms of each.`,
  )
}

/** Adds deals to all stages, each with an organization, a date and a title of several lines. */
async function addDeals(url: string, cookie: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Kontor-Environment': 'live', Cookie: cookie }
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
    return ((await response.json()) as { data: T }).data
  }
  const stages = await ask<{ id: string }[]>('api-v1-stages')
  const { id: organization_id } = await ask<{ id: string }>('api-v1-organizations', {
    name: 'Donaudampfschifffahrt Logistik GmbH',
  })
  for (let n = 1; n < deals; n++) {
    await ask('api-v1-deals', {
      title: n % 3 ? `Framework agreement for packaging machines ${n}` : `Renewal ${n}`,
      value: n * 370.5,
      currency: n % 10 ? 'EUR' : 'CHF',
      stage_id: stages[n % stages.length]!.id,
      expected_close_date: '2027-03-01',
      organization_id,
    })
  }
}

/** Opens the board and scrolls its columns until all deals are shown. */
async function openBoard(page: Page): Promise<void> {
  await page.goto('/pipeline')
  await page.locator('.deal').first().waitFor()
  for (let shown = 0; shown < deals; shown = await page.locator('.deal').count()) {
    await page.evaluate("document.querySelectorAll('.column > ul').forEach((list) => list.scrollTo(0, 1e6))")
  }
  await page.evaluate("document.querySelectorAll('.column > ul').forEach((list) => list.scrollTo(0, 0))")
}

/** Moves the pointer over all columns and back. */
async function moveOver(page: Page, session: CDPSession): Promise<Frames> {
  await page.mouse.move(700, 500, { steps: 5 })
  await page.evaluate(`(${record})()`)
  const before = await busy(session)
  for (let round = 0; round < rounds; round++) {
    await page.mouse.move(1850, 700, { steps: 60 })
    await page.mouse.move(300, 400, { steps: 60 })
  }
  const gaps = await page.evaluate<number[]>('endFrames()')
  return { gaps, busyMs: (await busy(session)) - before }
}

/** Runs in the page: keeps the times between its frames until `endFrames` is called. */
const record = `() => {
  const gaps = []
  let last, running = true
  const frame = (now) => {
    if (last !== undefined) gaps.push(now - last)
    last = now
    if (running) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  globalThis.endFrames = () => { running = false; return gaps }
}`

async function busy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
}
