import { FileFault } from './fault.ts'

/** The name of an encoding in the Encoding Standard; undefined: there is none with this label. `latin1` is Windows-1252. */
export function encodingNamed(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** Decodes a file in chunks (decision K4). */
export class FileDecoder {
  readonly #decoder: TextDecoder

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding, { fatal: true })
  }

  /** Throws FileFault. */
  push(chunk: Uint8Array): string {
    return this.#decode(chunk, true)
  }

  /** Throws FileFault. */
  end(): string {
    return this.#decode(new Uint8Array(), false)
  }

  #decode(chunk: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(chunk, { stream })
    } catch {
      const name = this.#decoder.encoding.toUpperCase()
      throw new FileFault(`is not ${name}: choose another encoding`, undefined, 'leave out --encoding to detect it')
    }
  }
}
