import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { openPage } from '../support/page.ts'
import { until } from '../support/wait.ts'
import { targetsOf } from './reads.ts'

const skip = withoutBrowser

/** The size of what the browser loads for a page, without data, in KiB as sent. */
const sizeMax = 71

test('The first page loads at most 71 KiB, and other pages’ scripts only while the browser is idle', {
  skip,
}, async (t) => {
  const { page } = await openConsole(t, { fresh: true })
  const sizes = new Map<string, Promise<number>>()
  page.on('requestfinished', (request) => {
    if (targetsOf(request.url()).some((target) => /^\/(api-v1-|console\/)/.test(target))) return
    sizes.set(
      request.url(),
      request.sizes().then(({ responseBodySize }) => responseBodySize),
    )
  })
  await openPage(page, '/')
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor()
  const loaded = await Promise.all(sizes.values())
  const kib = loaded.reduce((sum, size) => sum + size, 0) / 1024
  assert.ok(loaded.length > 4)
  assert.ok(kib <= sizeMax, `${kib.toFixed(1)} KiB: ${[...sizes.keys()].join(' ')}`)
})

/** How many files a document may name: a browser loads six at a time. */
const filesMax = 10

/** What a page may load: round trips for data after its document and its scripts, and bytes, without data, in KiB as sent. */
const limits: [path: string, rounds: number, kib: number][] = [
  ['', 2, sizeMax],
  ['pipeline', 0, 90],
  ['reports', 2, 104],
  ['organizations', 1, 118],
  ['contacts', 1, 118],
  ['deals', 1, 118],
  ['tasks', 1, 118],
  ['activities', 1, 118],
  ['organizations/:organization', 2, 118],
  ['contacts/:contact', 2, 118],
  ['deals/:deal', 2, 118],
  ['tasks/:task', 2, 118],
  ['keys', 1, 118],
  ['webhooks', 1, 118],
  ['trash', 1, 118],
  ['settings', 1, 118],
  ['settings/fields', 1, 118],
  ['settings/mail', 2, 118],
  ['inbox', 1, 118],
  ['import', 1, 135],
  ['contacts/duplicates', 1, 135],
]

test('Every page loads its files in one round trip, its data in one or two more, the board in none, and few bytes', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { live: true })
  const { id: organization } = await make(api, 'organization', { name: 'Nordwind' })
  const { id: contact } = await make(api, 'contact', { first_name: 'Grace', organization_id: organization })
  const { id: deal } = await make(api, 'deal', { title: 'Hampers', organization_id: organization, contact_id: contact })
  const { id: task } = await make(api, 'task', { title: 'Call back', deal_id: deal })
  const ids: Record<string, string> = { organization, contact, deal, task }
  const loads = await watchLoads(page)
  for (const [name, rounds, kib] of limits) {
    const path = `/${name.replace(/:(\w+)/, (_, record) => ids[record]!)}`
    await openPage(page, 'about:blank') // ends what the page before still requests
    const load = await loads.begin(path)
    const counted = await countRounds(page, load, () => isShown(page))
    const size = (await load.bytes()) / 1024

    const what = `${path}: ${JSON.stringify({ counted, size, files: load.files, asked: load.asked }, null, 2)}`
    assert.ok(counted <= rounds, what)
    assert.ok(size > 20 && size <= kib, what)
    assert.ok(load.files.length > 4 && load.files.length <= filesMax, what)
    for (const file of load.files) assert.ok(load.document.includes(file) || file.includes('bar-chart'), what)
  }
})

const isData = (url: URL) => targetsOf(url).some((target) => /^\/(api-v1-|console\/)/.test(target))

interface Load {
  document: string
  /** The paths of the scripts and styles. */
  files: string[]
  /** The requests for data that wait, except the stream of changes. */
  held: Route[]
  /** What was asked for, in rounds. */
  asked: string[][]
  /** Of the document, the scripts and the styles, as sent. */
  bytes(): Promise<number>
}

/** Holds back the requests for data. */
async function watchLoads(page: Page) {
  let load: Load
  let sizes: Promise<number>[] = []
  await page.route(isData, (route) => {
    if (route.request().url().includes('payload=ids')) return route.abort()
    load.held.push(route)
  })
  page.on('requestfinished', (request) => {
    if (!['document', 'script', 'stylesheet'].includes(request.resourceType())) return
    if (request.resourceType() !== 'document') load.files.push(new URL(request.url()).pathname)
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  return {
    async begin(path: string): Promise<Load> {
      sizes = []
      const bytes = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      load = { document: '', files: [], held: [], asked: [], bytes }
      const response = await page.goto(path)
      load.document = await response!.text()
      return load
    },
  }
}

/** Answers the requests for data of a page in rounds, each once the page waits for nothing else, until the page is shown. */
async function countRounds(page: Page, { held, asked }: Load, isOver: () => Promise<boolean>): Promise<number> {
  for (let rounds = 0; ; rounds++) {
    await until('the page waits for requests only', async () => (await waitsFor(page)) === targetsIn(held), {
      is: Boolean,
    })
    const over = await isOver()
    asked.push(held.flatMap((route) => targetsOf(route.request().url())))
    await Promise.all(held.splice(0).map((route) => route.continue()))
    if (over) return rounds
  }
}

/** The number of requests that a page waits for; -1: it waits for something else. */
async function waitsFor(page: Page): Promise<number> {
  const works = (await page.locator(':root').getAttribute('data-busy'))?.split(', ') ?? []
  return works.every((work) => work.startsWith('GET ')) ? works.length : -1
}

function targetsIn(held: readonly Route[]): number {
  return held.flatMap((route) => targetsOf(route.request().url())).length
}

/** Whether a page shows its content. */
async function isShown(page: Page): Promise<boolean> {
  return (await page.locator('main h1').count()) > 0 && (await page.locator('.bone').count()) === 0
}
