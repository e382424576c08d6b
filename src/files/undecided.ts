import { Ambiguous, type ColumnHints, type Hint } from './column-hints.ts'
import type { Shape } from './shape.ts'
import { targetOf } from './target.ts'
import { tidy } from './tidy.ts'

/** What a person has to say about numbers and dates of a table, because nothing in it decides. */
export function undecided(
  shape: Shape,
  paths: readonly (string | undefined)[],
  rows: readonly (readonly string[])[],
  hints: ColumnHints,
): ReadonlySet<keyof Hint> {
  const lacking = new Set<keyof Hint>()
  for (const [index, path] of paths.entries()) {
    const target = path ? targetOf(shape, path) : undefined
    if (!target?.isStrict) continue
    const hint = hints.of(index)
    for (const cells of rows) {
      const value = target.read(tidy(cells[index] ?? ''), hint)
      if (!(value instanceof Ambiguous) || !value.lacks) continue
      lacking.add(value.lacks)
      break
    }
  }
  return lacking
}
