import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { Budget } from '../lib/budget.ts'
import { errorFields, log } from '../lib/log.ts'

/** In bytes. Compressing a shorter body saves little compared with the headers. */
export const compressedBytesMin = 2_048

/** Level 3 is as fast as level 1, and its output is smaller. */
const options = { level: 3, chunkSize: 65_536 }
/** Memory that zlib uses for one body. */
const stateBytes = 270_336
/** Limits of the bodies being compressed, with zlib's memory. Beyond them, responses are sent uncompressed. */
const inWorkBytesMax = 8_388_608
const inWorkBytesPerClientMax = 4_194_304

/** Compresses bodies with gzip in libuv's thread pool. The waiting work is limited in total and for each client. */
export class Compression {
  readonly #inWork = new Budget({ total: inWorkBytesMax, share: inWorkBytesPerClientMax })

  /** The compressed body. Undefined if it must be sent uncompressed, because of the limits or because zlib failed. */
  compress(body: string | Buffer, bytes: number, clients: readonly string[]): Promise<Buffer | undefined> | undefined {
    const amount = bytes + stateBytes
    if (this.#inWork.take(clients, amount)) return undefined
    return this.#gzip(body).finally(() => this.#inWork.release(clients, amount))
  }

  /** The same for a body in parts, which are read as the compressed parts are consumed. */
  async *compressParts(parts: AsyncIterable<string>): AsyncIterable<Buffer> {
    const stream = zlib.createGzip(options)
    pipeline(parts, stream, () => {}) // the iteration throws the errors of both
    yield* stream
  }

  async #gzip(body: string | Buffer): Promise<Buffer | undefined> {
    try {
      return await promisify(zlib.gzip)(body, options)
    } catch (error) {
      log('compressing a response failed', errorFields(error), 'error')
      return undefined
    }
  }
}

/** The compressed form of a body that is sent repeatedly. It is computed once, also for concurrent requests. */
export class CompressedOnce {
  readonly #onMade: (bytes: number) => void
  #bytes: Buffer | undefined
  #making: Promise<Buffer | undefined> | undefined

  /** Calls `onMade` with the length of the compressed body. */
  constructor(onMade: (bytes: number) => void) {
    this.#onMade = onMade
  }

  get bytes(): Buffer | undefined {
    return this.#bytes
  }

  /** Returns the compressed body, which `make` computes once. If `make` returns undefined, so does this, and the next call tries again. */
  through(make: () => Promise<Buffer | undefined> | undefined): Promise<Buffer | undefined> | undefined {
    this.#making ??= make()?.then((made) => {
      this.#making = undefined
      this.#bytes = made
      if (made) this.#onMade(made.length)
      return made
    })
    return this.#making
  }
}

/** Whether a client accepts gzip and does not prefer the uncompressed body (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false
  const weights = new Map(header.split(',').map(weightOf))
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return weight > 0 && weight >= (weights.get('identity') ?? 0)
}

/** A coding in lower case, with its weight from 0 to 1. */
function weightOf(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return [coding, weight >= 0 && weight <= 1 ? weight : 0]
}
