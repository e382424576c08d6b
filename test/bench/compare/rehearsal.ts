import type { Case } from './cases.ts'
import { type Counts, compiledMs, parts, processorMsOf, timeOf } from './round.ts'
import type { Server } from './server.ts'
import { type Pair, type Side, withServers } from './sides.ts'

export interface Rehearsal {
  counts: Counts
  /** The cases that one of the two does not know, with the reason. */
  leftOut: string[]
}

/**
 * Finds out what both can do, and how often in the processor time of a slice, which other programs hardly change. The slices of a short
 * comparison are those of the revision, which saves the time to compile the other program.
 */
export async function rehearse(sides: Pair<Side>, isLong: boolean): Promise<Rehearsal> {
  const counts = new Map<string, number>()
  const leftOut: string[] = []
  for (const { options, cases } of parts) {
    await withServers(sides, options, 0, async (servers) => {
      for (const each of cases) {
        const refusals = await Promise.all(servers.map((server, side) => refusalOf(server, each, sides[side]!)))
        const refusal = refusals.find((why) => why !== undefined)
        if (refusal !== undefined) leftOut.push(refusal)
        else {
          const count = await countOf(servers[0], each)
          counts.set(each.name, isLong ? Math.min(count, await countOf(servers[1], each)) : count)
        }
      }
    })
  }
  return { counts, leftOut }
}

async function refusalOf(server: Server, each: Case, { program }: Side): Promise<string | undefined> {
  try {
    await timeOf(server, each, 1)
  } catch (error) {
    return `${(error as Error).message} (${program.name})`
  }
}

/** How often a case is done in the processor time of a slice, once it has been compiled. */
async function countOf(server: Server, each: Case): Promise<number> {
  let [count, ms] = [1, 0]
  for (let sum = 0; sum < compiledMs || ms < each.sliceMs; sum += ms) {
    if (ms < each.sliceMs) count *= 2
    ms = await processorTimeOf(server, each, count)
  }
  return Math.ceil((count * each.sliceMs) / ms)
}

async function processorTimeOf(server: Server, each: Case, count: number): Promise<number> {
  const before = processorMsOf(server, each)
  await timeOf(server, each, count)
  await server.calm()
  return processorMsOf(server, each) - before
}
