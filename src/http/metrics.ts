import { statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gauge, Registry } from 'prom-client'
import { OperatorError } from '../errors.ts'
import { secondMs } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import { type DiskFault, diskFaults } from '../store/constraint.ts'
import type { WaitingErasures } from '../store/erasure-watch.ts'
import { type ContentMeasures, contentHealth } from './content-metrics.ts'
import { type MailMeasures, mailHealth } from './mail-metrics.ts'
import type { Observe } from './observe.ts'
import { urlOf } from './server.ts'

/** The buckets of the duration histogram in seconds, from a fast read to a very slow request. */
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Gauges that Prometheus' naming rules reject: `_total` is for counters only. Others report the same by type. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

export interface Metrics {
  url: string
  observe: Observe
  close(): void
}

/** What a server knows of its log. Times are in seconds. */
export interface LogMeasures {
  position: number
  behindSeconds: number
  appendSeconds: number
  bytes: number
  isLeader: boolean
  /** Whether the log does not accept entries at present. */
  isFailing: boolean
  /** How often another server has taken the lead from this one. */
  fenced: number
}

/** The sources of the values that are measured at each scrape. */
interface Measured {
  /** The database's file. */
  database: string
  queue(): { jobs: Readonly<Record<string, number>>; records: number }
  webhooks(): { failing: number; pending: number }
  /** By reader of the log of changes: how many changes it is behind. */
  behind(): Readonly<Record<string, number>>
  /** Why the disk refuses writes; undefined: it does not. */
  disk(): DiskFault | undefined
  /** The erasures of which the database's files may still have something. */
  erasures(): WaitingErasures
  content: ContentMeasures
  /** Of a server that takes mail. */
  mail?: MailMeasures | undefined
  /** Of a server with a log. */
  log?: (() => LogMeasures) | undefined
}

/** Serves `/metrics` in the Prometheus format on a separate address. Throws OperatorError. */
export async function openMetrics(
  { host, port }: { host: string; port: number },
  { database, queue, webhooks, behind, disk, erasures, content, mail, log: measureLog }: Measured,
): Promise<Metrics> {
  const prom = await import('prom-client')
  const register = new prom.Registry()
  prom.collectDefaultMetrics({ register }) // event loop delay, memory, CPU time, open files
  for (const name of misnamed) register.removeSingleMetric(name)
  fileSize(prom.Gauge, register, 'kontor_database_bytes', 'Size of the database file', database)
  fileSize(prom.Gauge, register, 'kontor_wal_bytes', 'Size of the write-ahead log', `${database}-wal`)
  jobQueue(prom.Gauge, register, queue)
  webhookHealth(prom.Gauge, register, webhooks)
  readersBehind(prom.Gauge, register, behind)
  diskHealth(prom.Gauge, register, disk)
  waitingErasures(prom.Gauge, register, erasures)
  contentHealth(prom, register, content)
  if (mail) mailHealth(prom, register, mail)
  if (measureLog) {
    logHealth(prom.Gauge, register, measureLog)
    new prom.Counter({
      name: 'kontor_log_fenced_total',
      help: 'How often another server has taken the lead from this one, also before a restart',
      registers: [register],
      collect() {
        this.reset()
        this.inc(measureLog().fenced)
      },
    })
  }
  const server = createServer(async (req, res) => {
    if (req.url !== '/metrics') return void res.writeHead(404).end()
    try {
      const text = await register.metrics()
      res.writeHead(200, { 'Content-Type': register.contentType }).end(text)
    } catch (error) {
      log('collecting metrics failed', errorFields(error), 'error')
      res.writeHead(500).end()
    }
  })
  await start(server, host, port)
  server.on('error', (error) => log('the metrics server could not accept a connection', errorFields(error), 'error'))
  const url = `${urlOf(server.address() as AddressInfo)}/metrics`
  return { url, observe: requestMetrics(prom, register), close: () => void server.close() }
}

function requestMetrics(prom: typeof import('prom-client'), register: Registry): Observe {
  const registers = [register]
  const requests = new prom.Counter({
    name: 'kontor_requests_total',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new prom.Histogram({
    name: 'kontor_request_duration_seconds',
    help: 'Time from reading the request headers to handing the response to the socket',
    labelNames: ['method', 'route'],
    buckets: secondsBuckets,
    registers,
  })
  const limited = new prom.Counter({ name: 'kontor_rate_limited_total', help: 'Requests rejected with 429', registers })
  return ({ method, route = 'none', status, ms }) => {
    requests.inc({ method, route, status })
    seconds.observe({ method, route }, ms / 1000)
    if (status === 429) limited.inc()
  }
}

/** Registers a gauge of a file's size, read at each scrape. */
function fileSize(Gauges: typeof Gauge, register: Registry, name: string, help: string, path: string): void {
  new Gauges({
    name,
    help,
    registers: [register],
    collect() {
      this.set(statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    },
  })
}

function jobQueue(Gauges: typeof Gauge, register: Registry, queue: Measured['queue']): void {
  const registers = [register]
  const help = 'Records of import jobs that are not imported yet'
  const waiting = new Gauges({ name: 'kontor_job_records_waiting', help, registers: [] })
  new Gauges({
    name: 'kontor_jobs',
    help: 'Import jobs that have not ended, by status: queued or processing',
    labelNames: ['status'],
    registers,
    collect() {
      const { jobs, records } = queue()
      for (const [status, count] of Object.entries(jobs)) this.set({ status }, count)
      waiting.set(records)
    },
  })
  register.registerMetric(waiting) // after the gauge that sets it: they are collected in this order
}

function webhookHealth(Gauges: typeof Gauge, register: Registry, webhooks: Measured['webhooks']): void {
  const help = 'Deliveries of webhooks that will be attempted again'
  const pending = new Gauges({ name: 'kontor_webhook_deliveries_pending', help, registers: [] })
  new Gauges({
    name: 'kontor_webhooks_failing',
    help: 'Webhooks that have been failing for a day, or that the server has disabled',
    registers: [register],
    collect() {
      const measured = webhooks()
      this.set(measured.failing)
      pending.set(measured.pending)
    },
  })
  register.registerMetric(pending)
}

function readersBehind(Gauges: typeof Gauge, register: Registry, behind: Measured['behind']): void {
  new Gauges({
    name: 'kontor_reader_behind_changes',
    help: 'Changes that a reader of the log has not dealt with, in the workspace where it is furthest behind',
    labelNames: ['reader'],
    registers: [register],
    collect() {
      for (const [reader, count] of Object.entries(behind())) this.set({ reader }, count)
    },
  })
}

function diskHealth(Gauges: typeof Gauge, register: Registry, disk: Measured['disk']): void {
  new Gauges({
    name: 'kontor_disk_failing',
    help: 'Whether the disk refuses writes, by cause: 1 or 0',
    labelNames: ['cause'],
    registers: [register],
    collect() {
      for (const cause of diskFaults) this.set({ cause }, Number(disk() === cause))
    },
  })
}

function waitingErasures(Gauges: typeof Gauge, register: Registry, erasures: Measured['erasures']): void {
  const help = 'Seconds since the oldest of these erasures'
  const age = new Gauges({ name: 'kontor_erasure_age_seconds', help, registers: [] })
  new Gauges({
    name: 'kontor_erasures_waiting',
    help: 'Erasures of which the files of the database may still have something',
    registers: [register],
    collect() {
      const { count, ageMs } = erasures()
      this.set(count)
      age.set(ageMs / secondMs)
    },
  })
  register.registerMetric(age)
}

const logGauges: readonly [name: string, help: string, of: (measured: LogMeasures) => number][] = [
  ['position', 'Position of the log that this server shows', ({ position }) => position],
  ['behind_seconds', 'Seconds since this server had everything that the log had', ({ behindSeconds }) => behindSeconds],
  ['append_seconds', 'Duration of the latest append to the log', ({ appendSeconds }) => appendSeconds],
  ['bytes', 'Bytes that the log keeps', ({ bytes }) => bytes],
  ['leader', 'Whether this server leads: 1 or 0', ({ isLeader }) => Number(isLeader)],
  ['failing', 'Whether the log does not accept entries: 1 or 0', ({ isFailing }) => Number(isFailing)],
]

function logHealth(Gauges: typeof Gauge, register: Registry, measure: () => LogMeasures): void {
  for (const [name, help, of] of logGauges) {
    new Gauges({
      name: `kontor_log_${name}`,
      help,
      registers: [register],
      collect() {
        this.set(of(measure()))
      },
    })
  }
}

function start(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new OperatorError(`Cannot serve metrics on ${host}:${port}: ${message}.`)),
    )
    server.listen(port, host, resolve)
  })
}
