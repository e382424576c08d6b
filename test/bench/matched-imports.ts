import { contactBodies, recordsPerJob } from './contacts.ts'
import { generated } from './generate.ts'
import { jobEnded, submitJob } from './imports.ts'
import { median } from './processes.ts'
import { type Running, runOn } from './running.ts'

const contacts = Number(process.env.BENCH_RECORDS ?? 100_000)
const rounds = 3
const jobsPerRound = 6

type Body = Partial<ReturnType<typeof contactBodies>[number]>

/** The records of imports: how many match a contact, and what they change of it. */
const imports: Record<string, { share: number; change: object }> = {
  'none match': { share: 0, change: {} },
  'half match, with another job title': { share: 0.5, change: { job_title: 'Purchasing' } },
  'all match, with another job title': { share: 1, change: { job_title: 'Purchasing' } },
  'all match and are unchanged': { share: 1, change: {} },
}

/** Contacts imported per second with `match_on=email` into a company that has many, compared with imports that create them. */
export async function benchMatchedImports(): Promise<void> {
  const server = await runOn(generated({ organization: contacts / 5, contact: contacts }, 0))
  const known = knownOf(server)
  const rates: Record<string, number[]> = { plain: [] }
  await measure(server, bodiesOf(known, { share: 0, change: {} }, 'warm-up'), {})
  for (let round = 0; round < rounds; round++) {
    rates.plain!.push(await measure(server, bodiesOf(known, { share: 0, change: {} }, `plain${round}`), {}))
    for (const [name, each] of Object.entries(imports)) {
      const bodies = bodiesOf(known, each, `matched${round}`)
      rates[name] = [...(rates[name] ?? []), await measure(server, bodies, { match_on: 'email' })]
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

/** Contacts with an email of their own, in random order. */
function knownOf({ db, workspaceId }: Running): Iterator<Body> {
  const sql = `SELECT first_name, last_name, job_title, email FROM contact_email
      JOIN contact ON contact.workspace_id = contact_email.workspace_id AND contact.id = contact_id
    WHERE contact_email.workspace_id = ? AND deleted_at IS NULL GROUP BY email_key HAVING count(*) = 1
    ORDER BY substr(contact_id, -6) LIMIT ?`
  const rows = db.prepare(sql).all(workspaceId, 3 * rounds * jobsPerRound * recordsPerJob)
  return (rows as { email: string }[]).map(({ email, ...names }) => ({ ...names, emails: [{ email }] })).values()
}

function bodiesOf(known: Iterator<Body>, { share, change }: (typeof imports)[string], name: string): Body[][] {
  return Array.from({ length: jobsPerRound }, (_, job) =>
    contactBodies(job).map((body, row) => {
      if (row % 100 >= share * 100) return { ...body, emails: [{ email: `${name}.${job}.${row}@customer.example` }] }
      const match = known.next().value
      if (match === undefined) throw new Error('There are too few contacts')
      return { ...match, ...change }
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
