import { fdatasync, openSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Worker } from 'node:worker_threads'
import { UuidSequence } from '../../src/lib/generate-uuid.ts'
import { fold, withoutCase } from '../../src/lib/text.ts'
import { packUuid } from '../../src/lib/uuid.ts'
import { openConnection } from '../../src/store/open.ts'
import { prepare as planOnce } from '../../src/store/prepare.ts'

// The floor of the stack: what node:http, better-sqlite3 and the disk allow. It serves a database of Kontor's with the statements that
// Kontor runs, shares transactions, syncs and moves its log as Kontor does, and sends responses of the same bytes. It checks the key in a map, and
// nothing else: no rights, limits, validation, idempotency or faults.
//
//     node floor.ts <kontor.db> '{"key":"…","headers":["Cache-Control","…"]}'

const { key, headers } = JSON.parse(process.argv[3]!) as { key: string; headers: string[] }
const path = process.argv[2]!
const db = openConnection(path, { busyTimeoutMs: 1_000, synchronous: 'NORMAL' })
db.pragma('journal_mode = WAL')
db.exec('BEGIN IMMEDIATE; UPDATE change_term SET id = id; COMMIT') // opens the write-ahead log
const workspace = db.prepare('SELECT workspace_id FROM organization LIMIT 1').pluck().get() as number
new Worker(new URL('./floor-checkpoints.ts', import.meta.url), { workerData: path }).on('error', (error) => {
  throw error
})
const wal = openSync(`${path}-wal`, 'r+')
const keys = new Map([[`Bearer ${key}`, { workspace }]])
const uuids = new UuidSequence()
/** Kontor compares statuses by their places. */
const statuses = db.prepare('SELECT DISTINCT status, status_key FROM organization').raw().all() as [string, number][]
const statusKeys = new Map(statuses)

const record = 'SELECT record FROM organization WHERE workspace_id = ? AND deleted_at IS NULL AND id = ?'
const page = "SELECT iif(octet_length(record) > 20971, '', record) FROM organization INDEXED BY"
const prepare = {
  get: db.prepare(record).pluck(),
  list: planOnce(
    db,
    `${page} sqlite_autoindex_organization_1 WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY id DESC LIMIT 51`,
  ).pluck(),
  total: db.prepare("SELECT records FROM record_count WHERE workspace_id = ? AND resource = 'organization'").pluck(),
  filtered: planOnce(
    db,
    `${page} organization_status WHERE workspace_id = ? AND deleted_at IS NULL AND status_key = ? ORDER BY id DESC LIMIT 51`,
  ).pluck(),
  filteredTotal: db
    .prepare(
      "SELECT records FROM value_count WHERE workspace_id = ? AND resource = 'organization' AND field = 'status_key' AND value = ?",
    )
    .pluck(),
  duplicate: db
    .prepare(
      `SELECT id FROM (SELECT workspace_id, id, deleted_at, domain FROM organization INDEXED BY organization_domain
        WHERE workspace_id = :workspace AND deleted_at IS NULL AND domain_key = ? LIMIT 100) AS organization
      WHERE workspace_id = :workspace AND deleted_at IS NULL AND without_case(domain) = ? LIMIT 1`,
    )
    .pluck(),
  insert: db.prepare(
    `INSERT INTO organization (workspace_id, id, name, name_key, status, status_key, organization_type, organization_type_key, address, city,
      city_key, state, postal_code, country, country_key, domain, domain_key, metadata, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  before: db.prepare(
    `SELECT name, status, organization_type, address, city, state, postal_code, country, domain, metadata, record FROM organization
    WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL`,
  ),
  update: db.prepare(
    'UPDATE organization SET city = ?, city_key = ?, updated_at = ? WHERE workspace_id = ? AND id = ?',
  ),
  change: db.prepare(
    'INSERT INTO change (workspace_id, seq, type, record_id, at, actor, request_id, previous) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  begin: db.prepare('BEGIN'),
  beginWrite: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
}
let seq = db.prepare('SELECT max(seq) FROM change WHERE workspace_id = ?').pluck().get(workspace) as number
const term = db.prepare('SELECT min(id) FROM change_term').pluck().get() as number

interface Organization {
  name: string
  status: string
  organization_type: string
  address: string
  city: string
  state?: string
  postal_code: string
  country: string
  domain: string
  metadata: object
}

let isReading = false

/** The reads of one turn of the event loop share a transaction. */
function read(): void {
  if (isReading) return
  isReading = true
  prepare.begin.run()
  setImmediate(endReading)
}

function endReading(): void {
  if (!isReading) return
  isReading = false
  prepare.commit.run()
}

interface Write {
  run(): string
  send(body: string): void
}

let waiting: Write[] = []
let isWriting = false

/** Writes that wait share a transaction and its sync. */
function write(each: Write): void {
  waiting.push(each)
  if (isWriting) return
  isWriting = true
  setImmediate(writeWaiting)
}

function writeWaiting(): void {
  const writes = waiting
  waiting = []
  endReading()
  prepare.beginWrite.run()
  const bodies = writes.map((each) => each.run())
  prepare.commit.run()
  fdatasync(wal, (error) => {
    if (error) throw error
    for (const [at, each] of writes.entries()) each.send(bodies[at]!)
    if (waiting.length > 0) writeWaiting()
    else isWriting = false
  })
}

function log(id: string, now: number, previous: string | null): void {
  seq++
  prepare.change.run(workspace, seq, term, packUuid(id), now, term, packUuid(id), previous)
}

function create(text: string): string {
  const body = JSON.parse(text) as Organization
  const now = Date.now()
  const time = new Date(now).toISOString()
  const id = uuids.next(now)
  prepare.duplicate.get(fold(body.domain), withoutCase(body.domain), { workspace })
  prepare.insert.run(
    ...[workspace, id, body.name, fold(body.name), body.status, statusKeys.get(body.status)],
    ...[body.organization_type, fold(body.organization_type), body.address, body.city, fold(body.city)],
    ...[body.state ?? null, body.postal_code, body.country, fold(body.country), body.domain, fold(body.domain)],
    ...[JSON.stringify(body.metadata), time, time],
  )
  log(id, now, null)
  return `{"data":${prepare.get.get(workspace, id)}}`
}

function change(id: string, text: string): string {
  const { city } = JSON.parse(text) as Organization
  const now = Date.now()
  const before = prepare.before.get(workspace, id) as Organization
  prepare.update.run(city, fold(city), new Date(now).toISOString(), workspace, id)
  log(id, now, JSON.stringify({ city: before.city }))
  return `{"data":${prepare.get.get(workspace, id)}}`
}

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))])
  res.end(body)
}

function listBody(rows: unknown[], total: unknown): string {
  const more = rows.length > 50
  const cursor = more ? JSON.parse(rows[49] as string).id : null
  const place = { total, limit: 50, has_more: more, page: 1, per_page: 50, total_pages: Math.ceil(Number(total) / 50) }
  const pagination = { ...place, next_cursor: cursor }
  return `{"data":[${rows.slice(0, 50).join()}],"pagination":${JSON.stringify(pagination)}}`
}

/** Answers a GET of a record, of the first page, or of the first page with a status. */
function shown(workspaceId: number, id: string | undefined, query: string | undefined): string {
  read()
  if (id !== undefined) return `{"data":${prepare.get.get(workspaceId, id)}}`
  const status = new URLSearchParams(query).get('status')
  if (status === null) return listBody(prepare.list.all(workspaceId), prepare.total.get(workspaceId))
  return listBody(
    prepare.filtered.all(workspaceId, statusKeys.get(status)),
    prepare.filteredTotal.get(workspaceId, statusKeys.get(status)),
  )
}

function receive(req: IncomingMessage, res: ServerResponse): void {
  const found = keys.get(req.headers.authorization ?? '')
  const [url, query] = req.url!.split('?') as [string, string | undefined]
  const id = url.split('/')[2]
  if (!found) send(res, 401, '{}')
  else if (req.method === 'GET') send(res, 200, shown(found.workspace, id, query))
  else {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const run = () => (id === undefined ? create(text) : change(id, text))
      write({ run, send: (body) => send(res, id === undefined ? 201 : 200, body) })
    })
  }
}

const server = createServer(receive)
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` })),
)
