import { availableParallelism } from 'node:os'
import { readArguments } from './compare/arguments.ts'
import { openWorkDirectory, run } from './compare/children.ts'
import { buildCurrent, buildRevision, findRevision } from './compare/program.ts'
import { rehearse } from './compare/rehearsal.ts'
import { report } from './compare/report.ts'
import { type Measured, measureRound } from './compare/round.ts'
import { prepareSides } from './compare/sides.ts'
import { loadCore } from './processes.ts'

/** The short form takes two minutes with the builds. Its ranges reach from the smallest value to the largest; see `spreadOf`. */
const roundsOf = { short: 5, long: 21 }

/** Compares the working tree with a revision. Prints what is wrong if it cannot. */
export async function benchCompare(given: readonly string[]): Promise<void> {
  try {
    const { revision, isLong } = readArguments(given)
    if (availableParallelism() < 2) throw new Error('compare needs two processors: one for servers, one for requests.')
    await compare(await findRevision(revision), isLong)
  } catch (error) {
    console.error(`\n${(error as Error).message}`)
    process.exit(1) // also ends the servers that run
  }
}

async function compare(revision: Awaited<ReturnType<typeof findRevision>>, isLong: boolean): Promise<void> {
  const count = isLong ? roundsOf.long : roundsOf.short
  const work = openWorkDirectory()
  const [before, after] = [await buildRevision(revision, work), await buildCurrent(work)]
  await run('taskset', ['taskset', '-apc', String(loadCore), String(process.pid)]) // so that servers have the other one
  const sides = await prepareSides(before, after)
  const { counts, leftOut } = await rehearse(sides, isLong)
  const rounds: Measured[][] = []
  while (rounds.length < count) {
    console.error(`Round ${rounds.length + 1} of ${count}`)
    rounds.push(await measureRound(sides, counts, { number: rounds.length, isLong }))
  }
  console.log(`\nRevision: ${before.about}\nWorking tree: ${after.about}\n\n${report(rounds, leftOut)}\n`)
}
