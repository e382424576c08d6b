import assert from 'node:assert/strict'
import { copyFileSync, cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import type { Command } from 'commander'
import { checkCommand } from '../../src/commands/check.ts'
import { failureOf } from '../../src/commands/failure.ts'
import { restoreCommand } from '../../src/commands/restore.ts'
import { findDamage } from '../../src/store/check.ts'
import { releases, unpack } from '../releases/releases.ts'
import { atEnd } from '../support/at-end.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { prepareCompany } from '../support/prepare.ts'
import { administer, bundle, run } from '../support/program.ts'
import { nextSchema } from './next-release.ts'

const release = releases[0]!

let original: Promise<string> | undefined

/** A directory with a database and its backup, which all tests copy. */
function originalDirectory(): Promise<string> {
  original ??= makeOriginal()
  return original
}

async function makeOriginal(): Promise<string> {
  const directory = temporaryDirectory({ after: (end) => atEnd(end as () => unknown) })
  const data = join(directory, 'data')
  await prepareCompany(data)
  await administer(bundle, 'backup', join(directory, 'copy.db'), '--data', data)
  return directory
}

/** A backup of a new database with these changes. */
async function changedBackup(t: TestContext, sql: string): Promise<{ file: string; data: string }> {
  const directory = temporaryDirectory(t)
  cpSync(await originalDirectory(), directory, { recursive: true })
  const file = join(directory, 'copy.db')
  change(file, sql)
  return { file, data: join(directory, 'data') }
}

function change(file: string, sql: string): void {
  const db = new Database(file)
  db.unsafeMode() // another program may write to the schema, too
  db.pragma('writable_schema = ON')
  db.exec(sql)
  db.close()
}

const redefine = (name: string, from: string, to: string) =>
  `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${name}'`

/** As `redefine`, with control characters in the texts. */
const rewrite = (name: string, from: string, to: string) =>
  `UPDATE sqlite_schema SET sql = replace(sql, '${from}', CAST(x'${Buffer.from(to).toString('hex')}' AS TEXT)) WHERE name = '${name}'`

const unexpected: Record<string, [sql: string, message: RegExp]> = {
  'a trigger': [
    'CREATE TRIGGER evil AFTER INSERT ON api_key BEGIN UPDATE user SET role = 5; END',
    /the trigger evil is not Kontor's/,
  ],
  'a view': ['CREATE VIEW everything AS SELECT * FROM contact', /the view everything is not Kontor's/],
  'a table': ['CREATE TABLE theirs (x)', /the table theirs is not Kontor's/],
  'a table whose definition has millions of characters': [
    `CREATE TABLE theirs (x DEFAULT '${'a'.repeat(20_000_000)}')`,
    /the table theirs is not Kontor's/,
  ],
  'an index': ['CREATE INDEX theirs ON contact (last_name)', /the index theirs is not Kontor's/],
  'a changed trigger of Kontor': [
    redefine('contact_insert', 'records + 1', 'records + 2'),
    /the trigger contact_insert differs from Kontor's/,
  ],
  'a trigger of Kontor whose text hides a difference in quotes': [
    redefine('contact_insert', "''contact''", "''con\"tact''"),
    /the trigger contact_insert differs from Kontor's/,
  ],
  'a table of Kontor without a constraint': [
    redefine('deal', 'CHECK (probability BETWEEN 0 AND 100)', 'CHECK (1)'),
    /the table deal differs from Kontor's/,
  ],
  'a trigger of Kontor with a statement between a carriage return and a line feed, which is not a comment': [
    rewrite('contact_insert', 'BEGIN', `BEGIN --\r /*\nUPDATE user SET role = 'owner'; --*/\n`),
    /the trigger contact_insert differs from Kontor's/,
  ],
  'a table of Kontor with a constraint that is only a comment': [
    rewrite('user', 'CONSTRAINT user_role', '--\r CONSTRAINT user_role'),
    /the table user differs from Kontor's/,
  ],
  'a column whose name has a letter that looks like a space': [
    rewrite('sign_in_place', 'last_used_at', 'last_used_at\u00a0'),
    /the table sign_in_place differs from Kontor's/,
  ],
  'a definition that is bytes': [
    "UPDATE sqlite_schema SET sql = CAST(replace(sql, 'full_name', 'email') AS BLOB) WHERE name = 'workspace_user'",
    /the view workspace_user differs from Kontor's/,
  ],
  'a trigger on a table that Litestream would create': [
    'CREATE TABLE _litestream_lock (id INTEGER); CREATE TRIGGER evil AFTER INSERT ON _litestream_lock BEGIN SELECT 1; END',
    /the trigger evil is not Kontor's/,
  ],
  'a table that only has the name of one of Litestream': [
    'CREATE VIRTUAL TABLE _litestream_seq USING dbstat',
    /the table _litestream_seq is not Kontor's/,
  ],
  'a total of something that is no table': [
    `INSERT INTO record_count SELECT id, 'x" UNION SELECT 1 --', 1 FROM workspace`,
    /there is a stored total of "x\\" UNION SELECT 1 --", which is not a table with totals/,
  ],
  'a sum of something that is no column': [
    `INSERT INTO stored_bytes SELECT id, 'file', 'bytes") FROM file --', 1 FROM workspace`,
    /there is a stored total of "file", which is not a table with totals/,
  ],
  'scopes that are not JSON': [
    `PRAGMA ignore_check_constraints = ON; INSERT INTO api_key SELECT 'x', id, 'x', 'x', NULL, 'x', 'x', 'shared', NULL, '[',
      1, NULL, NULL, NULL, NULL, 0, 'x', 'x', 'write', 0 FROM workspace LIMIT 1`,
    /malformed JSON|CHECK constraint failed in api_key/,
  ],
  'no index where Kontor has one': ['DROP INDEX contact_last_name', /the index contact_last_name is missing/],
}

/** How a command ends in this process, which ends it as the program does. */
async function outcomeOf(command: Command, ...args: string[]): Promise<{ code: number; message: string }> {
  try {
    await command.parseAsync(args, { from: 'user' })
    return { code: 0, message: '' }
  } catch (error) {
    const { code, message = '' } = failureOf(error)
    return { code, message }
  }
}

for (const [what, [sql, expected]] of Object.entries(unexpected)) {
  test(`Check reports a backup with ${what}, and restore refuses it`, async (t) => {
    const { file, data } = await changedBackup(t, sql)

    const checked = await outcomeOf(checkCommand(), file)
    const restored = await outcomeOf(restoreCommand(), file, '--data', data)

    for (const { code, message } of [checked, restored]) {
      assert.equal(code, 1)
      assert.match(message, expected)
      assert.doesNotMatch(message, /^\s+at /m)
    }
  })
}

for (const args of [
  ['serve', '--port', '0'],
  ['company', 'create', '--name', 'Next'],
  ['plan', 'list'],
]) {
  test(`kontor ${args[0]} refuses a database that was replaced by one with a trigger from elsewhere, and writes nothing`, async (t) => {
    const { file, data } = await changedBackup(t, unexpected['a trigger']![0])
    const database = join(data, 'kontor.db')
    copyFileSync(file, database)
    const before = readFileSync(database)

    const { code, stdout, stderr } = await run(bundle, [...args, '--data', data])

    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^kontor: .*kontor\.db cannot be used, because the trigger evil is not Kontor's: .*\n$/)
    assert.deepEqual(readFileSync(database), before)
  })
}

test(`A database of release ${release.version} with a trigger from elsewhere is not upgraded`, async (t) => {
  const data = temporaryDirectory(t)
  unpack(release, data)
  change(join(data, 'kontor.db'), unexpected['a trigger']![0])

  const { code, stderr } = await run(bundle, ['company', 'list', '--data', data])

  assert.equal(code, 1)
  assert.match(stderr, /because the trigger evil is not Kontor's/)
  assert.deepEqual(
    readdirSync(data).filter((name) => name.endsWith('.bak')),
    [],
  )
})

test('The tables of SQLite’s ANALYZE and of Litestream are accepted', async (t) => {
  const { file, data } = await changedBackup(
    t,
    `ANALYZE; CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
      CREATE TABLE _litestream_lock (id INTEGER)`,
  )

  assert.equal((await administer(bundle, 'check', file)).sound, true)
  await administer(bundle, 'restore', file, '--data', data)
})

test(`A database of release ${release.version} is restored, unless it has a trigger from elsewhere`, async (t) => {
  const directory = temporaryDirectory(t)
  const [data, file] = [join(directory, 'data'), join(directory, 'copy.db')]
  unpack(release, directory)
  copyFileSync(join(directory, 'kontor.db'), file)

  await administer(bundle, 'restore', file, '--data', data)
  change(file, unexpected['a trigger']![0])
  const refused = await run(bundle, ['restore', file, '--data', data])

  assert.equal(refused.code, 1)
  assert.match(refused.stderr, unexpected['a trigger']![1])
})

test('A database of an older schema is upgraded in memory and then compared', (t) => {
  const directory = temporaryDirectory(t)
  unpack(release, directory)
  const [database, vacuumed] = [join(directory, 'kontor.db'), join(directory, 'vacuumed.db')]
  new Database(database).exec(`VACUUM INTO '${vacuumed}'`).close() // stores the schema in another order
  const db = new Database(vacuumed)
  t.after(() => db.close())

  assert.deepEqual(findDamage(db, nextSchema), [])
  for (const sql of [unexpected['a trigger']![0], 'CREATE TABLE company_note (x)', 'DROP INDEX deal_value']) {
    db.exec(`BEGIN; ${sql}`)
    assert.notDeepEqual(findForeignIn(db), [], sql)
    db.exec('ROLLBACK')
  }
})

function findForeignIn(db: Database.Database): string[] {
  return findDamage(db, nextSchema)
}
