import { createReadStream } from 'node:fs'
import { unavailable } from '../store/constraint.ts'
import { type Contents, type Found, nameOf, type Place, type Received } from './contents.ts'
import { FaultCounts } from './faults.ts'
import { Removals } from './removals.ts'
import { listContent } from './s3-list.ts'
import { partsOf, S3Refused, S3Requests, type S3Setting } from './s3-requests.ts'
import { Unfinished } from './unfinished.ts'

/** How often a download goes on after its connection broke. */
const breaksMax = 3

/** Content in a bucket: `<prefix>/<workspace>/<first two digits>/<sha256>` (decision O3). It arrives in a directory, since its name and signature need its digest. */
export class S3Contents implements Contents {
  readonly faults = new FaultCounts()
  readonly removals = new Removals()
  readonly #prefix: string
  readonly #requests: S3Requests
  readonly #unfinished: Unfinished

  constructor(setting: S3Setting, directory: string) {
    this.#prefix = setting.prefix
    this.#requests = new S3Requests(setting)
    this.#unfinished = new Unfinished(directory, { isSynced: false })
  }

  async receive(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Received> {
    const { path, sha256, bytes } = await this.#unfinished.take(source, bytesMax)
    const keep = async (workspaceId: number) => {
      const body = { bytes, sha256, open: () => createReadStream(path) }
      const key = this.#keyOf({ workspaceId, sha256 })
      await within('The file was not stored', async () => {
        ;(await this.#requests.send({ method: 'PUT', key, body })).resume()
      })
    }
    const putAt = (to: string) => this.#unfinished.putAt(path, to)
    return { sha256, bytes, keep, putAt, discard: () => this.#unfinished.discard(path) }
  }

  lookupBytes(place: Place): Promise<number | undefined> {
    return within('The content cannot be read', async () => {
      try {
        const res = await this.#requests.send({ method: 'HEAD', key: this.#keyOf(place) })
        res.resume() // frees the connection
        return Number(res.headers['content-length'])
      } catch (error) {
        if (error instanceof S3Refused && error.status === 404) return undefined
        throw error
      }
    })
  }

  async *read(place: Place, begin: number, end: number): AsyncIterable<Buffer> {
    let breaks = 0
    for (let at = begin; at < end; ) {
      try {
        for await (const part of this.#range(place, at, end)) {
          at += part.length
          yield part
        }
      } catch (error) {
        if (error instanceof S3Refused || ++breaks > breaksMax) throw failed('The content cannot be read', error)
      }
    }
  }

  /** Without an answer, it is not sent again at once: a removal that is still on its way could take what is stored again. */
  remove(place: Place): Promise<void> {
    return within('The content was not removed', async () => {
      try {
        ;(await this.#requests.send({ method: 'DELETE', key: this.#keyOf(place), isRepeatable: false })).resume()
      } catch (error) {
        if (!(error instanceof S3Refused && error.status === 404)) throw error
      }
    })
  }

  async *list(): AsyncIterable<Found> {
    try {
      yield* listContent(this.#requests, this.#prefix)
    } catch (error) {
      throw failed('The content cannot be listed', error)
    }
  }

  removeUnfinished(beforeMs: number): Promise<number> {
    return this.#unfinished.removeBefore(beforeMs)
  }

  /** Some or all bytes of a range, and no other ones. */
  async *#range(place: Place, begin: number, end: number): AsyncIterable<Buffer> {
    const headers = { range: `bytes=${begin}-${end - 1}` }
    const res = await this.#requests.send({ method: 'GET', key: this.#keyOf(place), headers })
    const isPart = res.headers['content-range']?.startsWith(`bytes ${begin}-${end - 1}/`)
    const isWhole = res.statusCode === 200 && begin === 0 && Number(res.headers['content-length']) === end
    if (!isPart && !isWhole) {
      res.destroy()
      throw new S3Refused(res.statusCode!, 'another range than was asked for')
    }
    let rest = end - begin
    for await (const part of partsOf(res)) {
      rest -= part.length
      if (rest < 0) throw new S3Refused(res.statusCode!, 'more bytes than were asked for')
      yield part
    }
    if (rest > 0) throw new Error('S3 sent fewer bytes than were asked for')
  }

  #keyOf(place: Place): string {
    return this.#prefix + nameOf(place)
  }
}

async function within<T>(failure: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw failed(failure, error)
  }
}

/** A 503. Why is for the operator, in its cause. */
function failed(failure: string, cause: unknown): Error {
  return unavailable(`${failure}: S3 cannot be used at the moment`, cause)
}
