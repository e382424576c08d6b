import { errorFields, log } from '../lib/log.ts'
import { unreached } from '../lib/unreached.ts'
import { urlBelow } from '../lib/web-url.ts'
import { receiveBase } from './database-stream.ts'

/** How long, in milliseconds, a leader may send nothing. */
const usualStallMs = 30_000

interface Base {
  /** The id of the log. */
  log: string
  secret: string
  /** Default: half a minute. */
  stallMsMax?: number
}

/** Copies the database of the node at this address to `path`. Throws Error. */
export async function fetchBase(
  url: string,
  path: string,
  { log: logId, secret, stallMsMax = usualStallMs }: Base,
): Promise<void> {
  const abort = new AbortController()
  const watch = () => setTimeout(() => abort.abort(new Error('The leader sends nothing')), stallMsMax)
  const timer = watch()
  const response = await fetch(urlBelow(url, 'cluster/base'), {
    headers: { Authorization: `Bearer ${secret}` },
    redirect: 'error', // the secret is for this node only
    signal: abort.signal,
  })
    .catch((error) => {
      throw new Error(`The leader at ${url} cannot be reached: ${unreached(error).fault}`, { cause: error })
    })
    .finally(() => clearTimeout(timer))
  if (!response.ok || !response.body) throw new Error(`The leader answered ${response.status}`)
  log('copying the database of the leader', { url })
  const head = await receiveBase(path, watched(response.body, watch), logId).catch((error) => {
    log('the copy is not complete', errorFields(error), 'error')
    throw error
  })
  log('copied the database of the leader', { position: head.position, bytes: head.pages * head.pageSize })
}

/** Ends a stream that stops. */
async function* watched(parts: AsyncIterable<Uint8Array>, watch: () => NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  let timer = watch()
  try {
    for await (const part of parts) {
      clearTimeout(timer)
      yield part
      timer = watch()
    }
  } finally {
    clearTimeout(timer)
  }
}
