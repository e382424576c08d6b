/** A random number generator that returns the same numbers for the same seed. */
export interface Random {
  /** An integer from 0 to `n` - 1. */
  below(n: number): number
  pick<T>(from: readonly T[]): T
}

/** KONTOR_TEST_SEED gives every generator other numbers. */
const shift = Number(process.env.KONTOR_TEST_SEED ?? 0)

/** Uses mulberry32. */
export function randomOf(seed: number): Random {
  let state = (seed + shift) | 0
  const below = (n: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * n)
  }
  return { below, pick: (from) => from[below(from.length)]! }
}

/** How often randomised tests repeat. The default is 1; KONTOR_TEST_ROUNDS=3 tries more cases. */
export const rounds = Number(process.env.KONTOR_TEST_ROUNDS ?? 1)
