import { readdirSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { ask } from '../support/encoded.ts'
import { served } from './served.ts'

const turns = 40
const requestsPerTurn = 500
const connections = 32
/** Of pages that are sent in parts: the server bounds how many at a time. */
const long = { turns: 20, requestsPerTurn: 4, connections: 2 }

type Server = Awaited<ReturnType<typeof served>>

interface Asked {
  server: Server
  url: string
  /** Sent as `Accept-Encoding`; undefined: the request has none. */
  accepts?: string
}

/** What compression costs clients that do not ask for it, and what it costs and saves those that do: ratios within one run. */
export async function benchCompression(): Promise<void> {
  const [on, off] = [await served(), await served({ KONTOR_COMPRESSION: 'off' })]
  const anew = await served({ KONTOR_ANSWER_CACHE_BYTES_MAX: '0' })
  const page = await longPage(on)
  const both = (server: Server, url: string) =>
    [
      { server, url, accepts: 'gzip' },
      { server, url },
    ] as const
  console.log('| request | compared | requests/s, ratio | processor time a request, ratio | bytes |')
  console.log('| --- | --- | ---: | ---: | ---: |')
  const [one, other] = [on, off].map((server) => ({ server, url: `${server.url}/${server.ids[500]}` }))
  await compare('GET by id | not asked for: on against off', one!, other!)
  await compare(
    'list of 50 | not asked for: on against off',
    { server: on, url: on.url },
    { server: off, url: off.url },
  )
  await compare('list of 50, kept | gzip against plain', ...both(on, on.url))
  await compare('list of 50, made anew | gzip against plain', ...both(anew, anew.url))
  await compare('page of 3 MB | gzip against plain', ...both(on, page), long)
  console.log()
  for (const server of [on, off, anew]) await server.close()
}

/** Short turns, one after the other, so that both meet the same machine. */
async function compare(what: string, one: Asked, other: Asked, amounts = { turns, requestsPerTurn, connections }) {
  const sums = [one, other].map((asked) => ({ asked, ms: 0, cpuMs: 0 }))
  for (let turn = -amounts.turns / 4; turn < amounts.turns; turn++) {
    for (const sum of turn % 2 === 0 ? sums : sums.toReversed()) {
      const { ms, cpuMs } = await load(sum.asked, amounts)
      if (turn < 0) continue // the compiler is at work
      sum.ms += ms
      sum.cpuMs += cpuMs
    }
  }
  const [first, second] = sums as [(typeof sums)[0], (typeof sums)[0]]
  const [bytes, otherBytes] = [await lengthOf(one), await lengthOf(other)]
  const ratios = [(second.ms / first.ms).toFixed(2), (first.cpuMs / second.cpuMs).toFixed(2)]
  console.log(`| ${what} | ${ratios.join(' | ')} | ${bytes} to ${otherBytes} |`)
}

async function load({ server, url, accepts }: Asked, { requestsPerTurn, connections }: typeof long) {
  const [cpuBefore, before] = [cpuMsOf(server), performance.now()]
  const headers = { ...server.headers, ...coding(accepts) }
  const { non2xx, errors } = await autocannon({ url, headers, amount: requestsPerTurn, connections })
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers other than 2xx, ${errors} errors`)
  return { ms: performance.now() - before, cpuMs: cpuMsOf(server) - cpuBefore }
}

/** Of all its threads, by the scheduler's own count. */
function cpuMsOf({ child }: Server): number {
  const threads = `/proc/${child.pid}/task`
  const ns = readdirSync(threads).map((id) => Number(readFileSync(`${threads}/${id}/schedstat`, 'utf8').split(' ')[0]))
  return ns.reduce((sum, each) => sum + each, 0) / 1e6
}

async function lengthOf({ server: { headers }, url, accepts }: Asked): Promise<number> {
  return (await ask(url, { Authorization: headers.Authorization, ...coding(accepts) })).bytes.length
}

function coding(accepts: string | undefined): Record<string, string> {
  return accepts === undefined ? {} : { 'Accept-Encoding': accepts }
}

/** The path of a list that is sent in parts: 1,000 activities of 3 KB each. */
async function longPage({ url, headers }: Server): Promise<string> {
  const path = url.replace('organizations', 'activities')
  const words = ['offer', 'hampers', 'before', 'Christmas', 'asked', 'for', 'Hamburg', 'wants', 'two', 'hundred']
  let seed = 1
  for (let number = 0; number < 1_000; number++) {
    const text = Array.from({ length: 450 }, () => {
      seed = (seed * 16_807) % 2_147_483_647
      return words[seed % words.length]
    })
    const body = JSON.stringify({ type: 'note', subject: `Note ${number}`, description: text.join(' ') })
    await fetch(path, { method: 'POST', headers, body })
  }
  return `${path}?limit=1000`
}
