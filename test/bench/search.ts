import { median } from './processes.ts'
import { type Running, runBig, runSmall, times } from './running.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 41)
const warmUpRounds = 10

/** Queries whose words are taken from the data of each company: `rare` words are in few records. */
const cases: Record<string, (server: Running) => string> = {
  'an email': (server) => pick(server, 'SELECT email FROM contact_email WHERE workspace_id = ? LIMIT 1 OFFSET 200'),
  'a phone': (server) =>
    pick(server, 'SELECT phone_number FROM contact_phone WHERE workspace_id = ? LIMIT 1 OFFSET 200'),
  'a part of a phone': (server) =>
    pick(server, 'SELECT substr(phone_number, 5, 7) FROM contact_phone WHERE workspace_id = ? LIMIT 1 OFFSET 99'),
  'a domain': (server) => pick(server, 'SELECT domain FROM organization WHERE workspace_id = ? LIMIT 1 OFFSET 100'),
  'a first and a last name': (server) => pick(server, nameSql("first_name || ' ' || last_name")),
  'a last name': (server) => pick(server, nameSql('last_name')),
  'the beginning of a last name': (server) => pick(server, nameSql('substr(last_name, 1, 9)')),
  'the inside of a last name': (server) => pick(server, nameSql('substr(last_name, 3, 10)')),
  'a word that nothing has': () => 'qqxyzzy',
  'a common job title': () => 'manager',
  'a common job title and a last name': (server) => `manager ${pick(server, nameSql('last_name'))}`,
  'a common first name': () => 'ada',
  'a part of many words': () => 'ung',
  'a word of descriptions': () => 'payroll',
  'one letter': () => 'a',
  'two letters': () => 'we',
}

/** Compares the latencies of searches with the big file and with a file of 1,000 contacts; requests alternate between the two. */
export async function benchSearch(): Promise<void> {
  const [big, small] = [await runBig(), await runSmall()]
  console.log(`${times * 1_000} contacts against 1,000: median latencies of searches, ${rounds} requests each\n`)
  console.log('| search | matches | ms big | p95 | ms small | ratio | ms of a list of contacts with q |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [name, queryOf] of Object.entries(cases)) {
    const both = [big, small].map((server) => ({ server, q: queryOf(server), ms: [] as number[] }))
    const ofLists: number[] = []
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (const { server, q, ms } of both) {
        const response = await server.client.ask(`/api-v1-search?q=${encodeURIComponent(q)}`)
        if (round >= 0) ms.push(response.ms)
      }
      if (round >= 0) ofLists.push((await big.client.ask(`/api-v1-contacts?q=${encodeURIComponent(both[0]!.q)}`)).ms)
    }
    const [ofBig, ofSmall] = both.map(({ ms }) => median(ms)) as [number, number]
    const p95 = both[0]!.ms.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)]!
    const row = [name, countContacts(big, both[0]!.q), ofBig.toFixed(1), p95.toFixed(1), ofSmall.toFixed(1)]
    console.log(`| ${row.join(' | ')} | ${(ofBig / ofSmall).toFixed(2)} | ${median(ofLists).toFixed(1)} |`)
  }
  console.log(`\nResident memory of the server with the big file: ${big.residentMiB().toFixed(0)} MiB\n`)
  await big.stop()
  await small.stop()
}

function pick({ db, workspaceId }: Running, sql: string): string {
  return String(db.prepare(sql).pluck().get(workspaceId))
}

/** Selects from a contact whose last name is rare and long. */
function nameSql(expression: string): string {
  return `SELECT ${expression} FROM contact WHERE workspace_id = ? AND deleted_at IS NULL AND length(last_name) > 12 LIMIT 1 OFFSET 20`
}

/** The number of contacts with each word in a field of their own. */
function countContacts({ db, workspaceId }: Running, q: string): number {
  const words = q.toLowerCase().split(' ')
  const each = words.map(() => "instr(concat_ws(' ', first_name_key, last_name_key, job_title_key), ?)").join(' AND ')
  const sql = `SELECT count(*) FROM contact WHERE workspace_id = ? AND deleted_at IS NULL AND ${each}`
  return db
    .prepare(sql)
    .pluck()
    .get(workspaceId, ...words) as number
}
