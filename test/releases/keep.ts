// `npm run keep-release`, run with each release: stores a database that this version writes and the responses it returns for it. The
// tests upgrade the stored databases with every later version. Each release is stored once.
import { join } from 'node:path'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { resources } from '../../src/features/index.ts'
import { version } from '../../src/packaging/embedded.ts'
import { openExisting } from '../../src/store/copy.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { enterDue } from '../../src/threads/search-entry.ts'
import type { Client } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { newCompany } from '../support/company.ts'
import { plant } from '../support/contract.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ended, importAll, submit } from '../support/imports.ts'
import { start } from '../support/start.ts'
import { digestsOf, keep, readStable, requireNew } from './releases.ts'

requireNew(version)

const ends: (() => void)[] = []
const t = { after: (end: unknown) => void ends.unshift(end as () => void) }
const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
const { url, store, path: database, stop } = await start(t, { directory, clock })
const { client } = await newCompany(store, url, 'Acme')

const paths: string[] = []
const stagesFirst = resources.toSorted((a, b) => Number(b.name === 'stage') - Number(a.name === 'stage')) // `plant` deletes what is there, and a stage with deals cannot be deleted
for (const resource of stagesFirst) {
  for (const { id } of await plant({ clock }, client, resource)) paths.push(`/${resource.path}/${id}`)
}
paths.push(await importMany(client))
await enterDue(store, resources.map(searchedOf), new AbortController().signal)
for (const text of ['nordwind 77', 'WIND 123', 'öko'])
  paths.push(`/api-v1-organizations?name[like]=${encodeURIComponent(text)}`)
const records = new Map<string, unknown>()
for (const path of paths) records.set(path, await readStable(client, path))
await stop()
const about = { schemaVersion: schemaVersionOf(database), steps: digestsOf(migrations), key: client.key }
keep({ version, ...about, records }, database)
for (const end of ends) await end()
console.log(`Stored ${version} with ${records.size} records: ${join('test', 'releases')}`)

/** Imports so many records that `like` uses the search index. Returns the path of a job with one invalid record. */
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
