import { fetchServer } from './fetch-server.ts'
import { takeKnown } from './first-reads.ts'

/** The server's limits (`/console/read`): how many GETs one request can have, and roughly how long its URL can be. */
const targetsMax = 16
const charactersMax = 8_000

interface Get {
  path: string
  headers: Readonly<Record<string, string>>
  signal: AbortSignal | undefined
  /** The server reads it before the others. */
  isFirst?: boolean
}

interface Started extends Get {
  resolve(response: Response): void
  reject(error: unknown): void
}

let started: Started[] = []

/** Like `fetch` of a GET, whose response the page may contain. GETs with the same headers that are started at the same time become one request, so that a page needs few to load. */
export function fetchTogether(get: Get): Promise<Response> {
  const known = takeKnown(get.path, get.headers)
  if (known) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    if (started.length === 0) setTimeout(sendStarted)
    const added = { ...get, resolve, reject }
    started = get.isFirst ? [added, ...started] : [...started, added]
  })
}

function sendStarted(): void {
  const gets = started.filter(({ signal }) => !signal?.aborted)
  for (const { signal, reject } of started) if (signal?.aborted) reject(signal.reason)
  started = []
  for (const group of Map.groupBy(gets, ({ headers }) => JSON.stringify(headers)).values()) {
    for (const part of partsOf(group)) void (part.length === 1 ? sendOne(part[0]!) : sendAll(part))
  }
}

/** Divides GETs so that each part is short enough for one request. */
function partsOf(gets: readonly Started[]): Started[][] {
  const parts: Started[][] = []
  let characters = 0
  for (const get of gets) {
    const length = targetOf(get).length
    const part = parts.at(-1)
    if (part && part.length < targetsMax && characters + length <= charactersMax) part.push(get)
    else {
      parts.push([get])
      characters = 0
    }
    characters += length
  }
  return parts
}

/** The characters of a path that have no meaning in a query stay readable. */
function targetOf({ path }: Get): string {
  return `get=${encodeURIComponent(path).replace(/%(2F|3F|3D|2C|3A)/g, decodeURIComponent)}`
}

async function sendOne({ path, headers, signal, resolve, reject }: Started): Promise<void> {
  await fetchServer(path, { headers, signal: signal ?? null }).then(resolve, reject)
}

async function sendAll(gets: readonly Started[]): Promise<void> {
  const abort = new AbortController()
  for (const { signal, reject } of gets) {
    signal?.addEventListener('abort', () => {
      reject(signal.reason)
      if (gets.every((get) => get.signal?.aborted)) abort.abort()
    })
  }
  try {
    const { headers } = gets[0]!
    const path = `/console/read?${gets.map(targetOf).join('&')}`
    const responses = await readAll(await fetchServer(path, { headers, signal: abort.signal }))
    for (const [at, { resolve }] of gets.entries()) resolve(responses(at))
  } catch (error) {
    for (const { reject } of gets) reject(error)
  }
}

/** Returns a function that returns the response to one of the GETs. The response to a refused request is that to each of them. */
async function readAll(response: Response): Promise<(at: number) => Response> {
  const text = await response.text()
  if (!response.ok) return () => new Response(text, { status: response.status })
  const { data } = JSON.parse(text) as { data: { status: number; etag?: string; body: unknown }[] }
  return (at) => {
    const { status, etag, body } = data[at]!
    return Response.json(body, { status, ...(etag !== undefined && { headers: { ETag: etag } }) })
  }
}
