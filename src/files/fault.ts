/** A mistake in a file that ends its import. The message says what to do. */
export class FileFault extends Error {
  /** The line where it begins, from 1; undefined: it is about the complete file. */
  readonly line: number | undefined
  /** What else can be done on the command line. */
  readonly alternative: string | undefined

  constructor(message: string, line?: number, alternative?: string) {
    super(message)
    this.line = line
    this.alternative = alternative
  }
}
