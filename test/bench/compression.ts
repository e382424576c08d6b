import { ask } from '../support/encoded.ts'
import { cpuSeconds, measure, median } from './processes.ts'
import { served } from './served.ts'

const rounds = 5
const warmUpSeconds = 2
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

type Server = Awaited<ReturnType<typeof served>>

/** The same request to two servers, or in two codings to one. */
interface Case {
  about: string
  one: Asked
  other: Asked
}

interface Asked {
  server: Server
  url: string
  /** Sent as `Accept-Encoding`; undefined: the request has none. */
  accepts?: string
  /** Whether requests are made one after the other: the server bounds long pages at a time. */
  isLong?: boolean
}

/** What compression costs clients that do not ask for it, and what it costs and saves those that do: ratios within one run. */
export async function benchCompression(): Promise<void> {
  const [on, off] = [await served(), await served({ KONTOR_COMPRESSION: 'off' })]
  const anew = await served({ KONTOR_ANSWER_CACHE_BYTES_MAX: '0' })
  const versus = (about: string, path: (server: Server) => string): Case => ({
    about,
    one: { server: on, url: path(on) },
    other: { server: off, url: path(off) },
  })
  const coded = (about: string, server: Server, url: string): Case => ({
    about,
    one: { server, url, accepts: 'gzip' },
    other: { server, url },
  })
  console.log('| request | compared | requests/s, ratio | processor time a request, ratio | bytes, ratio |')
  console.log('| --- | --- | ---: | ---: | ---: |')
  await compare(
    'on against off, not asked for',
    versus('GET by id', ({ url, ids }) => `${url}/${ids[500]}`),
  )
  await compare(
    'on against off, not asked for',
    versus('list of 50', ({ url }) => url),
  )
  await compare('gzip against plain', coded('list of 50, kept', on, on.url))
  await compare('gzip against plain', coded('list of 50, made anew', anew, anew.url))
  const { one, other } = coded('', on, await longPage(on))
  const page = { about: 'page of 3 MB', one: { ...one, isLong: true }, other: { ...other, isLong: true } }
  await compare('gzip against plain', page)
  console.log()
  for (const server of [on, off, anew]) await server.close()
}

async function compare(what: string, { about, one, other }: Case): Promise<void> {
  const both = [one, other] as const
  for (const each of both) await load(each, warmUpSeconds)
  const ratios = { rate: [] as number[], cpu: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const [first, second] = [await load(one, seconds), await load(other, seconds)]
    ratios.rate.push(first.rate / second.rate)
    ratios.cpu.push(first.cpu / second.cpu)
  }
  const [bytes, otherBytes] = [await lengthOf(one), await lengthOf(other)]
  const cells = [median(ratios.rate), median(ratios.cpu), bytes / otherBytes].map((ratio) => ratio.toFixed(2))
  console.log(`| ${about} | ${what} | ${cells.join(' | ')} (${bytes} to ${otherBytes}) |`)
}

async function load(asked: Asked, duration: number) {
  const { server, url, accepts, isLong } = asked
  const before = cpuSeconds(server.child)
  const headers = { ...server.headers, ...coding(accepts) }
  const { rate, requests } = isLong ? await inTurn(asked, duration) : await measure({ url, headers, seconds: duration })
  return { rate, cpu: (cpuSeconds(server.child) - before) / requests }
}

async function inTurn(asked: Asked, duration: number) {
  const begin = performance.now()
  for (let requests = 1; ; requests++) {
    await lengthOf(asked)
    const passed = (performance.now() - begin) / 1_000
    if (passed > duration) return { requests, rate: requests / passed }
  }
}

async function lengthOf({ server: { headers }, url, accepts }: Asked): Promise<number> {
  const { bytes } = await ask(url, { Authorization: headers.Authorization, ...coding(accepts) })
  return bytes.length
}

function coding(accepts: string | undefined): Record<string, string> {
  return accepts === undefined ? {} : { 'Accept-Encoding': accepts }
}

/** The path of a list that is sent in parts: 1,000 activities of 3 KB each. */
async function longPage({ url, headers }: Server): Promise<string> {
  const path = url.replace('organizations', 'activities')
  const words = ['offer', 'hampers', 'before', 'Christmas', 'asked', 'for', 'Hamburg', 'wants', 'two', 'hundred']
  for (let number = 0; number < 1_000; number++) {
    const text = Array.from({ length: 450 }, (_, at) => words[(at * (number + 7)) % words.length]).join(' ')
    const body = JSON.stringify({ type: 'note', subject: `Note ${number}`, description: text })
    await fetch(path, { method: 'POST', headers, body })
  }
  return `${path}?limit=1000`
}
