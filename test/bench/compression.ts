import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { ask } from '../http/encoded.ts'
import { median } from './processes.ts'
import { served } from './served.ts'

/** One turn of a comparison, which alternates between two kinds of requests. */
interface Turn {
  turns: number
  send(asked: Asked): Promise<unknown>
}

const requestsPerTurn = 100
const short: Turn = { turns: 100, send: pipelined }
/** Pages that are sent in parts are requested one at a time: the server limits how many it sends at once. */
const long: Turn = { turns: 20, send: lengthOf }

type Server = Awaited<ReturnType<typeof served>>

interface Asked {
  server: Server
  url: string
  /** Sent as `Accept-Encoding`; undefined: the request has none. */
  accepts?: string
}

/** The cost of compression for clients that do not request it, and its cost and savings for those that do. */
export async function benchCompression(): Promise<void> {
  const [on, off] = [await served(), await served({ KONTOR_COMPRESSION: 'off' })]
  const uncached = await served({ KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' })
  const page = await longPage(on)
  const both = (server: Server, url: string) =>
    [
      { server, url, accepts: 'gzip' },
      { server, url },
    ] as const
  console.log('| request | compared | requests/s, ratio | CPU time per request, ratio | bytes |')
  console.log('| --- | --- | ---: | ---: | ---: |')
  const [one, other] = [on, off].map((server) => ({ server, url: `${server.url}/${server.ids[500]}` }))
  await compare('GET by id | not requested: on against off', one!, other!)
  await compare(
    'list of 50 | not requested: on against off',
    { server: on, url: on.url },
    { server: off, url: off.url },
  )
  await compare('list of 50, cached | gzip against plain', ...both(on, on.url))
  await compare('list of 50, not cached | gzip against plain', ...both(uncached, uncached.url))
  await compare('page of 3 MB | gzip against plain', ...both(on, page), long)
  console.log()
  for (const server of [on, off, uncached]) await server.close()
}

/** Alternates in short turns, so that both run under the same conditions. */
async function compare(what: string, one: Asked, other: Asked, how = short) {
  const both = [one, other].map((asked) => ({ asked, ms: [] as number[], cpuMs: [] as number[] }))
  for (let turn = -how.turns / 4; turn < how.turns; turn++) {
    for (const each of turn % 2 === 0 ? both : both.toReversed()) {
      const { ms, cpuMs } = await load(each.asked, how)
      if (turn < 0) continue // the JIT compiler is still running
      each.ms.push(ms)
      each.cpuMs.push(cpuMs)
    }
  }
  const [first, second] = both as [(typeof both)[0], (typeof both)[0]]
  const [bytes, otherBytes] = [await lengthOf(one), await lengthOf(other)]
  const ratios = [median(second.ms) / median(first.ms), median(first.cpuMs) / median(second.cpuMs)]
  console.log(`| ${what} | ${ratios.map((ratio) => ratio.toFixed(2)).join(' | ')} | ${bytes} to ${otherBytes} |`)
}

async function load(asked: Asked, { send }: Turn) {
  const { server } = asked
  const [cpuBefore, before] = [cpuMsOf(server), performance.now()]
  await send(asked)
  return { ms: performance.now() - before, cpuMs: cpuMsOf(server) - cpuBefore }
}

/** Pipelines requests over one connection, so that the client costs little; ends when the last response begins. */
function pipelined({ server, url, accepts }: Asked): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const fields = Object.entries({ Host: hostname, Authorization: server.headers.Authorization, ...coding(accepts) })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve, reject) => {
    let [text, begun] = ['', 0]
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${pathname} HTTP/1.1\r\n${head}\r\n`.repeat(requestsPerTurn))
    })
    socket.setEncoding('latin1').on('error', reject)
    socket.on('data', (chunk: string) => {
      text += chunk
      begun += text.split('HTTP/1.1 200 OK').length - 1
      text = text.slice(Math.max(text.lastIndexOf('HTTP/1.1 200 OK') + 1, text.length - 14))
      if (begun < requestsPerTurn) return
      socket.destroy()
      resolve()
    })
  })
}

/** CPU time of all threads, from the scheduler's statistics. */
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
