import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

// Preloaded into a server: answers each request with the longest delay of the event loop since the last one, in milliseconds.

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
const server = createServer((_req, res) => {
  const ms = delays.max / 1e6
  delays.reset()
  res.end(String(ms))
})
server.on('error', (error) => process.stderr.write(`${error.message}\n`))
server.listen(Number(process.env.LOOP_PROBE_PORT), '127.0.0.1').unref()
