import { ApiError } from '../../errors.ts'

/** The records that have what an error says is taken, or what several have. */
export interface Holders {
  /** The scope without which nobody learns of them. */
  readonly scope: string
  readonly ids: readonly string[]
}

/** Messages do not name them until it is known who reads. */
const holders = new WeakMap<object, Holders>()

/** Notes the records that an error is about. */
export function heldBy<E extends object>(error: E, held: Holders | undefined): E {
  if (held && held.ids.length > 0) holders.set(error, held)
  return error
}

export function holdersOf(error: unknown): Holders | undefined {
  return holders.get(error as object)
}

/** A message with the records that it is about. */
export function namedText(message: string, { ids }: Holders): string {
  return `${message}: ${ids.join(', ')}`
}

/** The error with the records that it is about, unless they may not be read; any other one as it is. */
export function named<E>(error: E, mayRead: (scope: string) => boolean): E | ApiError {
  const held = error instanceof ApiError ? holdersOf(error) : undefined
  if (!held || !mayRead(held.scope)) return error
  const { code, message, details } = error as ApiError
  const text = namedText(message, held)
  return new ApiError(code, text, { details: [{ ...details![0]!, message: text }], cause: error })
}

/** Runs a write, whose errors name the records that they are about, unless they may not be read. */
export function naming<T>(mayRead: (scope: string) => boolean, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw named(error, mayRead)
  }
}
