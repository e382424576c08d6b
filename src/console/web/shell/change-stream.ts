import type { Environment } from '../../../access/company.ts'
import { fetchServer } from '../data/fetch-server.ts'
import { fetchInBackground } from '../data/http.ts'
import { pageHeaders } from '../data/page-headers.ts'

export interface StreamEvent {
  id: string
  data: string
}

interface Stream {
  environment: Environment
  signal: AbortSignal
  /** The id of the last known event. */
  after: string
  onEvent(event: StreamEvent): void
  /** The server no longer has the events after the last known one. */
  onLost(): void
}

const path = '/api-v1-changes'
const retryMs = 3_000
/** How long to wait after the server has refused. */
export const refusedMs = 60_000
/** Without any text for so long, the connection is dead: the server sends a comment every 15 seconds. */
const silentMs = 50_000

/** The cursor of the newest change; undefined if the server refuses. Throws if it cannot be reached. */
export async function newestCursor(environment: Environment, signal: AbortSignal): Promise<string | undefined> {
  const response = await fetchInBackground(`${path}?after=now&limit=1`, { environment, signal, isFirst: true })
  const { cursor } = (await response.json()) as { cursor?: string }
  return cursor
}

/**
 * Reads the stream of changes until it ends. Returns how many milliseconds to wait before the next attempt. It uses `fetch`: an EventSource
 * cannot name the workspace in a header, and does not tell why the server has refused.
 */
export async function readStream({ environment, signal: left, after, onEvent, onLost }: Stream): Promise<number> {
  const silent = new AbortController()
  const signal = AbortSignal.any([left, silent.signal])
  const watch = () => setTimeout(() => silent.abort(), silentMs)
  let timer = watch()
  const headers = { ...pageHeaders(environment), Accept: 'text/event-stream', 'Last-Event-ID': after }
  const response = await fetchServer(`${path}?payload=ids`, { headers, signal, cache: 'no-store' })
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  if (!response.ok || !isStream || !response.body) {
    await response.body?.cancel()
    if (response.status !== 410) return Math.max(refusedMs, Number(response.headers.get('Retry-After')) * 1_000 || 0)
    onLost()
    return 0
  }
  const parse = eventParser(onEvent)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    clearTimeout(timer)
    if (done) return retryMs
    timer = watch()
    parse(value)
  }
}

/** Returns a function that takes the text of a stream in any pieces. */
function eventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const line = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
      const [id, data] = [line('id'), line('data')]
      if (id !== undefined && data !== undefined) onEvent({ id, data })
    }
  }
}
