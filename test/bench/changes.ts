import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWorkspaceId } from '../../src/access/company.ts'
import { readPage } from '../../src/changes/feed.ts'
import { readFeedQuery } from '../../src/changes/feed-query.ts'
import { showChanges } from '../../src/changes/show.ts'
import { boundsOf, selectStored } from '../../src/changes/stored-change.ts'
import { schema } from '../../src/commands/open-store.ts'
import { Random } from '../../src/commands/seed/random.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { organization } from '../../src/crm/organization.ts'
import { insert, update } from '../../src/engine/records/rows/write.ts'
import { resources } from '../../src/features/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { UuidSequence } from '../../src/lib/generate-uuid.ts'
import { packUuid } from '../../src/lib/uuid.ts'
import { ChangeLog, type Origin } from '../../src/store/change-log.ts'
import { databasePath, openForServer } from '../../src/store/directory.ts'
import { noDurability } from '../../src/store/durability.ts'
import type { Reader, Writer } from '../../src/store/reader.ts'
import { Store } from '../../src/store/store.ts'
import { team } from '../../src/store/visibility.ts'
import { median } from './processes.ts'
import { rows } from './rows.ts'

const records = Number(process.env.BENCH_RECORDS ?? 20_000)
/** Writes that share a transaction, as on a busy server. */
const together = 8
/** Writes that are measured at once, with the log and without it in turn. A checkpoint follows, as often as on a server. */
const block = 400

interface Measured {
  /** Processor time per write, in microseconds. */
  us: number
  /** Growth of the file per write, in bytes. */
  bytes: number
}

type How = 'with' | 'without'
type Write = (run: Running, tx: Writer, n: number) => void

/** A store that is measured, and the records that it has. */
interface Running {
  store: Store
  workspaceId: number
  ids: string[]
  origin(): Origin
  checkpoint(): void
  size(): number
  end(): Promise<void>
}

/** What the log of changes adds to a create and to an update: the same writes with and without it, in turn. Then, what reading it takes. */
export async function benchChanges(): Promise<void> {
  const running = { with: await open(), without: await open() }
  const random = new Random(1)
  const inputs = Array.from({ length: records }, () => rows.organization!(random, undefined as never))
  const writes: Record<'create' | 'update', Write> = {
    create: ({ ids }, tx, n) => void ids.push(insert(organization, tx, inputs[n]!, {}).id),
    update: ({ ids }, tx, n) => update(organization, tx, ids[n]!, { city: `City ${n}` }),
  }
  for (const [name, write] of Object.entries(writes)) {
    const { with: logged, without } = await measure(running, write)
    const added = (logged.us - without.us).toFixed(1)
    console.log(
      `The log and a ${name}, processor time: ${without.us.toFixed(1)} to ${logged.us.toFixed(1)} µs, + ${added} µs`,
    )
    console.log(`The log and a ${name}, file: + ${(logged.bytes - without.bytes).toFixed(0)} bytes`)
  }
  const { page, history } = measureReads(running.with)
  console.log(
    `In a log of ${2 * records} changes: a page of 1,000 takes ${page.toFixed(2)} ms, a history ${history.toFixed(2)} ms\n`,
  )
  for (const each of Object.values(running)) await each.end()
}

async function measure(running: Record<How, Running>, write: Write): Promise<Record<How, Measured>> {
  const times: Record<How, number[]> = { with: [], without: [] }
  const before = { with: running.with.size(), without: running.without.size() }
  for (let first = 0; first < records; first += block) {
    for (const how of first % (2 * block) === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      times[how].push(await timeOfBlock(how, running[how], (tx, n) => write(running[how], tx, first + n)))
    }
  }
  const measured = (how: How) => ({ us: undisturbed(times[how]), bytes: (running[how].size() - before[how]) / records })
  return { with: measured('with'), without: measured('without') }
}

/** The lower quartile: other processes of the machine add time, and never take it away. */
function undisturbed(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)]!
}

/** Processor time per write, in microseconds. */
async function timeOfBlock(
  how: How,
  { store, workspaceId, origin, checkpoint }: Running,
  write: (tx: Writer, n: number) => void,
) {
  const append = ChangeLog.prototype.append
  if (how === 'without') ChangeLog.prototype.append = () => {}
  const begin = process.cpuUsage()
  for (let first = 0; first < block; first += together) {
    const turn = Array.from({ length: together }, (_, n) =>
      store.write(workspaceId, (tx) => write(tx, first + n), origin()),
    )
    await Promise.all(turn)
  }
  checkpoint()
  const { user, system } = process.cpuUsage(begin)
  ChangeLog.prototype.append = append
  return (user + system) / block
}

async function open(): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { db, release } = openForServer(directory, schema)
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const workspaceId = await store.writeAccess((tx) =>
    findWorkspaceId(tx, createCompany(tx, { name: 'Bench', plan: 'enterprise' }).id, 'live'),
  )
  const requests = new UuidSequence()
  const key = requests.next(Date.now())
  return {
    store,
    workspaceId,
    ids: [],
    origin: () => ({ actor: { type: 'api_key', id: key }, requestId: requests.next(Date.now()) }),
    checkpoint: () => void db.pragma('wal_checkpoint(TRUNCATE)'),
    size: () => statSync(databasePath(directory)).size,
    end: async () => {
      await store.close()
      release()
      rmSync(directory, { recursive: true })
    },
  }
}

const readTimes = 50

/** Median milliseconds of a page of 1,000 changes and of the history of a record, each in another place of the log. */
function measureReads({ store, workspaceId, ids }: Running): Record<'page' | 'history', number> {
  const reader: Reader = store.workspace(workspaceId)
  const { oldest, latest } = boundsOf(reader)
  const query = readFeedQuery(resources, 'limit=1000')
  const scopes = new Set(['admin:all'])
  const page = (n: number) => {
    const seq = Math.floor((n / readTimes) * (latest - oldest))
    readPage(resources, reader, { query, scopes, viewer: team, logId: '', seq })
  }
  const history = (n: number) => {
    const change = selectStored(
      reader,
      'record_id',
      'AND record_id = ? ORDER BY seq DESC LIMIT 50',
      packUuid(ids[n * 7]!),
    )
    showChanges(
      reader,
      change.map((each) => ({ change: each, resource: organization })),
    )
  }
  return { page: timeOf(page), history: timeOf(history) }
}

function timeOf(run: (n: number) => void): number {
  const times = Array.from({ length: readTimes }, (_, n) => {
    const begin = performance.now()
    run(n)
    return performance.now() - begin
  })
  return median(times)
}
