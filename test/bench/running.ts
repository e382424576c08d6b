import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { TimedClient } from './client.ts'
import { type Generated, generated, scaled, thousand } from './generate.ts'
import { residentMiB, serving, start, stop } from './processes.ts'

/** The big company has this many times 1,000 contacts, and the other records in proportion. */
export const times = Number(process.env.BENCH_TIMES ?? 1_000)

export const smallCompaniesMax = 1_000

/** The resources of which the big company has records: `organization,contact`. Default: all of them. */
export const bigResources = process.env.BENCH_RESOURCES?.split(',') ?? Object.keys(thousand)

/** The data of the big company, and of small ones. */
export function generatedBig(): Generated {
  const counts = Object.entries(scaled(times)).filter(([name]) => bigResources.includes(name))
  return generated(Object.fromEntries(counts), Math.min(times, smallCompaniesMax))
}

/** A server on a copy of generated data. */
export interface Running extends Generated {
  /** The generated data. */
  db: Database.Database
  url: string
  client: TimedClient
  residentMiB(): number
  stop(): Promise<void>
}

export const runBig = () => runOn(generatedBig())
export const runSmall = () => runOn(generated(scaled(1), 0))

export async function runOn(about: Generated): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  copyFileSync(join(about.directory, 'kontor.db'), join(data, 'kontor.db'), constants.COPYFILE_FICLONE)
  const command = serving(data)
  // Every response is computed, and the first requests to a file that is larger than memory take long.
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_RESPONSE_CACHE_BYTES_MAX: '0', KONTOR_LIST_TIMEOUT: '2m' }
  const { child, first } = await start(`0-${availableParallelism() - 1}`, command, env)
  const client = new TimedClient(first.url, about.key)
  const db = new Database(join(about.directory, 'kontor.db'), { readonly: true })
  return {
    ...about,
    db,
    url: first.url,
    client,
    residentMiB: () => residentMiB(child),
    async stop() {
      client.close()
      db.close()
      await stop(child)
      rmSync(data, { recursive: true })
    },
  }
}
