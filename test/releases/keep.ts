// `npm run keep-release`, with each release that has a schema of its own: keeps a database as this version writes it, and what it answers,
// for the tests that upgrade it by every later version.
import { join } from 'node:path'
import { resources } from '../../src/crm/index.ts'
import { version } from '../../src/packaging/embedded.ts'
import { openExisting } from '../../src/store/copy.ts'
import type { Client } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { newCompany } from '../support/company.ts'
import { plant } from '../support/contract.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { keep, readKept } from '../support/releases.ts'
import { serve } from '../support/serve.ts'

const ends: (() => void)[] = []
const t = { after: (end: unknown) => void ends.unshift(end as () => void) }
const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
const { url, store, path: database, stop } = await serve(t, { directory, clock })
const { client } = await newCompany(store, url, 'Acme')

const paths: string[] = []
const stagesFirst = resources.toSorted((a, b) => Number(b.name === 'stage') - Number(a.name === 'stage')) // planting clears, and one with deals stays
for (const resource of stagesFirst) {
  for (const { id } of await plant({ clock }, client, resource)) paths.push(`/${resource.path}/${id}`)
}
paths.push(await importOne(client))
const records = new Map<string, unknown>()
for (const path of paths) records.set(path, await readKept(client, path))
await stop()
keep({ version, schemaVersion: schemaVersionOf(database), key: client.key, records }, database)
for (const end of ends) await end()
console.log(`Kept ${version} with ${records.size} records: ${join('test', 'releases')}`)

/** A job that has ended, of a record that was imported and one that was not; answers its path. */
async function importOne(client: Client): Promise<string> {
  const { headers } = await client.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Ada' }, {}] })
  const path = headers.get('location')!
  while ((await client.get(path)).body.data.completed_at === null);
  return path
}

function schemaVersionOf(path: string): number {
  const db = openExisting(path)
  try {
    return db.pragma('user_version', { simple: true }) as number
  } finally {
    db.close()
  }
}
