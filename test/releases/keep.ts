// `npm run keep-release`, with each release that has a schema of its own: keeps a database as this version writes it, and what it answers,
// for the tests that upgrade it by every later version.
import { join } from 'node:path'
import { resources } from '../../src/crm/index.ts'
import { searchedOf } from '../../src/engine/list/search.ts'
import { enterDue } from '../../src/jobs/search-entry.ts'
import { version } from '../../src/packaging/embedded.ts'
import { openExisting } from '../../src/store/copy.ts'
import type { Client } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { newCompany } from '../support/company.ts'
import { plant } from '../support/contract.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ended, importAll, submit } from '../support/imports.ts'
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
paths.push(await importMany(client))
await enterDue(store, resources.map(searchedOf), new AbortController().signal)
for (const text of ['nordwind 77', 'WIND 123', 'öko'])
  paths.push(`/api-v1-organizations?name[like]=${encodeURIComponent(text)}`)
const records = new Map<string, unknown>()
for (const path of paths) records.set(path, await readKept(client, path))
await stop()
keep({ version, schemaVersion: schemaVersionOf(database), key: client.key, records }, database)
for (const end of ends) await end()
console.log(`Kept ${version} with ${records.size} records: ${join('test', 'releases')}`)

/** So many that text is looked up in the search's index. Answers the path of a job of which one record was not imported. */
async function importMany(client: Client): Promise<string> {
  const records = Array.from({ length: 2_000 }, (_, row) => (row === 1_500 ? {} : { name: `Nordwind ${row}` }))
  await importAll(client, 'organizations', records.slice(0, 1_000))
  const path = await submit(client, 'organizations', records.slice(1_000))
  await ended(client, path)
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
