import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { schema } from '../../src/commands/open-store.ts'
import { organization } from '../../src/crm/organization.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openForServer } from '../../src/store/directory.ts'
import { noDurability } from '../../src/store/durability.ts'
import { Store } from '../../src/store/store.ts'
import { TimedClient } from './client.ts'
import { boardSums, deals, fillDeals } from './pipeline.ts'
import { cpuSeconds, type Load, measure, median, serverCore, serving, start, stop } from './processes.ts'
import { organizationBody } from './served.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const organizations = 10_000
const statuses = ['lead', 'active', 'inactive', 'lost']
const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' } // every response is computed

/** Summaries of deals; lists with a filter whose total is stored, against lists without a filter; and what storing it costs a create. */
export async function benchSummaries(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { key, cookie } = await fillDeals(data)
  await fillOrganizations(data)
  const command = serving(data)
  const both = await start('0-1', command, env)
  await benchGroups(both.first.url, key, cookie)
  await stop(both.child)
  const one = await start(serverCore, command, env)
  await benchTotals(one.child, `${one.first.url}/${organization.path}`, key)
  await benchCreates(one.child, `${one.first.url}/${organization.path}`, key, join(data, 'kontor.db'))
  await stop(one.child)
  rmSync(data, { recursive: true })
}

/** Compares with the sums of the console's board. */
async function benchGroups(url: string, key: string, cookie: string): Promise<void> {
  const client = new TimedClient(url, key)
  const count = deals.toLocaleString('en')
  console.log(
    `| summary of ${count} deals | median ms | of the board's sums | largest other GET meanwhile, ms |\n| --- | ---: | ---: | ---: |`,
  )
  const byStage = 'group_by=stage_id&measure=count'
  for (const query of [
    byStage,
    `${byStage},sum:value`,
    `${byStage},sum:value,weighted:value`,
    'group_by=created_at:month',
  ]) {
    const [times, sums]: [number[], number[]] = [[], []]
    const others: number[] = []
    const other = new TimedClient(url, key)
    for (let round = 0; round < 4 * rounds; round++) {
      const asked = client.ask(`/api-v1-deals/summary?${query}`)
      others.push((await other.ask('/api-v1-me')).ms)
      times.push((await asked).ms)
      const begin = performance.now()
      await (await fetch(`${url}${boardSums}`, { headers: { 'Kontor-Environment': 'live', Cookie: cookie } })).text()
      sums.push(performance.now() - begin)
    }
    other.close()
    const [ms, board] = [median(times), median(sums)]
    console.log(`| ${query} | ${ms.toFixed(0)} | ${(ms / board).toFixed(2)} | ${Math.max(...others).toFixed(1)} |`)
  }
  client.close()
}

/** The processor time of a request in microseconds: on a busy machine, rates say little. */
async function costOf(child: ChildProcess, load: Load): Promise<number> {
  const before = cpuSeconds(child)
  const { requests } = await measure(load)
  return ((cpuSeconds(child) - before) / requests) * 1e6
}

async function benchTotals(child: ChildProcess, url: string, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` }
  const ratios: number[] = []
  await measure({ url, headers, seconds })
  for (let round = 0; round < rounds; round++) {
    const all = await costOf(child, { url, headers, seconds })
    const some = await costOf(child, { url: `${url}?status=active`, headers, seconds })
    ratios.push(all / some)
    console.log(`list of 50: ${all.toFixed(0)} µs, by status: ${some.toFixed(0)} µs`)
  }
  console.log(
    `Of ${organizations} records, a list by status serves ${median(ratios).toFixed(2)} times as many requests.\n`,
  )
}

/** Removes and restores the triggers in turn. */
async function benchCreates(child: ChildProcess, url: string, key: string, file: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const load = { url, headers, method: 'POST', body: organizationBody, seconds } as const
  const db = new Database(file)
  const found = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'organization_tally_%'"
  const triggers = db.prepare(found).all() as { name: string; sql: string }[]
  const ratios: number[] = []
  await measure(load)
  for (let round = 0; round < rounds; round++) {
    const counted = await costOf(child, load)
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
    const plain = await costOf(child, load)
    for (const { sql } of triggers) db.exec(sql)
    ratios.push(counted / plain)
    console.log(`POST: ${counted.toFixed(0)} µs, without counting by status: ${plain.toFixed(0)} µs`)
  }
  db.close()
  console.log(`Counting by status makes a create ${median(ratios).toFixed(2)} times as expensive.\n`)
}

async function fillOrganizations(data: string): Promise<void> {
  const { db, release } = openForServer(data, schema)
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const workspaceId = db.prepare('SELECT workspace_id FROM deal LIMIT 1').pluck().get() as number
  await store.write(workspaceId, (tx) => {
    const body = JSON.parse(organizationBody)
    for (let row = 0; row < organizations; row++) {
      insert(organization, tx, readCreate(organization, tx, { ...body, status: statuses[row % 4] }), {})
    }
  })
  await store.close()
  release()
}
