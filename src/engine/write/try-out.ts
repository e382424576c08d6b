import type { Writer } from '../../store/reader.ts'

/** Thrown to roll back what was tried. */
class TriedOut<T> extends Error {
  readonly result: T
  constructor(result: T) {
    super('tried out')
    this.result = result
  }
}

/** Runs a part of a transaction, takes it back, and returns its result. */
export function tryOut<T>(tx: Writer, run: () => T): T {
  try {
    return tx.attempt((): T => {
      throw new TriedOut(run())
    })
  } catch (error) {
    if (error instanceof TriedOut) return error.result
    throw error
  }
}
