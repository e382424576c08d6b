import { contactBodies, recordsPerJob } from '../contacts.ts'
import { jobEnded, submitJob } from '../imports.ts'
import { numbered } from '../served.ts'
import type { Server } from './server.ts'

/** What is done with both servers. */
export interface Case {
  name: string
  /** The processor time that it takes at a time, of the slower of the two servers. */
  sliceMs: number
  /** Does it `count` times. Throws if the server refuses it. */
  run(server: Server, count: number): Promise<void>
  /** It is done by threads that end with it. */
  endsThreads?: boolean
  /** It leaves something to be done in the next seconds, such as entering texts in the search index. */
  defers?: boolean
}

const contactsUrl = '/api-v1-contacts'
const organizationsUrl = '/api-v1-organizations'
const sliceMs = 40
const organizations = 1_000
/** A multiple of `recordsPerJob`. */
const contacts = 2_000
const statuses = ['lead', 'active', 'inactive', 'lost']

/** A name, names of many, a part of a name, an email, a word that many have, and one that nothing has. */
const searches = ['hopper-7919', 'grace hopper', 'lovela', 'ada.104729', 'nordwind', 'purchasing', 'qqxyzzy']

/** Requests of a server without its response cache: every response is computed. */
export const computed: readonly Case[] = [
  requests('GET by id', (server, n) => get(server, `${organizationsUrl}/${idOf(server, n)}`)),
  requests('list of 50', (server) => get(server, `${organizationsUrl}?limit=50`)),
  requests('list by status, with total', (server) => get(server, `${organizationsUrl}?limit=50&status=active`)),
  writes('POST', (server, n) => write(server, 'POST', organizationsUrl, numbered(n))),
  writes('PATCH', (server, n) =>
    write(server, 'PATCH', `${organizationsUrl}/${idOf(server, n)}`, { city: `Kiel ${n}` }),
  ),
  requests('search', (server, n) =>
    get(server, `/api-v1-search?q=${encodeURIComponent(searches[n % searches.length]!)}`),
  ),
]

/** What is done with a server as it is by default. */
export const usual: readonly Case[] = [
  requests('GET by id, cached', (server, n) => get(server, `${organizationsUrl}/${idOf(server, n)}`)),
  { name: `export of ${contacts} contacts`, sliceMs: 100, run: exportContacts, endsThreads: true },
  { name: 'contacts imported', sliceMs: 120, run: importContacts, defers: true },
]

/** Fills a company that has no records. */
export async function fill(server: Server): Promise<void> {
  await server.connections.open()
  const filling = requests('POST', (_, n) => {
    const status = statuses[n % statuses.length]
    if (n < organizations) return write(server, 'POST', organizationsUrl, { ...numbered(n), status })
    return write(server, 'POST', contactsUrl, bodies[n - organizations]!)
  })
  const bodies = Array.from({ length: contacts / recordsPerJob }, (_, job) => contactBodies(job)).flat()
  server.requests = 0
  await filling.run(server, organizations + contacts)
}

/** The ids of the organizations. */
export async function listIds({ url, company }: Server): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ids.length < organizations; page++) {
    const response = await fetch(`${url}${organizationsUrl}?limit=100&page=${page}`, { headers: headersOf(company) })
    const { data } = (await response.json()) as { data: { id: string }[] }
    if (data.length === 0) throw new Error(`The list of organizations has ${ids.length} of ${organizations}`)
    ids.push(...data.map(({ id }) => id))
  }
  return ids
}

function requests(name: string, textOf: (server: Server, number: number) => string): Case {
  return {
    ...{ name, sliceMs },
    async run(server, count) {
      await server.connections.send(count, () => textOf(server, server.requests++))
    },
  }
}

function writes(name: string, textOf: (server: Server, number: number) => string): Case {
  return { ...requests(name, textOf), defers: true }
}

function get(server: Server, path: string): string {
  return `${headOf(server, 'GET', path)}\r\n`
}

function write(server: Server, method: string, path: string, body: object): string {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  const head = headOf(server, method, path)
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`
}

function headOf({ url, company }: Server, method: string, path: string): string {
  const host = url.slice('http://'.length)
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${company.key}\r\n`
}

/** 7 and the number of organizations have no common divisor: each is asked for. */
function idOf({ company: { organizationIds } }: Server, number: number): string {
  return organizationIds[(number * 7) % organizationIds.length]!
}

async function exportContacts({ url, company }: Server, count: number): Promise<void> {
  const headers = { ...headersOf(company), Accept: 'text/csv', 'Accept-Encoding': 'identity' }
  for (let done = 0; done < count; done++) {
    const response = await fetch(`${url}${contactsUrl}`, { headers })
    const type = response.headers.get('content-type')
    await response.text()
    if (!response.ok || !type?.startsWith('text/csv')) throw new Error(`${response.status} with ${type}, not CSV`)
  }
}

/** Imports contacts that the company does not have. */
async function importContacts(server: Server, count: number): Promise<void> {
  const headers = { ...headersOf(server.company), 'Content-Type': 'application/json' }
  let last = ''
  for (let left = count; left > 0; left -= recordsPerJob) {
    const records = contactBodies(server.jobs++).slice(0, left)
    last = await submitJob(server.url, headers, JSON.stringify({ records }))
  }
  await jobEnded(`${server.url}${last}`, headers)
}

function headersOf({ key }: Server['company']): Record<string, string> {
  return { Authorization: `Bearer ${key}` }
}
