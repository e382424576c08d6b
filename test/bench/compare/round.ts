import { type Case, computed, usual } from './cases.ts'
import type { Options, Server } from './server.ts'
import { cores, type Pair, type Side, startOn, withServers } from './sides.ts'
import { medianOf } from './statistics.ts'

/** What a round has measured of something. Ratios above 1 mean that the working tree is better. */
export interface Measured {
  name: string
  /** How often a second, how many ms, or how many MiB. */
  shown: Pair<number>
  ratio: number
  processorRatio?: number
}

/** How often each case is done at a time, by its name. Other cases are not measured. */
export type Counts = ReadonlyMap<string, number>

/** The parts of a round, each with servers of its own. */
export const parts: readonly { options: Options; cases: readonly Case[]; memory: string }[] = [
  {
    options: { cores: cores.one, env: { KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' } },
    cases: computed,
    memory: 'memory after requests, MiB',
  },
  { options: { cores: cores.both }, cases: usual, memory: 'memory after exports and imports, MiB' },
]

type Which = 0 | 1

/** How often both take their turn, and how often starts do. */
const turnsOf = { short: 4, long: 5 }
const startTurns = 2
/**
 * In a long comparison, a turn is so many slices: what a server does from time to time, such as collecting garbage, is then part of each. And a
 * server is seen idle so often until it has done what a case leaves to be done a second later.
 */
const long = { slices: 5, idleLooks: 300 }
/** After this much processor time, a server no longer gets faster at a case: all of its code that is often used has been compiled. */
export const compiledMs = 2_500
/** In a short comparison: how many slices a server does before a case is measured. By then, much of its code has been compiled. The first case takes longer. */
const warmUps = { first: 10, other: 3 }

/** Measures everything once. Every other round begins with the working tree. */
export async function measureRound(
  sides: Pair<Side>,
  counts: Counts,
  { number, isLong }: { number: number; isLong: boolean },
): Promise<Measured[]> {
  const first = (number % 2) as Which
  const measured = [await measureStarts(sides, first)]
  for (const { options, cases, memory } of parts) {
    await withServers(sides, options, first, async (servers) => {
      for (const each of cases) {
        const count = counts.get(each.name)
        if (count === undefined) continue
        const slices = each === cases[0] ? warmUps.first : warmUps.other
        const warmUpCount = Math.ceil(count * (isLong ? Math.max(slices, compiledMs / each.sliceMs) : slices))
        for (const server of servers) await timeOf(server, each, warmUpCount)
        measured.push(await measureCase(servers, each, { count: isLong ? count * long.slices : count, first, isLong }))
      }
      const [before, after] = [servers[0].residentMiB(), servers[1].residentMiB()]
      measured.push({ name: memory, shown: [before, after], ratio: before / after })
    })
  }
  return measured
}

async function measureStarts(sides: Pair<Side>, first: Which): Promise<Measured> {
  const processorMs: [number, number] = [0, 0]
  const start = async (which: Which) => {
    const server = await startOn(sides[which], { cores: cores.both })
    processorMs[which] += server.startProcessorMs
    await server.stop()
    return server.startMs
  }
  const { ms, ...ratios } = await takeTurns(startTurns, first, start, (which) => processorMs[which])
  return { name: 'start, ms', shown: ms, ...ratios }
}

interface Measuring {
  count: number
  first: Which
  isLong: boolean
}

/** In a long comparison, the processor time is that of the whole case, with what it leaves for later. */
async function measureCase(servers: Pair<Server>, each: Case, { count, first, isLong }: Measuring): Promise<Measured> {
  const once = async (which: Which) => {
    const ms = await timeOf(servers[which], each, count)
    await servers[which].calm()
    return ms
  }
  const processorMs = (which: Which) => processorMsOf(servers[which], each)
  const readAll = async () => {
    await Promise.all(servers.map((server) => server.calm(isLong && each.defers ? long.idleLooks : undefined)))
    return [processorMs(0), processorMs(1)] as const
  }
  const before = await readAll()
  const { ms, ...ratios } = await takeTurns(isLong ? turnsOf.long : turnsOf.short, first, once, processorMs)
  const after = await readAll()
  if (isLong) ratios.processorRatio = (after[0] - before[0]) / (after[1] - before[1])
  return { name: each.name, shown: [(count * 1000) / ms[0], (count * 1000) / ms[1]], ...ratios }
}

/** The milliseconds in which a server does `count` times what a case says. */
export async function timeOf(server: Server, each: Case, count: number): Promise<number> {
  await server.connections.open()
  const begin = performance.now()
  try {
    await each.run(server, count)
  } catch (error) {
    throw new Error(`${each.name}: ${(error as Error).message}`, { cause: error })
  }
  return performance.now() - begin
}

/** The processor time that a server has used so far, as exactly as the threads of a case allow. */
export function processorMsOf(server: Server, { endsThreads }: Case): number {
  return endsThreads ? server.processorMsOfAll() : server.processorMs()
}

interface Taken {
  /** Of the median turn. */
  ms: Pair<number>
  ratio: number
  processorRatio: number
}

/**
 * Does something with each of the two, in the order A B B A A B …, so that what drifts affects both alike. `once` returns the ms that it
 * took, and `processorMs` the processor time so far. The ratios are those of the median turn.
 */
async function takeTurns(
  count: number,
  first: Which,
  once: (which: Which) => Promise<number>,
  processorMs: (which: Which) => number,
): Promise<Taken> {
  const ms: [number[], number[]] = [[], []]
  const processor: [number[], number[]] = [[], []]
  for (let turn = 0; turn < count; turn++) {
    const begins = ((first + turn) % 2) as Which
    for (const which of [begins, (1 - begins) as Which]) {
      const before = processorMs(which)
      ms[which].push(await once(which))
      processor[which].push(processorMs(which) - before)
    }
  }
  const ratioOf = (taken: Pair<number[]>) => medianOf(taken[0].map((each, turn) => each / taken[1][turn]!))
  return { ms: [medianOf(ms[0]), medianOf(ms[1])], ratio: ratioOf(ms), processorRatio: ratioOf(processor) }
}
