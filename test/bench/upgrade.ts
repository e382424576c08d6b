import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schema } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import type { Migration } from '../../src/store/migrate.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import type { Schema } from '../../src/store/shape.ts'
import { releases, unpack } from '../releases/releases.ts'

const records = Number(process.env.BENCH_RECORDS ?? 1_000_000)
const cacheKiB = 1_048_576
const oldest = releases[0]!

/** The measured upgrades: to this version, and with a further step that rebuilds a table with all its indexes. */
const upgrades: Record<string, () => Schema> = {
  'to this version': () => schema,
  'and a table is rebuilt': () => ({ schema: schema.schema, steps: [...schema.steps, rebuild('deal')] }),
}

interface Cost {
  seconds: number
  /** The time of the backup that precedes the upgrade. */
  backupSeconds: number
  /** The maximum size of all files in the directory. */
  bytes: number
  memoryMiB: number
}

/** Compares an upgrade from the oldest stored release, with a million records in one table, with copying the file. */
export async function benchUpgrade(): Promise<void> {
  const source = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  unpack(oldest, source)
  fill(join(source, 'kontor.db'))
  const bytes = statSync(join(source, 'kontor.db')).size
  console.log(`Upgrade of ${oldest.version} with ${records} deals (${mib(bytes)} MiB)\n`)
  console.log('| upgrade | copy s | upgrade s | of it backup s | ratio | disk needed | memory MiB |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const name of Object.keys(upgrades)) {
    const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
    const copySeconds = copy(join(source, 'kontor.db'), join(directory, 'kontor.db'))
    const args = [new URL(import.meta.url).pathname, directory, name]
    const cost: Cost = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    rmSync(directory, { recursive: true })
    const times = [copySeconds, cost.seconds, cost.backupSeconds].map((seconds) => seconds.toFixed(1)).join(' | ')
    const ratio = (cost.seconds / copySeconds).toFixed(1)
    const disk = (cost.bytes / bytes).toFixed(1)
    console.log(`| ${name} | ${times} | ${ratio} | ${disk} × the file | ${cost.memoryMiB.toFixed(0)} |`)
  }
  console.log('')
  rmSync(source, { recursive: true })
}

/** Adds deals to the workspace that has some; its indexes are created afterwards, which is faster. */
function fill(path: string): void {
  const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', cacheKiB })
  db.pragma('journal_mode = OFF')
  const dependents = dependentsOf(db, 'deal')
  for (const { type, name } of dependents) db.exec(`DROP ${type} ${name}`)
  const varied = {
    id: "printf('019ecb27-2200-7000-9000-%012x', n)",
    title: "'Größe ' || n",
    title_key: "'größe ' || n",
    value: 'n',
  }
  const columns = columnsOf(db, 'deal')
  const values = columns.map((name) => varied[name as keyof typeof varied] ?? name)
  db.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT ${records})
    INSERT INTO deal (${columns}) SELECT ${values} FROM (SELECT * FROM deal WHERE deleted_at IS NULL LIMIT 1), number`)
  db.exec(`UPDATE record_count SET records = records + ${records}
    WHERE resource = 'deal' AND workspace_id = (SELECT workspace_id FROM deal WHERE deleted_at IS NULL LIMIT 1)`)
  for (const { sql } of dependents) db.exec(sql)
  db.close()
}

/** A step that recreates a table, as adding a field to a resource does, because `record` is stored in each row. */
function rebuild(table: string): Migration {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  db.exec(schema.schema)
  const columns = columnsOf(db, table)
  const created = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) as string
  const statements = [
    created.replace(`CREATE TABLE ${table} (`, `CREATE TABLE ${table}_new (`),
    `INSERT INTO ${table}_new (${columns}) SELECT ${columns} FROM ${table}`,
    `DROP TABLE ${table}`,
    `ALTER TABLE ${table}_new RENAME TO ${table}`,
    ...dependentsOf(db, table).map(({ sql }) => sql),
  ]
  return { version: schema.steps.at(-1)!.version + 1, sql: statements.join(';\n') }
}

function columnsOf(db: Connection, table: string): string[] {
  return db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
}

function dependentsOf(db: Connection, table: string): { type: string; name: string; sql: string }[] {
  const sql = "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL"
  return db.prepare(sql).all(table) as { type: string; name: string; sql: string }[]
}

/** Copies and syncs a file; returns the seconds. */
function copy(from: string, to: string): number {
  const began = performance.now()
  copyFileSync(from, to)
  const fd = openSync(to, 'r+')
  fdatasyncSync(fd)
  closeSync(fd)
  return (performance.now() - began) / 1000
}

function mib(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

/** Upgrades like a server that starts. */
function upgrade(directory: string, name: string): Cost {
  const began = Date.now()
  const { path, db, release } = openForServer(directory, upgrades[name]!())
  const seconds = (Date.now() - began) / 1000
  const backedUpMs = statSync(`${path}.v${oldest.schemaVersion}.bak`).ctimeMs
  const bytes = readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0)
  db.close()
  release()
  return {
    seconds,
    backupSeconds: (backedUpMs - began) / 1000,
    bytes,
    memoryMiB: peakMemoryMiB(),
  }
}

/** Peak memory of this process. `resourceUsage().maxRSS` would include the process that started this one. */
function peakMemoryMiB(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024
}

if (import.meta.main) console.log(JSON.stringify(upgrade(process.argv[2]!, process.argv[3]!)))
