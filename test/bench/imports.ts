import { setTimeout as delay } from 'node:timers/promises'
import { contactBodies, jobs, recordsPerJob } from './contacts.ts'
import { median, residentMiB, start } from './processes.ts'
import { served } from './served.ts'

const rounds = 3
/** The server and its worker thread may use both cores, as may the plain import. */
const cores = '0,1'

/** Contacts imported per second over HTTP, each with an email and a phone, compared with plain better-sqlite3; and memory used. */
export async function benchImports(): Promise<void> {
  const bodies = importBodies()
  const measures: { own: number; plain: number; addedMiB: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const plain = await measurePlain()
    measures.push({ ...(await measureImport(bodies)), plain })
  }
  const of = (value: (measure: (typeof measures)[number]) => number) => median(measures.map(value))
  const cells = [
    of(({ own }) => own).toFixed(0),
    of(({ plain }) => plain).toFixed(0),
    of(({ own, plain }) => own / plain).toFixed(2),
    of(({ addedMiB }) => addedMiB).toFixed(0),
  ]
  console.log('| contacts/s imported | plain better-sqlite3 /s | ratio | MiB above idle |')
  console.log(`| ---: | ---: | ---: | ---: |\n| ${cells.join(' | ')} |\n`)
}

export function importBodies(): string[] {
  return Array.from({ length: jobs }, (_, job) => JSON.stringify({ records: contactBodies(job) }))
}

async function measurePlain(): Promise<number> {
  const script = new URL('./plain-import.ts', import.meta.url).pathname
  const { first } = await start(cores, [process.execPath, script])
  return (first as unknown as { rate: number }).rate
}

/** Contacts imported per second. */
export async function measureImport(bodies: string[], program?: string[]): Promise<{ own: number; addedMiB: number }> {
  const { child, url, headers, close } = await served({}, cores, program)
  const idle = residentMiB(child)
  let peak = idle
  const watching = setInterval(() => {
    peak = Math.max(peak, residentMiB(child))
  }, 50)
  const origin = new URL(url).origin
  const begin = performance.now()
  let last = ''
  for (const body of bodies) last = await submitJob(origin, headers, body)
  await jobEnded(`${origin}${last}`, headers)
  const seconds = (performance.now() - begin) / 1000
  clearInterval(watching)
  await close()
  return { own: (jobs * recordsPerJob) / seconds, addedMiB: peak - idle }
}

/** Returns the path of the job. */
export async function submitJob(origin: string, headers: Record<string, string>, body: string): Promise<string> {
  const response = await fetch(`${origin}/api-v1-bulk/contacts`, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 202) throw new Error(text)
  return response.headers.get('location')!
}

export async function jobEnded(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers })
    const { data } = (await response.json()) as { data: { completed_at: string | null; failed_records: number } }
    if (data.failed_records > 0) throw new Error('Records failed')
    if (data.completed_at !== null) return
    await delay(20)
  }
}
