/** Variables that are no settings: of commands that are clients of a server, and of the files for containers. */
const others = ['KONTOR_URL', 'KONTOR_KEY', 'KONTOR_SANDBOX_KEY', 'KONTOR_DOMAIN']
/** Of Kontor's own tests. */
const ofTests = /^KONTOR_TEST_/
/** How many letters a misspelled name may differ by. */
const differingMax = 3

interface UnknownVariable {
  name: string
  /** The variable that was probably meant. */
  near: string | undefined
}

/** The variables of Kontor that nothing reads, in the order of their names: probably misspelled. */
export function unknownVariables(env: NodeJS.ProcessEnv, settings: readonly string[]): UnknownVariable[] {
  const known = [...settings, ...others]
  const unknown = Object.keys(env).filter((name) => name.startsWith('KONTOR_') && !known.includes(name))
  return unknown
    .filter((name) => !ofTests.test(name))
    .sort()
    .map((name) => ({ name, near: nearest(name, known) }))
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, differing: distance(name, each) }))
    .sort((a, b) => a.differing - b.differing)
  const [best] = ranked
  return best && best.differing <= differingMax ? best.each : undefined
}

/** How many letters must be added, removed or replaced to get from one text to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...from.slice(0, to.length + differingMax + 1)].entries()) {
    const next = [at + 1]
    for (const [column, other] of [...to].entries()) {
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + Number(letter !== other)))
    }
    row = next
  }
  return row.at(-1)!
}
