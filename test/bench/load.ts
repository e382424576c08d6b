import autocannon from 'autocannon'

// Loads one URL and prints the measurement. It is a process of its own, so that it can have its own core.

const { url, method = 'GET', headers = {}, body, seconds } = JSON.parse(process.argv[2]!)
const result = await autocannon({ url, method, headers, body, duration: seconds, connections: 32 })
if (result.non2xx > 0 || result.errors > 0) {
  throw new Error(`${method} ${url}: ${result.non2xx} responses other than 2xx, ${result.errors} errors`)
}
const { requests, latency, duration } = result
console.log(
  JSON.stringify({ requests: requests.total, rate: requests.total / duration, p50: latency.p50, p99: latency.p99 }),
)
