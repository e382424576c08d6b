import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Migration } from '../../src/store/migrate.ts'
import { type Client, clientFor } from '../support/client.ts'

const folder = new URL('.//', import.meta.url).pathname

/** A database that a release wrote, and what that release returned for it. */
export interface Release {
  version: string
  /** The schema version of its database. */
  schemaVersion: number
  /** The digests of its migration steps, in order. */
  steps: readonly string[]
  /** An API key that may read everything. */
  key: string
  /** The `data` of each response, by path: a record, or the records that a search finds. */
  records: Map<string, unknown>
}

/** Every release that `npm run keep-release` has stored, oldest first. */
export const releases: readonly Release[] = globSync('*.ndjson', { cwd: folder })
  .map((file) => basename(file, '.ndjson'))
  .sort(compareVersions)
  .map(read)

function read(version: string): Release {
  const lines = readFileSync(join(folder, `${version}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
  const [about, ...records] = lines.map((line) => JSON.parse(line))
  return { version, ...about, records: new Map(records) }
}

/** Orders versions by number: 0.9.0 comes before 0.10.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const differing = left.findIndex((part, index) => part !== right[index])
  return differing === -1 ? 0 : left[differing]! - right[differing]!
}

/** Identifies the exact text of each step. */
export function digestsOf(steps: readonly Migration[]): string[] {
  return steps.map(({ version, sql }) => hash('sha256', `${version}\n${sql}`))
}

/** Writes the release's database into a data directory. */
export function unpack({ version }: Pick<Release, 'version'>, directory: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'kontor.db'), gunzipSync(readFileSync(join(folder, `${version}.db.gz`))))
}

/** Throws if the version is stored already: a stored release never changes. */
export function requireNew(version: string, into = folder): void {
  if (existsSync(join(into, `${version}.ndjson`)))
    throw new Error(`Release ${version} is stored already: set the next version in package.json first`)
}

/** Stores a release: its database file, and a text file that describes it and has one line per path. */
export function keep({ version, records, ...about }: Release, database: string): void {
  requireNew(version)
  const lines = [about, ...records].map((line) => JSON.stringify(line))
  writeFileSync(join(folder, `${version}.ndjson`), `${lines.join('\n')}\n`)
  writeFileSync(join(folder, `${version}.db.gz`), gzipSync(readFileSync(database), { level: 9 }))
}

/** Applies an intentional change of later versions: 0.1.0 showed `admin:all` for a member's personal key that was created with it. */
function revised(path: string, record: unknown): unknown {
  const key = record as { type?: string; scopes?: string[] }
  const isNarrowed = path.startsWith('/api-v1-keys/') && key.type === 'personal' && key.scopes!.includes('admin:all')
  return isNarrowed ? { ...key, scopes: ['read:all', 'write:all'] } : record
}

/** Fails unless the server at `url` returns every record of the release with the same values; new members are allowed. */
export async function assertResponses(url: string, { key, records }: Release): Promise<void> {
  const client = clientFor(url, { id: '', key })
  for (const [path, record] of records) {
    const { status, body } = await client.get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    assert.partialDeepStrictEqual(body.data, revised(path, record), path)
  }
}

/** Reads the `data` of a response without the members that change with every request. */
export async function readStable(client: Client, path: string): Promise<unknown> {
  const { data } = (await client.get(path)).body
  if (Array.isArray(data)) return data
  const { last_used_at, last_used_ip, request_count, ...record } = data
  return record
}
