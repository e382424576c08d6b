/** A mistake in a file that ends its import. The message says what to do. */
export class FileFault extends Error {
  /** The line where it begins, from 1; undefined: it is about the complete file. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}
