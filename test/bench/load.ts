import autocannon from 'autocannon'
import type { Load } from './processes.ts'

// Loads one URL, or several in turn, and prints the measurement. It is a process of its own, so that it can have its own core.

const { url, method = 'GET', headers = {}, body, ids = [''], seconds } = JSON.parse(process.argv[2]!) as Load
let sent = 0
const next = (request: autocannon.Request) => {
  sent++
  const path = new URL(`${url}${ids[sent % ids.length]}`)
  return {
    ...request,
    path: `${path.pathname}${path.search}`,
    ...(body && { body: body.replaceAll('#', String(sent)) }),
  }
}
const varies = ids.length > 1 || body?.includes('#')
const result = await autocannon({
  ...{ url, method, headers, duration: seconds, connections: 32 },
  ...(varies ? { requests: [{ setupRequest: next }] } : { body }),
} as autocannon.Options)
if (result.non2xx > 0 || result.errors > 0) {
  throw new Error(`${method} ${url}: ${result.non2xx} responses other than 2xx, ${result.errors} errors`)
}
const { requests, latency, duration } = result
console.log(
  JSON.stringify({ requests: requests.total, rate: requests.total / duration, p50: latency.p50, p99: latency.p99 }),
)
