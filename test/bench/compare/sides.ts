import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadCore, serverCore } from '../processes.ts'
import { fill, listIds } from './cases.ts'
import { run } from './children.ts'
import type { Program } from './program.ts'
import { type Company, type Options, Server } from './server.ts'

/** A program with the data of a company. */
export interface Side {
  program: Program
  /** Each server gets a copy. */
  data: string
  company: Company
}

/** One value of the revision and one of the working tree. */
export type Pair<T> = readonly [before: T, after: T]

/** How often a server is seen idle until all is done, such as entering texts in its search index. */
const idleLooks = 100

export const cores = { one: String(serverCore), both: `${serverCore},${loadCore}` }

/**
 * Both get the same data, so that not even the order of its index entries differs. With different schemas, each program creates and fills
 * a company of its own.
 */
export async function prepareSides(before: Program, after: Program): Promise<Pair<Side>> {
  const side = await prepareSide(before)
  return [side, before.schema === after.schema ? { ...side, program: after } : await prepareSide(after)]
}

async function prepareSide(program: Program): Promise<Side> {
  console.error(`Filling a company with ${program.name}`)
  const data = join(program.directory, 'data')
  const create = async (what: string, ...options: string[]): Promise<Record<string, string>> => {
    const args = [what, 'create', '--data', data, '--name', 'Bench', '--json', ...options]
    return JSON.parse(await run(`kontor ${what} create of ${program.name}`, [...program.command, ...args]))
  }
  const { id } = await create('company')
  const { key } = await create('key', '--company', id!, '--scopes', 'read:all,write:all')
  const company: Company = { key: key!, organizationIds: [] }
  const server = await Server.start(program, data, company, { cores: cores.both })
  await explained([server], async () => {
    await fill(server)
    company.organizationIds = await listIds(server)
    await server.calm(idleLooks)
  })
  await server.stop()
  return { program, data, company }
}

/** Starts a server of each side, on the same data each time. They are stopped after `use`. */
export async function withServers(
  sides: Pair<Side>,
  options: Options,
  first: 0 | 1,
  use: (servers: Pair<Server>) => Promise<void>,
): Promise<void> {
  const started = [await startOn(sides[first], options), await startOn(sides[first ? 0 : 1], options)] as const
  const servers: Pair<Server> = first ? [started[1], started[0]] : started
  await explained(servers, () => use(servers))
  for (const server of started) await server.stop()
}

export function startOn({ program, data, company }: Side, options: Options): Promise<Server> {
  const copy = join(program.directory, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(data, copy, { recursive: true })
  return Server.start(program, copy, company, options)
}

/** If `use` fails because a server has ended, the error says so. */
async function explained<T>(servers: readonly Server[], use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const [why] = (await Promise.all(servers.map((server) => server.failure()))).filter(Boolean)
    throw why ? new Error(why) : error
  }
}
