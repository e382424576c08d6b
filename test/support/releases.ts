import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Client, clientFor } from './client.ts'

const kept = new URL('../releases/', import.meta.url).pathname

/** A database that a release has written, and what that release answered of it. */
export interface Release {
  version: string
  /** Of its schema. */
  schemaVersion: number
  /** May read everything. */
  key: string
  /** By path, as it was answered: a record, or those that a search finds. */
  records: Map<string, unknown>
}

/** Every release that is kept, by `npm run keep-release`. */
export const releases: readonly Release[] = globSync('*.ndjson', { cwd: kept })
  .sort()
  .map((file) => {
    const [about, ...records] = readFileSync(join(kept, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    return { version: basename(file, '.ndjson'), ...about, records: new Map(records) }
  })

/** Lays the release's database into a data directory. */
export function unpack({ version }: Pick<Release, 'version'>, directory: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'kontor.db'), gunzipSync(readFileSync(join(kept, `${version}.db.gz`))))
}

/** Keeps a release: its database file and, a line each, what there is in it. */
export function keep({ version, records, ...about }: Release, database: string): void {
  const lines = [about, ...records].map((line) => JSON.stringify(line))
  writeFileSync(join(kept, `${version}.ndjson`), `${lines.join('\n')}\n`)
  writeFileSync(join(kept, `${version}.db.gz`), gzipSync(readFileSync(database), { level: 9 }))
}

/** What later versions answer otherwise on purpose: 0.1.0 showed a member's personal key with `admin:all` as such. */
function revised(path: string, record: unknown): unknown {
  const key = record as { type?: string; scopes?: string[] }
  const isNarrowed = path.startsWith('/api-v1-keys/') && key.type === 'personal' && key.scopes!.includes('admin:all')
  return isNarrowed ? { ...key, scopes: ['read:all', 'write:all'] } : record
}

/** Fails unless a server at `url` answers every record of the release as that did; it may say more than it did. */
export async function assertResponses(url: string, { key, records }: Release): Promise<void> {
  const client = clientFor(url, { id: '', key })
  for (const [path, record] of records) {
    const { status, body } = await client.get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    assert.partialDeepStrictEqual(body.data, revised(path, record), path)
  }
}

/** What of an answer stays as it is however often it is asked for. */
export async function readKept(client: Client, path: string): Promise<unknown> {
  const { data } = (await client.get(path)).body
  if (Array.isArray(data)) return data
  const { last_used_at, last_used_ip, request_count, ...record } = data
  return record
}
