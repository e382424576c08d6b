import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { insertKey } from '../../src/access/key.ts'
import { schema } from '../../src/commands/open-store.ts'
import { contact } from '../../src/crm/contact.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { organization } from '../../src/crm/organization.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openForServer } from '../../src/store/directory.ts'
import { noDurability } from '../../src/store/durability.ts'
import type { Writer } from '../../src/store/reader.ts'
import { Store } from '../../src/store/store.ts'
import { TimedClient } from './client.ts'
import { median, serving, start, stop } from './processes.ts'

const records = Number(process.env.BENCH_RECORDS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const recordsAtOnce = 1_000
/** One in so many contacts is entered twice. */
const repeatedEvery = 20_000
const perOrganization = 4
const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' } // every response is computed

/** All groups of duplicates among contacts, against a scan of the emails, and GET by id of another client meanwhile. */
export async function benchDuplicates(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { key, id } = await fill(data)
  const serve = serving(data)
  const { child, first } = await start(`0-${availableParallelism() - 1}`, serve, env)
  const [client, other] = [new TimedClient(first.url, key), new TimedClient(first.url, key)]
  const path = `/${contact.path}/${id}`
  const end = performance.now() + seconds * 1_000
  const idle = await latencies(other, path, () => performance.now() > end)
  const [times, scans, ratios]: [number[], number[], number[]] = [[], [], []]
  let groups = 0
  for (let round = 0; round < rounds; round++) {
    let isDone = false
    const reading = latencies(other, path, () => isDone)
    const begin = performance.now()
    groups = await readGroups(client)
    times.push(performance.now() - begin)
    isDone = true
    ratios.push(p99(await reading) / p99(idle))
    scans.push(scan(join(data, 'kontor.db')))
  }
  console.log(
    `Duplicates of ${records} contacts, ${groups} groups: ${median(times).toFixed(0)} ms (largest ${Math.max(...times).toFixed(0)} ms), ${(median(times) / median(scans)).toFixed(1)} times a scan of the emails. GET by id meanwhile: p99 ${median(ratios).toFixed(2)} times that alone.\n`,
  )
  client.close()
  other.close()
  await stop(child)
  rmSync(data, { recursive: true })
}

async function readGroups(client: TimedClient): Promise<number> {
  let [groups, query] = [0, 'limit=100']
  for (let more = true; more; ) {
    const { data, pagination } = JSON.parse((await client.ask(`/${contact.path}/duplicates?${query}`)).text)
    groups += data.length
    more = pagination.has_more
    query = `limit=100&cursor=${pagination.next_cursor}`
  }
  return groups
}

/** The time to read every email once, without an index. */
function scan(file: string): number {
  const db = new Database(file, { readonly: true })
  const begin = performance.now()
  db.prepare('SELECT count(*) FROM contact_email WHERE length(email) > 500').get()
  const ms = performance.now() - begin
  db.close()
  return ms
}

async function latencies(client: TimedClient, path: string, isDone: () => boolean): Promise<number[]> {
  const ms: number[] = []
  while (!isDone()) ms.push((await client.ask(path)).ms)
  return ms
}

function p99(ms: number[]): number {
  return ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.99)]!
}

async function fill(data: string): Promise<{ key: string; id: string }> {
  const { db, release } = openForServer(data, schema)
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const { id: companyId } = await store.writeAccess((tx) => createCompany(tx, { name: 'Big', plan: 'enterprise' }))
  const { key } = await store.writeAccess((tx) =>
    insertKey(tx, { companyId, name: 'Bench', environment: 'live', scopes: ['admin:all'] }),
  )
  const workspaceId = db.prepare("SELECT id FROM workspace WHERE environment = 'live' AND company_id = ?").pluck()
  let id = ''
  for (let from = 0; from < records; from += recordsAtOnce) {
    await store.write(workspaceId.get(companyId) as number, (tx) => {
      for (let number = from; number < Math.min(records, from + recordsAtOnce); number++) id = add(tx, number)
    })
  }
  await store.close()
  release()
  return { key, id }
}

let organizationId = ''

/** Adds a contact, which is a repetition of the one before if its turn has come. */
function add(tx: Writer, number: number): string {
  if (number % perOrganization === 0) {
    const body = { name: `Company ${number}`, domain: `company-${number}.example` }
    organizationId = insert(organization, tx, readCreate(organization, tx, body), {}).id
  }
  const n = number % repeatedEvery === 1 ? number - 1 : number
  const body = {
    first_name: `Ada ${n % 999}`,
    last_name: `Weber-${n}`,
    organization_id: organizationId,
    emails: [{ email: `ada.${(n * 104_729) % 100_000_007}@customer.example` }],
    phones: [{ phone_number: `+4930${String((n * 15_485_863) % 100_000_000).padStart(8, '0')}` }],
  }
  return insert(contact, tx, readCreate(contact, tx, body), {}).id
}
