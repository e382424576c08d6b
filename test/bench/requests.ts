import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from './peers/peer.ts'
import { bundle, type Load, type Measure, measure, median, residentMiB, serverCore, start, stop } from './processes.ts'
import { numberedBody, served } from './served.ts'

const rounds = 5
/** Long enough for the JIT compiler, which shares the server's core, to finish. */
const warmUpSeconds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

/**
 * Compares the built server with the floor of its stack (floor.ts) and with a bare node:http server, all on one core. Each request of
 * Kontor's has a key, a scope check and rate limit headers.
 */
export async function benchRequests(): Promise<void> {
  const uncached = await served({ KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' })
  await fill(uncached, uncached.ids.length)
  const cached = await served()
  await fill(cached, cached.ids.length)
  const quiet = await served({ KONTOR_RESPONSE_CACHE_BYTES_MAX: '0', KONTOR_REQUEST_LOG: 'off' })
  await fill(quiet, quiet.ids.length)
  const limits = await bareLimits()
  const floor = await startFloor(uncached)
  const idle = residentMiB(cached.child)

  console.log(
    '| request | with cache /s | without /s | p50 ms | p99 ms | floor /s | bare node:http /s | without cache to floor | also without log |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const name of caseNames) {
    const at = (server: Target) => casesOf(server)[name]
    const servers: Record<string, Omit<Load, 'seconds'>> = {
      cached: at(cached),
      uncached: at(uncached),
      quiet: at(quiet),
      floor: at({ ...uncached, url: floor.url }),
    }
    if (at(uncached).method === undefined)
      servers.bare = { url: `${limits.first.url}/string?${await sizeOf(at(uncached))}` }
    const taken: Record<string, Measure[]> = Object.fromEntries(Object.keys(servers).map((each) => [each, []]))
    for (const each of Object.values(servers)) await measure({ ...each, seconds: warmUpSeconds })
    for (let round = 0; round < rounds; round++)
      for (const [each, its] of Object.entries(servers)) taken[each]!.push(await measure({ ...its, seconds }))
    const ratioOf = (measures: Measure[]) =>
      median(measures.map(({ rate }, round) => rate / taken.floor![round]!.rate)).toFixed(2)
    const cells = [
      ...[rateOf(taken.cached), rateOf(taken.uncached), p(taken.uncached!, 'p50'), p(taken.uncached!, 'p99')],
      ...[rateOf(taken.floor), rateOf(taken.bare), ratioOf(taken.uncached!), ratioOf(taken.quiet!)],
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  console.log(
    `\nResident memory: ${idle.toFixed(0)} MiB idle, ${residentMiB(cached.child).toFixed(0)} MiB after load\n`,
  )
  await stop(limits.child)
  await floor.close()
  for (const server of [uncached, cached, quiet]) await server.close()
}

type Target = Pick<Awaited<ReturnType<typeof served>>, 'url' | 'headers' | 'ids'>

const caseNames = ['GET by id', 'list of 50', 'list by status, with total', 'POST', 'PATCH'] as const

function casesOf({ url, headers, ids }: Target): Record<(typeof caseNames)[number], Omit<Load, 'seconds'>> {
  return {
    'GET by id': { url: `${url}/${ids[500]}`, headers },
    'list of 50': { url, headers },
    'list by status, with total': { url: `${url}?status=active`, headers },
    POST: { url, headers, method: 'POST', body: numberedBody },
    PATCH: { url, headers, method: 'PATCH', body: '{"city":"Kiel #"}', ids: ids.map((id) => `/${id}`) },
  }
}

/** Starts the floor on a copy of the data of a server. */
async function startFloor({ data, headers, url, ids }: Awaited<ReturnType<typeof served>>) {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-floor-'))
  const file = join(directory, 'kontor.db')
  execFileSync(process.execPath, [bundle, 'backup', file, '--data', data])
  const { headers: sent } = await fetch(`${url}/${ids[0]}`, { headers })
  const constant = [...sent].filter(([name]) => !/^(date|connection|keep-alive|content-length)$/.test(name)).flat()
  const options = JSON.stringify({ key: headers.Authorization.slice('Bearer '.length), headers: constant })
  const script = new URL('./floor.ts', import.meta.url).pathname
  const { child, first } = await start(serverCore, [process.execPath, script, file, options])
  return {
    url: `${first.url}/api-v1-organizations`,
    async close() {
      await stop(child)
      rmSync(directory, { recursive: true })
    },
  }
}

/** Starts the bare server on the core of the measured one. */
export function bareLimits() {
  return start(serverCore, [process.execPath, new URL('./limits.ts', import.meta.url).pathname])
}

/** The size of a response in bytes. */
export async function sizeOf({ url, headers = {}, method = 'GET', body }: Omit<Load, 'seconds'>): Promise<number> {
  const response = await fetch(url, { method, headers, ...(body && { body }) })
  return Buffer.byteLength(await response.text())
}

function rateOf(measures: Measure[] | undefined): string {
  return measures ? median(measures.map(({ rate }) => rate)).toFixed(0) : ''
}

function p(measures: Measure[], which: 'p50' | 'p99'): string {
  return String(median(measures.map((each) => each[which])))
}
