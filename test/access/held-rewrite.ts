import { type Durability, noDurability } from '../../src/store/durability.ts'

/** A durability whose next rewrite of the log takes as long as the test wants, while the server holds the write lock. */
export interface HeldRewrite {
  durability: Durability
  /** Suspects the log, so that the next write rewrites it first. */
  begin(): void
  /** Resolves when the rewrite has begun. */
  started(): Promise<void>
  /** Lets the rewrite succeed. */
  end(): void
}

export function heldRewrite(): HeldRewrite {
  let suspect = false
  let rewriting = Promise.withResolvers<void>()
  let rewritten = Promise.withResolvers<void>()
  return {
    durability: {
      ...noDurability,
      get suspect() {
        return suspect
      },
      async rewrite() {
        rewriting.resolve()
        await rewritten.promise
        suspect = false
      },
    },
    begin() {
      rewriting = Promise.withResolvers()
      rewritten = Promise.withResolvers()
      suspect = true
    },
    started: () => rewriting.promise,
    end: () => rewritten.resolve(),
  }
}
