import { contactBodies, recordsPerJob } from './contacts.ts'
import { generated } from './generate.ts'
import { jobEnded, submitJob } from './imports.ts'
import { median } from './processes.ts'
import { type Running, runOn } from './running.ts'

const contacts = Number(process.env.BENCH_RECORDS ?? 100_000)
const rounds = 3
const jobsPerRound = 10

/** How many of the records of an import match a contact. */
const shares: Record<string, number> = { 'none match': 0, 'half match': 0.5, 'all match': 1 }

type Body = ReturnType<typeof contactBodies>[number]

/** Contacts imported per second with `match_on=email` into a company that has many, compared with imports that create them. */
export async function benchMatchedImports(): Promise<void> {
  const server = await runOn(generated({ organization: contacts / 5, contact: contacts }, 0))
  const known = knownOf(server)
  const rates: Record<string, number[]> = Object.fromEntries(
    ['plain', ...Object.keys(shares)].map((name) => [name, []]),
  )
  await measure(server, bodiesOf(known, 0, 'warm-up'), {}) // warm-up
  for (let round = 0; round < rounds; round++) {
    rates.plain!.push(await measure(server, bodiesOf(known, 0, `plain${round}`), {}))
    for (const [name, share] of Object.entries(shares)) {
      const bodies = bodiesOf(known, share, `${name.replace(' ', '')}${round}`)
      rates[name]!.push(await measure(server, bodies, { match_on: 'email' }))
    }
  }
  await server.stop()
  console.log(`Imports of ${jobsPerRound} × ${recordsPerJob} records into ${contacts} contacts\n`)
  console.log('| import | records/s | ratio |\n| --- | ---: | ---: |')
  for (const [name, each] of Object.entries(rates)) {
    const ratio = median(each.map((rate, round) => rate / rates.plain![round]!))
    console.log(`| ${name} | ${median(each).toFixed(0)} | ${ratio.toFixed(2)} |`)
  }
  console.log()
}

/** The emails of contacts, in random order. */
function knownOf({ db, workspaceId }: Running): Iterator<string> {
  const sql = `SELECT email FROM contact_email JOIN contact ON contact.workspace_id = contact_email.workspace_id
      AND contact.id = contact_id
    WHERE contact_email.workspace_id = ? AND deleted_at IS NULL GROUP BY email_key HAVING count(*) = 1
    ORDER BY substr(contact_id, -6) LIMIT ?`
  return (
    db
      .prepare(sql)
      .pluck()
      .all(workspaceId, 2 * rounds * jobsPerRound * recordsPerJob) as string[]
  ).values()
}

function bodiesOf(known: Iterator<string>, share: number, name: string): Body[][] {
  return Array.from({ length: jobsPerRound }, (_, job) =>
    contactBodies(job).map((body, row) => {
      const email = row % 100 < share * 100 ? known.next().value : `${name}.${job}.${row}@customer.example`
      if (email === undefined) throw new Error('There are too few contacts')
      return { ...body, emails: [{ email }] }
    }),
  )
}

/** Records imported per second. */
async function measure({ url, key }: Running, bodies: Body[][], envelope: object): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const begin = performance.now()
  let last = ''
  for (const records of bodies) last = await submitJob(url, headers, JSON.stringify({ ...envelope, records }))
  await jobEnded(`${url}${last}`, headers)
  return (jobsPerRound * recordsPerJob) / ((performance.now() - begin) / 1000)
}
