import { TimedClient } from './client.ts'
import { type Running, runBig, times } from './running.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3)

/** Exports all contacts, while another client reads records by id. */
export async function benchExports(): Promise<void> {
  const server = await runBig()
  const other = new TimedClient(server.url, server.key)
  const path = `/api-v1-contacts/${server.db.prepare('SELECT id FROM contact WHERE workspace_id = ? LIMIT 1').pluck().get(server.workspaceId)}`
  const until = () => performance.now() > end
  let end = performance.now() + seconds * 1_000
  await latencies(other, path, until) // warm-up
  end = performance.now() + seconds * 1_000
  const idle = await latencies(other, path, until)
  console.log(`An export of ${times * 1_000} contacts; GET by id of another client meanwhile\n`)
  console.log('| format | rows per second | MiB | MiB above idle | GET p99, times that alone |')
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const [name, type] of Object.entries({ CSV: 'text/csv', NDJSON: 'application/x-ndjson' })) {
    let isDone = false
    const reading = latencies(other, path, () => isDone)
    const { rows, bytes, ms, above } = await read(server, type)
    isDone = true
    const during = await reading
    const row = [name, Math.round(rows / (ms / 1_000)), (bytes / 2 ** 20).toFixed(0), above.toFixed(0)]
    console.log(`| ${row.join(' | ')} | ${(p99(during) / p99(idle)).toFixed(2)} |`)
  }
  console.log()
  other.close()
  await server.stop()
}

interface Read {
  rows: number
  bytes: number
  ms: number
  /** The most memory during the export, in MiB above that before. */
  above: number
}

async function read(server: Running, type: string): Promise<Read> {
  const before = server.residentMiB()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, server.residentMiB())
  }, 50)
  const begin = performance.now()
  const headers = { Authorization: `Bearer ${server.key}`, Accept: type, 'Accept-Encoding': 'identity' }
  const response = await fetch(`${server.url}/api-v1-contacts`, { headers })
  if (!response.ok) throw new Error(await response.text())
  let [rows, bytes] = [0, 0]
  for await (const part of response.body!) {
    bytes += part.length
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) rows++
  }
  clearInterval(watch)
  return { rows, bytes, ms: performance.now() - begin, above: most - before }
}

async function latencies(client: TimedClient, path: string, isDone: () => boolean): Promise<number[]> {
  const ms: number[] = []
  while (!isDone()) ms.push((await client.ask(path)).ms)
  return ms
}

function p99(ms: number[]): number {
  return ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.99)]!
}
