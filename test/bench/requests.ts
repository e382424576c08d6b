import { type Load, type Measure, measure, median, residentMiB, serverCore, start, stop } from './processes.ts'
import { organizationBody, served } from './served.ts'

const rounds = 5
/** Long enough for the JIT compiler, which shares the server's core, to finish. */
const warmUpSeconds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

/** Compares the built server with a bare node:http server. Each request has a key, a scope check and rate limit headers. */
export async function benchRequests(): Promise<void> {
  const kontor = await served()
  const limits = await bareLimits()
  const idle = residentMiB(kontor.child)
  const { url, headers } = kontor
  const cases: Record<string, Omit<Load, 'seconds'>> = {
    'GET by id': { url: `${url}/${kontor.ids[500]}`, headers },
    'list of 50': { url, headers },
    'list by status': { url: `${url}?status=active`, headers },
    'POST create': { url, headers, method: 'POST', body: organizationBody },
  }

  console.log('| request | requests/s | p50 ms | p99 ms | bare node:http /s | with a SQLite read /s | ratio to bare |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [name, load] of Object.entries(cases)) {
    const size = await sizeOf(load)
    const own: Measure[] = []
    const bare: Measure[] = []
    const read: Measure[] = []
    await measure({ ...load, seconds: warmUpSeconds })
    for (let round = 0; round < rounds; round++) {
      own.push(await measure({ ...load, seconds }))
      bare.push(await measure({ url: `${limits.first.url}/string?${size}`, seconds }))
      read.push(await measure({ url: `${limits.first.url}/read?${size}`, seconds }))
    }
    const ratio = median(own.map(({ rate }, round) => rate / bare[round]!.rate))
    const cells = [rateOf(own), p(own, 'p50'), p(own, 'p99'), rateOf(bare), rateOf(read), ratio.toFixed(2)]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  console.log(
    `\nResident memory: ${idle.toFixed(0)} MiB idle, ${residentMiB(kontor.child).toFixed(0)} MiB after load\n`,
  )
  await stop(limits.child)
  await kontor.close()
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

function rateOf(measures: Measure[]): string {
  return median(measures.map(({ rate }) => rate)).toFixed(0)
}

function p(measures: Measure[], which: 'p50' | 'p99'): string {
  return String(median(measures.map((each) => each[which])))
}
