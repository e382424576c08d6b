import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWorkspaceId } from '../../src/access/company.ts'
import { insertKey } from '../../src/access/key.ts'
import { insertUser } from '../../src/access/user.ts'
import { Random } from '../../src/commands/seed/random.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { enterPending, searchedOf, searchesDue } from '../../src/engine/finding/list/search.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { resources } from '../../src/features/index.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { UuidSequence } from '../../src/lib/generate-uuid.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { operator } from '../../src/store/change-log.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import type { Writer } from '../../src/store/reader.ts'
import { Statements } from '../../src/store/statements.ts'
import { WorkspaceWriter } from '../../src/store/workspace-writer.ts'
import { type Known, rows } from './rows.ts'

/** How many records of each resource a company has. */
export type Counts = Record<string, number>

export const thousand: Counts = { organization: 200, contact: 1_000, deal: 300, task: 500, activity: 1_000 }
export const small: Counts = { organization: 20, contact: 30, deal: 10, task: 20, activity: 30 }

export interface Generated {
  directory: string
  /** A key with all scopes in the big company. */
  key: string
  workspaceId: number
}

const begin = Date.UTC(2023, 0, 2, 8)
const end = Date.UTC(2026, 10, 20)
const seed = 20_261_121
const cacheKiB = 1_048_576
const enteredMax = 10_000

/** The record counts of a company `times` as large as the one with 1,000 contacts. */
export function scaled(times: number): Counts {
  return Object.fromEntries(Object.entries(thousand).map(([name, count]) => [name, Math.round(count * times)]))
}

/**
 * A data directory with one company of these counts and `smallCompanies` small ones, the same every time. It is generated once for each
 * schema and stored in the system's temporary directory.
 */
export function generated(counts: Counts, smallCompanies: number): Generated {
  const directory = join(tmpdir(), 'kontor-bench-data', digestOf(JSON.stringify([counts, smallCompanies])))
  const about = 'about.json'
  if (!existsSync(directory)) {
    const unfinished = `${directory}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    const company = generate(join(unfinished, 'kontor.db'), counts, smallCompanies)
    writeFileSync(join(unfinished, about), JSON.stringify({ directory, ...company }))
    renameSync(unfinished, directory)
  }
  return JSON.parse(readFileSync(join(directory, about), 'utf8'))
}

/** A hash of everything that determines the generated data. */
function digestOf(what: string): string {
  const sources = globSync([
    'schema.sql',
    'src/crm/*.ts',
    'src/features/**/*.ts',
    'src/engine/**/*.ts',
    'test/bench/{generate,rows,words}.ts',
  ])
  const hash = createHash('sha256').update(what)
  for (const path of sources.sort()) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function generate(path: string, counts: Counts, smallCompanies: number): Omit<Generated, 'directory'> {
  const began = performance.now()
  const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma(`cache_size = -${cacheKiB}`)
  migrate(db, schemaSql, migrations)
  const restoreIndexes = dropIndexes(db)
  const company = fill(db, counts, smallCompanies)
  age(db)
  restoreIndexes()
  db.pragma('journal_mode = WAL')
  db.close()
  const seconds = (performance.now() - began) / 1000
  console.log(`Generated ${JSON.stringify(counts)} and ${smallCompanies} small companies in ${seconds.toFixed(0)} s\n`)
  return company
}

/**
 * Drops indexes, to be created again after the inserts: sorting once is faster. Unique indexes stay, since rules depend on them, and one that
 * statements name.
 */
function dropIndexes(db: Connection): () => void {
  const plain = `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE INDEX%' AND name <> 'message_restricted'`
  const indexes = db.prepare(plain).all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  return () => {
    for (const { sql } of indexes) db.exec(sql.replace('CREATE INDEX ', 'CREATE INDEX main.')) // not of the reader's temporary views
  }
}

function fill(db: Connection, counts: Counts, smallCompanies: number): Omit<Generated, 'directory'> {
  const random = new Random(seed)
  const statements = new Statements(db, () => {})
  const ids = new UuidSequence(() => random.bytes(16))
  const at = (ms: number): Writer =>
    new WorkspaceWriter(statements, undefined, {
      nowMs: ms,
      now: timestamp(ms),
      origin: operator,
      randomness: { newId: (ms) => ids.next(ms), bytes: (size) => random.bytes(size) },
      onWorkspace: () => {},
      onAccess: () => {},
      announce: () => {},
    })
  const create = (name: string) => createCompany(at(begin), { name, plan: 'enterprise' }).id
  const transaction = (run: () => void) => db.transaction(run)()
  let big = ''
  const others: string[] = []
  transaction(() => {
    big = create('Big')
    for (let i = 0; i < smallCompanies; i++) others.push(create(`Small ${i}`))
  })
  const fillCompany = (id: string, of: Counts) => {
    const access = at(begin)
    const workspaceId = findWorkspaceId(access, id, 'live')
    const users = Array.from(
      { length: 20 },
      (_, n) =>
        insertUser(access, { companyId: id, email: `user${n}@${id}.example`, fullName: `User ${n}`, role: 'member' })
          .id,
    )
    fillWorkspace(random, (ms) => at(ms).inWorkspace(workspaceId), users, of)
    return workspaceId
  }
  for (const id of others) transaction(() => void fillCompany(id, small))
  let made: Omit<Generated, 'directory'> | undefined
  transaction(() => {
    const workspaceId = fillCompany(big, counts)
    search(at(end).inWorkspace(workspaceId))
    const named = { companyId: big, environment: 'live', name: 'Bench', scopes: ['admin:all'] } as const
    made = { workspaceId, key: insertKey(at(end), named).key }
  })
  return made!
}

/** Creates one resource after another, each spread over the years: a record refers only to earlier ones. */
function fillWorkspace(random: Random, at: (ms: number) => Writer, users: string[], counts: Counts): void {
  const stageIds = 'SELECT id FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL ORDER BY position'
  const stages = at(begin).values<string>(stageIds)
  const ids: Record<string, string[]> = { organization: [], contact: [], deal: [], task: [], activity: [] }
  for (const [name, count] of Object.entries(counts)) {
    const resource = resources.find((each) => each.name === name)!
    for (let row = 0; row < count; row++) {
      const now = begin + Math.floor(((end - begin) * row) / count)
      const { organization, contact, deal } = ids
      const known: Known = { now, stages, users, organizations: organization!, contacts: contact!, deals: deal! }
      ids[name]!.push(insert(resource, at(now), rows[name]!(random, known), {}).id)
    }
  }
}

/** Adds the pending text to the search index, as the worker thread does. */
function search(tx: Writer): void {
  for (const searched of searchesDue(resources.map(searchedOf), tx)) {
    while (enterPending(searched, tx, enteredMax) > 0);
  }
}

/** Updates a third of the records and deletes one in fifty. */
function age(db: Connection): void {
  for (const { name, operations } of resources.filter(({ name }) => name in thousand)) {
    const days = `'+' || (unicode(substr(id, -2, 1)) - 40) || ' days', '+' || unicode(substr(id, -4, 1)) || ' minutes'`
    db.exec(`UPDATE ${name} SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, ${days})
      WHERE substr(id, -1) < '5'`)
    if (operations.includes('delete')) {
      db.exec(`UPDATE ${name} SET deleted_at = updated_at WHERE substr(id, -3, 1) = '7' AND substr(id, -5, 1) < '5'`)
    }
  }
}
