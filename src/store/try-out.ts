import type { Writer } from './reader.ts'

/** Carries a result through the rollback. */
class TriedOut<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('tried out')
    this.result = result
  }
}

/** Runs a part of a transaction and undoes what it wrote. Returns its result. */
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
