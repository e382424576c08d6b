import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Database from 'better-sqlite3'
import { withStore } from '../../src/commands/open-store.ts'
import { administer, bundle } from '../support/program.ts'
import { untilMoment } from '../support/wait.ts'
import { exchangeCompany } from './company-files.ts'

const exchange = await exchangeCompany({ after: (end) => after(end as () => void) })
const { sender, victim, changed, assertRefused } = exchange

/** The log says the same. */
const inLog = (from: string, to: string) =>
  `UPDATE change SET data = replace(data, '${from}', '${to}') WHERE data IS NOT NULL`

const at = "'2026-01-01T00:00:00.000Z'"
const ownWorkspace = "(SELECT id FROM workspace WHERE environment = 'live' ORDER BY id LIMIT 1)"
const anotherCompany = (id: string) =>
  `INSERT INTO company (id, name, plan, created_at, updated_at) VALUES ('${id}', 'Other', 'free', ${at}, ${at})`
const anotherUser = (company: string) =>
  `INSERT INTO user SELECT '01900000-0000-7000-8000-000000000001', '${company}', full_name, full_name_key, 'eve@evil.example', 'eve@evil.example', role,
    1, password_hash, created_at, updated_at FROM user LIMIT 1`

/** What a sender may do to take what belongs to others, and why it is refused. */
const attacks: Record<string, [sql: string, message: RegExp]> = {
  'a user of another company, without the company': [
    anotherUser(victim.company),
    /rows of user are not of this company \(1\)\. Nothing was imported\.$/,
  ],
  'a second company with its user': [
    `${anotherCompany(victim.company)}; ${anotherUser(victim.company)}`,
    /rows of company are not of this company/,
  ],
  'a workspace of another company with a key': [
    `INSERT INTO workspace VALUES (77, '${victim.company}', 'live');
      INSERT INTO api_key SELECT '01900000-0000-7000-8000-000000000002', 77, name, name_key, NULL, prefix, '${'a'.repeat(64)}', 'shared', NULL, scopes, 1,
        NULL, NULL, NULL, NULL, 0, created_at, updated_at, mcp_mode, 0 FROM api_key LIMIT 1`,
    /rows of workspace are not of this company/,
  ],
  'a record of a workspace that it does not have': [
    'UPDATE contact_email SET workspace_id = 1 + (SELECT max(id) FROM workspace); UPDATE deal SET workspace_id = 1 + (SELECT max(id) FROM workspace)',
    /rows of deal are not of this company/,
  ],
  'a session of a user that it does not have': [
    `INSERT INTO session VALUES ('${'a'.repeat(64)}', '${victim.user}', ${at}, ${at}, NULL, NULL, NULL)`,
    /rows of session are not of this company/,
  ],
  'an invitation of a user that it does not have': [
    `INSERT INTO invitation VALUES ('${victim.user}', '${'a'.repeat(64)}', ${at})`,
    /rows of invitation are not of this company/,
  ],
  'a calendar of a user that it does not have': [
    `INSERT INTO calendar_feed VALUES ('${victim.user}', '${'a'.repeat(64)}', 'UTC', ${at})`,
    /rows of calendar_feed are not of this company/,
  ],
  'a link for the first user': [
    `INSERT INTO setup_link VALUES (1, '${'a'.repeat(64)}', ${at})`,
    /rows of setup_link are not of this company/,
  ],
  'a term that no change has': [
    "INSERT INTO change_term (text) VALUES ('deal.invented')",
    /rows of change_term are not of this company/,
  ],
  'a setting that an export does not write': [
    "INSERT INTO setting VALUES ('cell', 'zz')",
    /an export writes no such setting "cell"/,
  ],
  'a setting of another form': [
    "UPDATE setting SET value = 'x' WHERE name LIKE 'log_id %'",
    /an export writes no such setting "log_id \d+"/,
  ],
  'no test workspace': [
    "DELETE FROM workspace WHERE environment = 'test'",
    /rows of .* are not of this company|the company has no test workspace/,
  ],
  'the id of a company that is here': [
    `UPDATE company SET id = '${victim.company}'; UPDATE workspace SET company_id = '${victim.company}';
      UPDATE user SET company_id = '${victim.company}'; UPDATE setting SET value = '${victim.company}' WHERE name = 'moved_company'`,
    /^The company .* is here already\.$/,
  ],
  'the id of a user who is here': [
    `UPDATE user SET id = '${victim.user}' WHERE id = '${sender.user}'; UPDATE api_key SET user_id = '${victim.user}' WHERE user_id = '${sender.user}';
      UPDATE change SET record_id = x'${victim.user.replaceAll('-', '')}' WHERE record_id = x'${sender.user.replaceAll('-', '')}'; ${inLog(sender.user, victim.user)}`,
    /^The file has a row of user whose id exists here already\. Nothing was imported\.$/,
  ],
  'the id of a key that is here': [
    `UPDATE api_key SET id = '${victim.key}' WHERE id = '${sender.key}';
      UPDATE change SET record_id = x'${victim.key.replaceAll('-', '')}' WHERE record_id = x'${sender.key.replaceAll('-', '')}'; ${inLog(sender.key, victim.key)}`,
    /^The file has a row of api_key whose id exists here already/,
  ],
  'the hash of a key that is here': [
    `UPDATE api_key SET hash = '${victim.keyHash}' WHERE id = '${sender.key}'`,
    /^The file has a row of api_key whose hash exists here already/,
  ],
  'the prefix of a key that is here': [
    `UPDATE api_key SET prefix = '${victim.prefix}' WHERE id = '${sender.key}'; ${inLog(sender.prefix, victim.prefix)}`,
    /^The file has a row of api_key whose prefix exists here already/,
  ],
  'the address for mail of another company': [
    `UPDATE mail_address SET address = '${victim.address}'; ${inLog(sender.address, victim.address)}`,
    /^The file has a row of mail_address whose address exists here already/,
  ],
  'the id of a mailbox that is here': [
    `UPDATE mail_source SET id = '${victim.mailbox}'; UPDATE mail_source_state SET source_id = '${victim.mailbox}';
      UPDATE change SET record_id = x'${victim.mailbox.replaceAll('-', '')}' WHERE record_id = x'${sender.mailbox.replaceAll('-', '')}'; ${inLog(sender.mailbox, victim.mailbox)}`,
    /^The file has a row of mail_source whose id exists here already/,
  ],
  'a plan that is not here': [
    "UPDATE company SET plan = 'unlimited'; INSERT INTO plan SELECT 'unlimited', 9, 1, 1, NULL, NULL, NULL, 1, 1, NULL",
    /^There is no plan unlimited here\.$/,
  ],
  'the name of a log that is here': [
    `UPDATE setting SET value = '${exchange.logName}' WHERE name = 'log_id ' || ${ownWorkspace}`,
    /^The file gives a log of changes the name of another one/,
  ],
}

for (const [what, [sql, message]] of Object.entries(attacks)) {
  test(`A company file with ${what} is refused, and nothing is written`, () => assertRefused(changed(sql), message))
}

test('An import that fails in the middle leaves nothing behind', async (t) => {
  // Something else takes the place of a row while the import runs.
  const db = new Database(join(exchange.target, 'kontor.db'))
  t.after(() => db.close())
  const file = changed('SELECT 1')
  const watched = new Database(file, { readonly: true })
  const [hash] = watched.prepare('SELECT hash FROM api_key').pluck().all() as [string]
  watched.close()
  const before = exchange.content()
  const importing = exchange.import(file)
  const insert =
    db.prepare(`INSERT INTO api_key SELECT '01900000-0000-7000-8000-00000000000a', workspace_id, name, name_key, NULL, prefix, ?, 'shared',
    NULL, scopes, 1, NULL, NULL, NULL, NULL, 0, created_at, updated_at, mcp_mode, 0 FROM api_key WHERE id = ?
      AND EXISTS (SELECT 1 FROM setting WHERE name = ?)`)
  const take = () => insert.run(hash, victim.key, `move ${sender.company}`).changes > 0
  await untilMoment('the place is taken', take, importing)

  await assert.rejects(
    importing,
    /^OperatorError: The file has a row that cannot be stored \(.*api_key.hash\)\. Nothing was imported\.$/,
  )

  db.exec("DELETE FROM api_key WHERE id = '01900000-0000-7000-8000-00000000000a'")
  assert.deepEqual(withoutNumbers(exchange.content()), withoutNumbers(before))
})

test('A company file whose records are not what SQLite generates of them is refused, and leaves nothing behind', async () => {
  const before = exchange.content()
  const file = changed(`CREATE TEMP TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'mail_address';
    UPDATE sqlite_schema SET sql = substr(sql, 1, instr(sql, 'GENERATED') - 1) || substr(sql, instr(sql, 'STORED') + 6) WHERE name = 'mail_address';
    PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON;
    UPDATE mail_address SET address = 'another@in.example.com';
    UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = 'mail_address'`)

  await assert.rejects(
    exchange.import(file),
    /^OperatorError: The records of the file are not what its log says: the address that change \d+ of mail_address .* Nothing was imported\.$/,
  )

  assert.deepEqual(withoutNumbers(exchange.content()), withoutNumbers(before))
})

/** The number of a removed workspace is not given again, erasures are counted, and terms of the log are never removed. */
function withoutNumbers(content: unknown): unknown {
  return (content as [string, Record<string, unknown>[]][]).map(([table, rows]) => [
    table,
    table === 'change_term' ? [] : rows.filter(({ name }) => name !== 'removed_workspace' && name !== 'erased'),
  ])
}

test('Limits of plans in a company file do not count, and totals are those of its rows', async () => {
  const file = changed(`UPDATE plan SET requests_per_minute = 99999, max_contacts = NULL;
    DELETE FROM record_count; DELETE FROM value_count; DELETE FROM stored_bytes`)
  const plans = (data: string) => withStore(data, ({ access }) => access.rows('SELECT * FROM plan'))
  const before = await plans(exchange.target)

  await exchange.import(file)

  assert.deepEqual(await plans(exchange.target), before)
  const counted = await withStore(exchange.target, ({ access }) =>
    access.value<number>(
      `SELECT sum(records) FROM record_count JOIN workspace ON id = workspace_id
        WHERE resource = 'organization' AND company_id = ?`,
      sender.company,
    ),
  )
  const db = new Database(exchange.exported, { readonly: true })
  assert.equal(counted, db.prepare('SELECT count(*) FROM organization WHERE deleted_at IS NULL').pluck().get())
  db.close()
  assert.equal((await administer(bundle, 'check', '--data', exchange.target)).sound, true)
})
