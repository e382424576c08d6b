import { setTimeout as delay } from 'node:timers/promises'

// Sends single requests one after the other, with a pause between them, and prints the percentiles of their latencies
// by kind. It is a process of its own, so that the rest of the benchmark does not disturb it.

interface Target {
  name: string
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

const { targets, seconds }: { targets: Target[]; seconds: number } = JSON.parse(process.argv[2]!)
const pauseMs = 2
const end = performance.now() + seconds * 1000

const measures = await Promise.all(targets.map(async (target) => [target.name, await latenciesOf(target)] as const))
console.log(
  JSON.stringify(Object.fromEntries(measures.map(([name, ms]) => [name, { p50: at(ms, 0.5), p99: at(ms, 0.99) }]))),
)

async function latenciesOf({ url, method, headers, body }: Target): Promise<number[]> {
  const latencies: number[] = []
  while (performance.now() < end) {
    const begin = performance.now()
    const response = await fetch(url, { method, headers, ...(body && { body }) })
    await response.text()
    latencies.push(performance.now() - begin)
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`)
    await delay(pauseMs)
  }
  return latencies.sort((a, b) => a - b)
}

function at(sorted: number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)]!
}
