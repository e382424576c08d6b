import { setTimeout as delay } from 'node:timers/promises'
import { minuteMs, secondMs } from '../../../lib/clock.ts'
import { errorFields, log } from '../../../lib/log.ts'
import { onAccessChange } from '../../../store/on-access-change.ts'
import { FailingMessage } from './failing-message.ts'
import { listSources, lookupSource, type Source } from './listed-sources.ts'
import { sourcesChanged } from './mail-source.ts'
import { MailboxFailure } from './mailbox.ts'
import { NoRoom, type ReadingOptions, readSource } from './read-source.ts'
import { noteFailure } from './source-reports.ts'

/** The pauses after failures, in milliseconds. */
export interface Pauses {
  /** Each is twice as long as the one before, up to the last. */
  readonly firstMs: number
  readonly lastMs: number
  /** After a wrong password, and while a company may store no more: servers lock accounts that are tried often. */
  readonly longMs: number
  /** How long the answer to a command may take, whatever the server says meanwhile. Default: five minutes. */
  readonly answerMs?: number
}

const pausesDefault: Pauses = { firstMs: 10 * secondMs, lastMs: 10 * minuteMs, longMs: 15 * minuteMs }

/** Longer than IDLE, and than a server may search a large folder. */
const answerMsDefault = 5 * minuteMs

/** Each keeps a connection. */
const readMaxDefault = 1_000

interface FollowingOptions extends ReadingOptions {
  /** How many sources are read. Default: 1,000. */
  readonly readMax?: number | undefined
  readonly pauses?: Pauses | undefined
}

interface Followed {
  readonly version: string
  readonly end: AbortController
  readonly done: Promise<void>
}

/** Reads all sources until it is stopped, also those that another process adds, such as the import of a company. */
export function followSources(options: FollowingOptions): { stop(): Promise<void> } {
  const followed = new Map<string, Followed>()
  const ending = new Set<Promise<void>>()
  const end = (id: string, { end, done }: Followed) => {
    followed.delete(id)
    end.abort()
    ending.add(done)
    void done.finally(() => ending.delete(done))
  }
  const { store, readMax = readMaxDefault } = options
  let isStopped = false
  let left = new Set<string>()
  /** Reports the sources for which there is no place. */
  const leave = (sources: readonly Source[]) => {
    const more = sources.filter(({ id }) => !left.has(id))
    left = new Set(sources.map(({ id }) => id))
    if (more.length > 0) log('there are more mailboxes than are read', { read: readMax, left: left.size }, 'error')
    const failure = new MailboxFailure(`The server reads at most ${readMax} mailboxes, and has no place for this one`)
    for (const source of more) void report(options, source, failure)
  }
  const look = () => {
    if (isStopped) return
    const all = listSources(store.access)
    const sources = new Map(all.slice(0, readMax).map((source) => [source.id, source]))
    leave(all.slice(readMax))
    for (const [id, each] of followed) if (sources.get(id)?.version !== each.version) end(id, each)
    for (const [id, source] of sources) {
      if (followed.has(id)) continue
      const ends = new AbortController()
      const each = { version: source.version, end: ends, done: follow(options, source, ends.signal) }
      followed.set(id, each)
      void each.done.then(() => followed.get(id) === each && followed.delete(id)) // the next look may begin it again
    }
  }
  store.listen(sourcesChanged, look)
  look()
  const endLooks = onAccessChange(
    store,
    look,
    (error) => log('the mailboxes could not be listed', errorFields(error), 'error'), // the next second lists them
  )
  return {
    async stop() {
      isStopped = true
      endLooks()
      for (const [id, each] of followed) end(id, each)
      await Promise.all(ending)
    },
  }
}

/** Reads a source again and again. Never rejects. */
async function follow(options: FollowingOptions, source: Source, signal: AbortSignal): Promise<void> {
  const { firstMs, lastMs, longMs, answerMs = answerMsDefault } = options.pauses ?? pausesDefault
  const failing = new FailingMessage(options.store, source.id)
  for (let pauseMs = firstMs; !signal.aborted; ) {
    const begun = Date.now()
    try {
      await readSource(options, { source, failing, signal, answerMsMax: answerMs })
      if (!lookupSource(options.store.access, source)) return
    } catch (error) {
      if (signal.aborted) return
      await report(options, source, error)
      const isLong = error instanceof NoRoom || (error instanceof MailboxFailure && error.isLogin)
      if (Date.now() - begun > lastMs) pauseMs = firstMs
      await delay(isLong ? longMs : pauseMs, undefined, { signal, ref: false }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, lastMs)
    }
  }
}

async function report({ store }: ReadingOptions, source: Source, error: unknown): Promise<void> {
  if (!(error instanceof MailboxFailure)) log('a mailbox was not read', errorFields(error), 'error')
  const message = error instanceof MailboxFailure ? error.message : 'The server failed'
  await noteFailure(store, source, message).catch((failed) =>
    log('a mailbox was not read', errorFields(failed), 'error'),
  )
}
