import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWorkspaceId } from '../../src/access/company.ts'
import { insertKey } from '../../src/access/key.ts'
import { insertSession } from '../../src/access/session.ts'
import { insertUser } from '../../src/access/user.ts'
import { schema } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { deal } from '../../src/crm/deal.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openForServer } from '../../src/store/directory.ts'
import { noDurability } from '../../src/store/durability.ts'
import { Store } from '../../src/store/store.ts'
import { TimedClient } from './client.ts'
import { median, serving, start, stop } from './processes.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3)
export const deals = Number(process.env.BENCH_DEALS ?? 300_000)

/** What the console's board requests. */
export const boardSums = '/api-v1-deals/summary?group_by=stage_id,currency&measure=sum:value&limit=1000'

/** GETs by id of one client, with and without another client that requests the sums of its board in a loop. */
export async function benchPipeline(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { key, cookie, path } = await fillDeals(data)
  const command = serving(data)
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_RESPONSE_CACHE_BYTES_MAX: '0' }
  const { child, first } = await start('0-1', command, env)
  const client = new TimedClient(first.url, key)
  const sum = () => fetch(`${first.url}${boardSums}`, { headers: { 'Kontor-Environment': 'live', Cookie: cookie } })
  await latencies(client, path)
  const alone = await latencies(client, path)
  const sums: number[] = []
  let stopping = false
  const board = (async () => {
    while (!stopping) {
      const begin = performance.now()
      const response = await sum()
      if (!response.ok) throw new Error(await response.text())
      await response.text()
      sums.push(performance.now() - begin)
    }
  })()
  const during = await latencies(client, path)
  stopping = true
  await board
  client.close()
  await stop(child)
  rmSync(data, { recursive: true })
  const [idle, busy] = [alone, during].map((ms) => ms[Math.floor(ms.length * 0.99)]!) as [number, number]
  console.log(
    `Sums of ${deals.toLocaleString('en')} deals: ${median(sums).toFixed(0)} ms, ${sums.length} times in a row.`,
  )
  console.log(`GET by id during the sums: p99 ${busy.toFixed(1)} ms, largest ${during.at(-1)!.toFixed(1)} ms;`)
  console.log(
    `p99 is ${(busy / idle).toFixed(1)} times that alone, the largest ${(during.at(-1)! / alone.at(-1)!).toFixed(1)}.\n`,
  )
}

/** Creates a company with deals in all stages, a key that reads all and writes organizations, and a session. */
export async function fillDeals(data: string, count = deals): Promise<{ key: string; cookie: string; path: string }> {
  const { db, release } = openForServer(data, schema)
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const made = await store.writeAccess((tx) => {
    const { id } = createCompany(tx, { name: 'Bench', plan: 'enterprise' })
    const user = insertUser(tx, { companyId: id, fullName: 'Ada', email: 'ada@bench.example', role: 'owner' })
    const { key } = insertKey(tx, {
      companyId: id,
      environment: 'live',
      name: 'Bench',
      scopes: ['read:all', 'write:organizations'],
    })
    return { key, token: insertSession(tx, user.id), workspaceId: findWorkspaceId(tx, id, 'live') }
  })
  const first = await store.write(made.workspaceId, (tx) => {
    return insert(deal, tx, readCreate(deal, tx, { title: 'Deal', value: 7 }), {}).id
  })
  db.prepare(copies).run(count - 1, first)
  await store.close()
  release()
  return { key: made.key, cookie: `kontor_session=${made.token}`, path: `/${deal.path}/${first}` }
}

/** Copies a deal into all stages, a tenth of them in another currency. */
const copies = `
  WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ?),
    stages AS (SELECT id, row_number() OVER (ORDER BY position) AS place, count(*) OVER () AS many FROM stage
      WHERE workspace_id = (SELECT workspace_id FROM deal))
  INSERT INTO deal (workspace_id, id, title, title_key, value, currency, currency_key, stage_id, metadata, created_at, updated_at)
  SELECT deal.workspace_id, substr(deal.id, 1, 28) || printf('%08x', n), title, title_key, n * 37 % 90000,
    iif(n % 10, 'EUR', 'CHF'), iif(n % 10, 'eur', 'chf'), (SELECT id FROM stages WHERE place = 1 + n % many),
    deal.metadata, deal.created_at, deal.updated_at
  FROM copy JOIN deal ON deal.id = ?`

async function latencies(client: TimedClient, path: string): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; )
    times.push((await client.ask(path)).ms)
  return times.sort((a, b) => a - b)
}
