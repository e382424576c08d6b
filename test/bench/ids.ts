import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Random } from '../../src/commands/seed/random.ts'
import { UuidSequence } from '../../src/lib/generate-uuid.ts'
import { packUuid } from '../../src/lib/uuid.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { median } from './processes.ts'
import { firstName, jobTitle, lastName } from './words.ts'

const rows = Number(process.env.BENCH_RECORDS ?? 200_000)
const rowsPerTransaction = 16
const organizations = 1_000
const rounds = 3
const seed = 20_261_125

/** Compares the table of contacts and its indexes with the same ones whose ids are 16 bytes, without triggers. */
export async function benchIds(): Promise<void> {
  const taken = { insert: [] as number[], get: [] as number[], size: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const [text, bytes] = [measure(textDdl(), (id) => id), measure(bytesDdl(), packUuid)]
    taken.insert.push(bytes.insertMs / text.insertMs)
    taken.get.push(bytes.getMs / text.getMs)
    taken.size.push(bytes.size / text.size)
  }
  console.log(`Ids of 16 bytes instead of text, ${rows} contacts with their indexes: ratios\n`)
  console.log('| time of inserts | time of reads by id | size of the file |\n| ---: | ---: | ---: |')
  console.log(`| ${[taken.insert, taken.get, taken.size].map((each) => median(each).toFixed(2)).join(' | ')} |\n`)
}

/** The table as the schema has it, without references to others. */
function textDdl(): string {
  const table = /CREATE TABLE contact \([\s\S]*?WITHOUT ROWID;/.exec(schemaSql)![0]
  const indexes = schemaSql.match(/CREATE (UNIQUE )?INDEX \w+ ON contact \([\s\S]*?;/g)!
  return [table.replace(/^ *CONSTRAINT \w+_fk .*\n/gm, ''), ...indexes].join('\n')
}

/** The record's JSON has ids as text. */
function bytesDdl(): string {
  const parts = [1, 9, 13, 17, 21].map((at) => `substr(hex(ID), ${at}, ${at === 1 ? 8 : at === 21 ? 12 : 4})`)
  const text = (name: string) => `lower(${parts.join(" || '-' || ").replaceAll('ID', name)})`
  return textDdl()
    .replace(/^( *(?:organization_)?id +)TEXT/gm, '$1BLOB')
    .replace("'id', id,", `'id', ${text('id')},`)
    .replace("'organization_id', organization_id,", `'organization_id', ${text('organization_id')},`)
}

function measure(ddl: string, stored: (id: string) => string | Uint8Array) {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-ids-'))
  const path = join(directory, 'ids.db')
  const db = new Database(path)
  db.pragma('foreign_keys = OFF')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(ddl)
  const random = new Random(seed)
  const uuids = new UuidSequence(() => random.bytes(16))
  const ids = Array.from({ length: rows }, (_, at) => stored(uuids.next(Date.UTC(2026, 0, 1) + at)))
  const insert =
    db.prepare(`INSERT INTO contact (workspace_id, id, first_name, first_name_key, last_name, last_name_key, job_title,
    job_title_key, organization_id, is_primary, consent_to_record, metadata, created_at, updated_at)
    VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '{}', ?, ?)`)
  const add = (at: number) => {
    const [first, last, title] = [firstName(random), lastName(random), jobTitle(random)]
    const time = new Date(Date.UTC(2026, 0, 1) + at).toISOString()
    const keys = [first, first.toLowerCase(), last, last.toLowerCase(), title, title.toLowerCase()]
    insert.run(ids[at], ...keys, ids[at % organizations], time, time)
  }
  const addSome = db.transaction((from: number) => {
    for (let at = from; at < Math.min(from + rowsPerTransaction, rows); at++) add(at)
  })
  const insertMs = timed(() => {
    for (let from = 0; from < rows; from += rowsPerTransaction) addSome(from)
  })
  const get = db.prepare('SELECT record FROM contact WHERE workspace_id = 1 AND deleted_at IS NULL AND id = ?').pluck()
  const getMs = timed(() => {
    for (let at = 0; at < rows; at++) get.get(ids[(at * 7919) % rows])
  })
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const { size } = statSync(path)
  rmSync(directory, { recursive: true })
  return { insertMs, getMs, size }
}

function timed(run: () => void): number {
  const begin = performance.now()
  run()
  return performance.now() - begin
}
