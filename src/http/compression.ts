import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { Budget } from '../lib/budget.ts'
import { errorFields, log } from '../lib/log.ts'

/** In bytes: of a shorter body, little but the headers would be sent anyway. */
export const compressedBytesMin = 2_048

/** The smallest output that level 1 takes as long for. */
const options = { level: 3, chunkSize: 65_536 }
/** Of zlib's own memory for one body. */
const stateBytes = 270_336
/** Of bodies being compressed with that memory. Beyond it, responses are sent as they are. */
const inWorkBytesMax = 8_388_608
const inWorkBytesPerClientMax = 4_194_304

/** Compresses bodies with gzip on libuv's thread pool. How much work waits there is bounded in total and for each client. */
export class Compression {
  readonly #inWork = new Budget({ total: inWorkBytesMax, share: inWorkBytesPerClientMax })

  /** The compressed body; undefined where it is to be sent as it is, because too much is being compressed already or zlib has failed. */
  compress(body: string | Buffer, bytes: number, clients: readonly string[]): Promise<Buffer | undefined> | undefined {
    const amount = bytes + stateBytes
    if (this.#inWork.take(clients, amount)) return undefined
    return this.#gzip(body).finally(() => this.#inWork.release(clients, amount))
  }

  /** The same for a body in parts, which are asked for as the compressed ones are taken. */
  async *compressParts(parts: AsyncIterable<string>): AsyncIterable<Buffer> {
    const stream = zlib.createGzip(options)
    pipeline(parts, stream, () => {}) // an error of either comes out of the iteration
    yield* stream
  }

  async #gzip(body: string | Buffer): Promise<Buffer | undefined> {
    try {
      return await promisify(zlib.gzip)(body, options)
    } catch (error) {
      log('a response could not be compressed', errorFields(error), 'error')
      return undefined
    }
  }
}

/** The compressed form of a body that is sent repeatedly. It is made once, also for requests at the same time. */
export class CompressedOnce {
  readonly #onMade: (bytes: number) => void
  #bytes: Buffer | undefined
  #making: Promise<Buffer | undefined> | undefined

  /** `onMade` is called with its length. */
  constructor(onMade: (bytes: number) => void) {
    this.#onMade = onMade
  }

  get bytes(): Buffer | undefined {
    return this.#bytes
  }

  /** Undefined where `make` did not make it; the next call tries again. */
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

/** Whether a client accepts gzip, and does not prefer the body as it is (RFC 9110, 12.5.3). */
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
