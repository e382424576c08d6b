import type { Environment } from '../../../access/company.ts'
import { type News, tell } from '../data/news.ts'
import { isOwnWrite } from '../data/once.ts'
import { newestCursor, readStream, refusedMs, type StreamEvent } from './change-stream.ts'

/** What the window that has the stream tells the others. `news` undefined: anything may have changed. */
interface Message {
  cursor: string | undefined
  news?: News
}

const retryMs = 10_000

/**
 * Follows the changes of a workspace until the returned function is called. Of the visible windows of a browser, one has the stream and
 * tells the others. Without Web Locks, as on a page without HTTPS, none has it.
 */
export function follow(environment: Environment, userId: string): () => void {
  if (!navigator.locks) return () => {}
  const name = `kontor.changes.${userId}.${environment}`
  const channel = new BroadcastChannel(name)
  let cursor: string | undefined
  let visible: AbortController | undefined
  channel.onmessage = ({ data }: MessageEvent<Message>) => take(data)
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
    visible?.abort()
    channel.close()
  }

  /** A hidden window leaves the stream to a visible one. A browser in the background has none. */
  function update(): void {
    const isVisible = document.visibilityState === 'visible'
    if (isVisible === (visible !== undefined)) return
    visible?.abort()
    visible = isVisible ? new AbortController() : undefined
    if (visible) void lead(visible.signal)
  }

  /** Waits until no other window has the stream, then reads it. */
  async function lead(signal: AbortSignal): Promise<void> {
    try {
      cursor ??= await newestCursor(environment, signal)
    } catch {
      // it is read again below
    }
    const read = async () => {
      while (!signal.aborted) await pause(await readOnce(signal), signal)
    }
    await navigator.locks.request(name, { signal }, read).catch((error) => {
      if (!signal.aborted) throw error
    })
  }

  /** Reads the stream until it ends. Returns how many milliseconds to wait before the next attempt. */
  async function readOnce(signal: AbortSignal): Promise<number> {
    try {
      cursor ??= await newestCursor(environment, signal)
      if (cursor === undefined) return refusedMs
      const pauseMs = await readStream({ environment, signal, after: cursor, onEvent, onLost })
      // The server ends the stream of a user whose role has changed. The next one may not have the change.
      share({ cursor, news: { type: 'session.updated', resource: 'session', record_id: userId, request_id: null } })
      return pauseMs
    } catch {
      return retryMs // the server cannot be reached, or the window is hidden now
    }
  }

  function onEvent({ id, data }: StreamEvent): void {
    share({ cursor: id, news: JSON.parse(data) as News })
  }

  function onLost(): void {
    share({ cursor: undefined })
  }

  function share(message: Message): void {
    channel.postMessage(message)
    take(message)
  }

  function take({ cursor: at, news }: Message): void {
    cursor = at
    if (!news) tell('unknown')
    else if (!isOwnWrite(news.request_id)) tell([news])
  }
}

/** Waits at least `ms`; the windows of many users do not return at the same time. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms * (1 + Math.random() / 2))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
