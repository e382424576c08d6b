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
import { resources } from '../../src/crm/index.ts'
import { organization } from '../../src/crm/organization.ts'
import { insert, update } from '../../src/engine/write/write.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { packUuid, UuidSequence } from '../../src/lib/uuid.ts'
import { ChangeLog, type Origin } from '../../src/store/change-log.ts'
import { databasePath, openForServer } from '../../src/store/directory.ts'
import { noDurability } from '../../src/store/durability.ts'
import type { Reader, Writer } from '../../src/store/reader.ts'
import { Store } from '../../src/store/store.ts'
import { median } from './processes.ts'
import { rows } from './rows.ts'

const records = Number(process.env.BENCH_RECORDS ?? 20_000)
const rounds = 7
/** Writes that share a transaction, as on a busy server. */
const together = 8

interface Measured {
  /** Processor time in microseconds. */
  us: number
  /** Growth of the file in bytes. */
  bytes: number
}

/** Median times in milliseconds. */
interface Reads {
  /** A page of 1,000 changes. */
  page: number
  /** The history of a record. */
  history: number
}

type Round = Record<'create' | 'update', Measured> & { reads: Reads }

/** What the log of changes adds to a create and to an update: the same writes with and without it, in turn. */
export async function benchChanges(): Promise<void> {
  const append = ChangeLog.prototype.append
  const measured: Record<'with' | 'without', Round[]> = { with: [], without: [] }
  for (let round = 0; round < rounds; round++) {
    measured.with.push(await measure())
    ChangeLog.prototype.append = () => {}
    measured.without.push(await measure())
    ChangeLog.prototype.append = append
  }
  for (const write of ['create', 'update'] as const) {
    const of = (how: 'with' | 'without', what: keyof Measured) => median(measured[how].map((each) => each[write][what]))
    const [us, without] = [of('with', 'us'), of('without', 'us')]
    console.log(
      `The log and a ${write}, processor time: ${without.toFixed(1)} to ${us.toFixed(1)} µs, + ${(us - without).toFixed(1)} µs`,
    )
    console.log(`The log and a ${write}, file: + ${(of('with', 'bytes') - of('without', 'bytes')).toFixed(0)} bytes`)
  }
  const reads = (what: keyof Reads) => median(measured.with.map((each) => each.reads[what])).toFixed(2)
  console.log(
    `In a log of ${2 * records} changes: a page of 1,000 takes ${reads('page')} ms, a history ${reads('history')} ms\n`,
  )
}

async function measure(): Promise<Round> {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { db, release } = openForServer(directory, schema)
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const workspaceId = await store.writeAccess((tx) =>
    findWorkspaceId(tx, createCompany(tx, { name: 'Bench', plan: 'enterprise' }).id, 'live'),
  )
  const random = new Random(1)
  const inputs = Array.from({ length: records }, () => rows.organization!(random, undefined as never))
  const ids: string[] = []
  const requests = new UuidSequence()
  const key = requests.next(Date.now())
  const origin = (): Origin => ({ actor: { type: 'api_key', id: key }, requestId: requests.next(Date.now()) })
  const run = async (each: (tx: Writer, n: number) => void): Promise<Measured> => {
    const size = sizeOf(directory)
    const begin = process.cpuUsage()
    for (let first = 0; first < records; first += together) {
      const turn = Array.from({ length: together }, (_, n) =>
        store.write(workspaceId, (tx) => each(tx, first + n), origin()),
      )
      await Promise.all(turn)
    }
    const { user, system } = process.cpuUsage(begin)
    db.pragma('wal_checkpoint(TRUNCATE)')
    return { us: (user + system) / records, bytes: (sizeOf(directory) - size) / records }
  }
  db.pragma('wal_checkpoint(TRUNCATE)')
  const create = await run((tx, n) => void ids.push(insert(organization, tx, inputs[n]!, {}).id))
  const changed = await run((tx, n) => update(organization, tx, ids[n]!, { city: `City ${n}` }))
  const reads = measureReads(store.workspace(workspaceId), ids)
  await store.close()
  release()
  rmSync(directory, { recursive: true })
  return { create, update: changed, reads }
}

const readTimes = 50

/** Milliseconds that pages take, each from another place of the log. */
function measureReads(reader: Reader, ids: readonly string[]): Reads {
  const { oldest, latest } = boundsOf(reader)
  const query = readFeedQuery(resources, 'limit=1000')
  const scopes = new Set(['admin:all'])
  const page = (n: number) => {
    const seq = Math.floor((n / readTimes) * (latest - oldest))
    readPage(resources, reader, { query, scopes, logId: '', seq })
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

function sizeOf(directory: string): number {
  return statSync(databasePath(directory)).size
}
