import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fill, listIds } from './cases.ts'
import { run } from './children.ts'
import type { Program } from './program.ts'
import { type Company, type Options, Server } from './server.ts'

/** A program with the data of a company that it has created and filled itself: the revision may have another schema. */
export interface Side {
  program: Program
  /** Each server gets a copy. */
  data: string
  company: Company
}

/** One value of the revision and one of the working tree. */
export type Pair<T> = readonly [before: T, after: T]

export const cores = { one: '0', all: '0-1' }

export async function prepareSide(program: Program): Promise<Side> {
  console.error(`Filling a company with ${program.name}`)
  const data = join(program.directory, 'data')
  const create = async (what: string, ...options: string[]): Promise<Record<string, string>> => {
    const args = [what, 'create', '--data', data, '--name', 'Bench', '--json', ...options]
    return JSON.parse(await run(`kontor ${what} create of ${program.name}`, [...program.command, ...args]))
  }
  const { id } = await create('company')
  const { key } = await create('key', '--company', id!, '--scopes', 'read:all,write:all')
  const company: Company = { key: key!, organizationIds: [] }
  const server = await Server.start(program, data, company, { cores: cores.all })
  await explained([server], async () => {
    await fill(server)
    company.organizationIds = await listIds(server)
    await server.calm()
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
