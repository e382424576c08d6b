import assert from 'node:assert/strict'
import { type Client, clientFor } from '../support/client.ts'
import { lifetime } from '../support/fault-times.ts'
import { ended, submit } from '../support/imports.ts'
import type { JsonRecord } from '../support/make.ts'
import type { Process } from '../support/program.ts'

const jobs = 3
const recordsPerJob = 1000
/** One record in this many is invalid. */
const invalidEvery = 97

/** Starts the server on the same data, each time it is called. */
type Launch = () => Promise<Process>

/**
 * Imports while the server is killed `kills` times at random moments. Then checks that every valid record exists exactly once, and that
 * counters and errors are correct.
 */
export async function importThroughKills(launch: Launch, firstClient: (url: string) => Promise<Client>, kills: number) {
  let server = await launch()
  let client = await firstClient(server.first.url!)
  const paths: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    while (paths.length < jobs || (await isIdle(client)))
      paths.push(await submit(client, 'contacts', records(paths.length)))
    await lifetime(Math.random() * 250)
    assert.equal(await server.stop('SIGKILL'), 'SIGKILL')
    server = await launch()
    client = clientFor(server.first.url!, { id: client.keyId, key: client.key })
  }
  for (const [job, path] of paths.entries()) assertComplete(await ended(client, path), job)
  const names = await allNames(client)
  await server.stop()
  assert.deepEqual(names, paths.flatMap((_, job) => validNames(job)).sort())
  return { jobs: paths.length, contacts: names.length }
}

function records(job: number): unknown[] {
  return Array.from({ length: recordsPerJob }, (_, row) => {
    const name = `job ${job} row ${row + 1}`
    if (isInvalid(row)) return { first_name: ' ' }
    return { first_name: name, emails: [{ email: 'grace@x.example' }], phones: [{ phone_number: '+4930' }] }
  })
}

function isInvalid(row: number): boolean {
  return row % invalidEvery === invalidEvery - 1
}

function validNames(job: number): string[] {
  return (records(job) as { first_name: string }[]).map(({ first_name }) => first_name).filter((name) => name !== ' ')
}

function assertComplete(job: JsonRecord, number: number): void {
  const invalid = Array.from({ length: recordsPerJob }, (_, row) => row).filter(isInvalid)
  const { status, processed_records, successful_records, failed_records, progress_percent, errors } = job
  assert.deepEqual(
    { status, processed_records, successful_records, failed_records, progress_percent, errors },
    {
      status: 'completed',
      processed_records: recordsPerJob,
      successful_records: recordsPerJob - invalid.length,
      failed_records: invalid.length,
      progress_percent: 100,
      errors: invalid.map((row) => ({
        row: row + 1,
        field: 'first_name',
        error: 'First name is required',
        code: 'REQUIRED',
      })),
    },
    `job ${number}`,
  )
}

async function isIdle(client: Client): Promise<boolean> {
  return (await client.get('/api-v1-bulk/jobs?status[in]=queued,processing&limit=1')).body.pagination.total === 0
}

async function allNames(client: Client): Promise<string[]> {
  const names: string[] = []
  let path = '/api-v1-contacts?limit=100&include=emails,phones'
  for (;;) {
    const { body } = await client.get(path)
    for (const { first_name, contact_emails, contact_phones } of body.data) {
      names.push(first_name)
      assert.deepEqual([contact_emails.length, contact_phones.length], [1, 1], first_name)
    }
    if (!body.pagination.has_more) return names.sort()
    path = `/api-v1-contacts?limit=100&include=emails,phones&cursor=${body.pagination.next_cursor}`
  }
}
