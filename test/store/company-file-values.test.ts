import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { decimalColumns, jsonColumns } from '../../src/commands/company/verify-values.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { exchangeCompany } from './company-files.ts'

const exchange = await exchangeCompany({ after: (end) => after(end as () => void) }, { hasFile: true })
const { sender, victim, changed, assertRefused } = exchange
const ownWorkspace = "(SELECT id FROM workspace WHERE environment = 'live')"

/** Values and definitions that Kontor does not store, and why they are refused. */
const attacks: Record<string, [sql: string, message: RegExp]> = {
  'a prefix that routes the keys of all companies': [
    `UPDATE api_key SET prefix = 'svc_live_' WHERE id = '${sender.key}'`,
    /the prefix of the key .* is not that of a key of the live data/,
  ],
  'a name that forges a line of the output': [
    "UPDATE company SET name = 'Acme' || char(10) || 'svc_live_0123456789abcde'",
    /the name of .* is not one that Kontor accepts/,
  ],
  'an empty name': ["UPDATE company SET name = ''", /the name of .* is not one that Kontor accepts/],
  'a time zone that does not exist': [
    "UPDATE company SET time_zone = 'Europe/Nowhere'",
    /: company\.time_zone of the row [\da-f-]{36} is not one that Kontor accepts \(Time zone is unknown/,
  ],
  'a distance from UTC as its time zone': [
    "UPDATE company SET time_zone = '+01:00'",
    /: company\.time_zone of the row/,
  ],
  'a country that has no telephone numbers': [
    "UPDATE company SET phone_country = 'ZZ'",
    /: company\.phone_country of the row [\da-f-]{36} is not one that Kontor accepts \(Phone country must be/,
  ],
  'a calendar of a time zone that does not exist': [
    `INSERT INTO calendar_feed SELECT id, '${'a'.repeat(64)}', 'Europe/Nowhere', created_at FROM user`,
    /: calendar_feed\.time_zone of the row [\da-f-]{36} is not one/,
  ],
  'a user whose address is none': ["UPDATE user SET email = 'ada'", /: user\.email of the row [\da-f-]{36} is not one/],
  'a scope that does not exist': [
    `UPDATE api_key SET scopes = '["operator"]' WHERE id = '${sender.key}'`,
    /the key .* has a scope that does not exist/,
  ],
  'a role that does not exist': ["UPDATE user SET role = 'operator'", /is damaged: CHECK constraint failed in user/],
  'a password hash that costs more': [
    `UPDATE user SET password_hash = replace(password_hash, 'scrypt$131072$', 'scrypt$1073741824$')`,
    /the password hash of the user .* is not one of Kontor/,
  ],
  'a password hash without a salt': [
    `UPDATE user SET password_hash = 'scrypt$131072$8$1$$${'a'.repeat(43)}'`,
    /the password hash of the user .* is not one of Kontor/,
  ],
  'an integer that cannot be read exactly': [
    'UPDATE webhook_state SET position = 9007199254740993',
    /1 values of webhook_state.position are not like those that Kontor stores/,
  ],
  'an id that is not one': [
    `UPDATE webhook SET id = '../${'x'.repeat(33)}'; UPDATE webhook_state SET webhook_id = '../${'x'.repeat(33)}'`,
    /values of webhook.id are not like those/,
  ],
  'a time that is not one': [
    "UPDATE api_key SET expires_at = '2026-02-30T00:00:00.000Z'",
    /values of api_key.expires_at are not like those/,
  ],
  'a time of a webhook that is not one': [
    "UPDATE webhook SET failing_since = 'x'",
    /webhook.failing_since are not like/,
  ],
  'a time of a task that is not one': ["UPDATE task SET due_date = '2026-06-15'", /task.due_date are not like/],
  'a day that does not exist': ["UPDATE exchange_rate SET valid_from = '2026-02-30'", /rate.valid_from are not like/],
  'a webhook before its first change': [
    'UPDATE webhook_state SET position = -1',
    /webhook_state.position are not like/,
  ],
  'columns of a view that are not text': ['UPDATE view SET columns = \'["title", {}]\'', /view.columns are not like/],
  'results that are none': ["UPDATE bulk_result SET results = '[[0, null, 5]]'", /bulk_result.results are not like/],
  'a long list': [`UPDATE stage SET requires = '${JSON.stringify(Array(501).fill('x'))}'`, /requires are not like/],
  'a text that is longer than its field': [
    'UPDATE organization SET address = hex(zeroblob(2000))',
    /2 values of organization.address are not like those/,
  ],
  'metadata that are too large': [
    "UPDATE deal SET metadata = json_object('a', hex(zeroblob(50000)))",
    /values of deal.metadata are not like those/,
  ],
  'a change that is too large': [
    "UPDATE change SET cause = json_object('a', hex(zeroblob(150000))) WHERE seq = 2",
    /values of change.cause are not like those/,
  ],
  'a text that goes on behind U+0000': [
    "UPDATE organization SET metadata = '{}' || char(0) || 'x'",
    /2 values of organization.metadata are not like those/,
  ],
  'more emails of a contact than requests can add': [
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1001)
      INSERT INTO contact_email (workspace_id, contact_id, id, email, email_key, type, is_primary)
      SELECT workspace_id, id, printf('01900000-0000-7000-8000-%012d', n), n || '@x.example', n || '@x.example', 'work', 0 FROM number, (SELECT * FROM contact LIMIT 1)`,
    /1001 rows of contact_email belong together; at most 1000 are allowed/,
  ],
  'more users than a company may have': [
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
      INSERT INTO user SELECT printf('01900000-0000-7000-8000-%012d', n), company_id, full_name, full_name_key, n || email, n || email_key,
      role, 1, NULL, created_at, updated_at FROM number, (SELECT * FROM user LIMIT 1)`,
    /the company has 10001 users; at most 10000 are allowed/,
  ],
  'more mailboxes than a workspace may have': [
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100)
      INSERT INTO mail_source (workspace_id, id, audience, host, port, tls, user, folder, start, is_active, created_at, updated_at)
      SELECT workspace_id, printf('01900000-0000-7000-8000-%012d', n), audience, host, port, tls, user, folder, start, 1, created_at, updated_at
      FROM number, (SELECT * FROM mail_source LIMIT 1)`,
    /101 rows of mail_source belong together; at most 100 are allowed/,
  ],
  'JSON that is not JSON': [
    "UPDATE webhook_state SET replay = '{'",
    /values of webhook_state.replay are not like those/,
  ],
  'a price that is no number': ['UPDATE product SET price = \'"5"\'', /values of product.price are not like those/],
  'a price with an exponent': ["UPDATE product SET price = '1e300'", /values of product.price are not like those/],
  'a deal that is not worth the sum of its line items': [
    'UPDATE deal SET value = 7 WHERE id IN (SELECT deal_id FROM line_item)',
    /deal .* has a value that is not the sum of its line items/,
  ],
  'a line item with another total': ["UPDATE line_item SET total = '7'", /line_item .* has a wrong total/],
  'a contact of a deal who is not on it': [
    `UPDATE deal SET contact_id = (SELECT id FROM contact LIMIT 1)`,
    /deal .* has a contact that is not among its people/,
  ],
  'JSON of another kind': ["UPDATE webhook SET events = '5'", /values of webhook.events are not like those/],
  'bytes where there is text': [
    "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, WITHOUT', 'WITHOUT') WHERE name = 'sign_in_place'",
    /the table sign_in_place differs from Kontor's/,
  ],
  'the original of a message at a path of the server': [
    "UPDATE message SET original_sha256 = '../../../victim'",
    /1 values of message.original_sha256 are not like those/,
  ],
  'a file whose content has no name': ["UPDATE file SET sha256 = ''", /1 values of file.sha256 are not like those/],
  'a media type that is no header': ["UPDATE file SET media_type = 'a/b' || char(10)", /file.media_type are not like/],
  'a webhook that cannot be delivered to': [
    "UPDATE webhook SET url = 'file:///etc/passwd'",
    /the webhook .* cannot be delivered to/,
  ],
  'secrets of webhooks that are encrypted with another key': [
    `UPDATE setting SET value = '${'b'.repeat(64)}' WHERE name = 'webhook_key'`,
    /is damaged: Unsupported state or unable to authenticate data/,
  ],
  'a ping of a time that does not exist': [
    `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, number, type, status, tries, attempts, next_at, created_at)
      SELECT workspace_id, id, id, -9000000000000000, 'webhook.ping', 'pending', 0, '[]', 0, created_at FROM webhook`,
    /1 values of webhook_delivery.number are not like those/,
  ],
  'events that are not text': ["UPDATE webhook SET events = '[5]'", /webhook.events are not like/],
  'a log with a gap': [
    `DELETE FROM change WHERE seq = 3 AND workspace_id = ${ownWorkspace}`,
    /the change after 2 is 4|change_term/,
  ],
  'a log by an author of another company': [
    `UPDATE change_term SET text = 'user ${victim.user}' WHERE text LIKE 'api_key %'`,
    /the log has changes by user .*, which does not exist/,
  ],
  'a log by an author of no kind': [
    "UPDATE change_term SET text = 'god 1' WHERE text LIKE 'api_key %'",
    /the log has changes by "god 1", which is no author/,
  ],
  'a log with a type of no kind': [
    "UPDATE change_term SET text = 'deal.stolen' WHERE text = 'deal.created'",
    /has an unknown type/,
  ],
  'a change of a record whose id has another length': [
    "UPDATE change SET record_id = x'00' WHERE seq = 1",
    /values of change.record_id are not like those/,
  ],
  'changes that do not lead to the records': [
    `DELETE FROM change WHERE seq = (SELECT max(seq) FROM change WHERE workspace_id = ${ownWorkspace}) AND workspace_id = ${ownWorkspace}`,
    /has no change that created it|is not what|change_term/,
  ],
  'a sort key of another text': ["UPDATE deal SET title_key = 'zz'", /has a wrong title_key/],
  'a view of records that do not exist': [
    `UPDATE view SET resource = 'nonsense', resource_key = -1;
     UPDATE change SET data = json_set(data, '$.resource', 'nonsense') WHERE json_extract(data, '$.resource') IS NOT NULL`,
    /view .* has a resource that does not exist/,
  ],
  'a reference to a record that is not there': [
    "UPDATE activity SET contact_id = '01900000-0000-7000-8000-000000000009'",
    /a row of activity refers to a row of contact that is not there/,
  ],
  'totals that are wrong': ['UPDATE record_count SET records = 0', /but its stored total is 0/],
  'an import that has not ended': [
    `INSERT INTO bulk_batch SELECT workspace_id, id, 1, '[]' FROM bulk_job`,
    /an import into the live data has not ended/,
  ],
  'a trigger': ['CREATE TRIGGER evil AFTER INSERT ON api_key BEGIN SELECT 1; END', /the trigger evil is not Kontor's/],
  'a view in the place of a table': [
    'CREATE TABLE kept AS SELECT * FROM setting; DROP TABLE setting; CREATE VIEW setting AS SELECT * FROM kept',
    /the view setting is not Kontor's|the table kept is not Kontor's/,
  ],
  'another table': ['CREATE TABLE theirs (x)', /the table theirs is not Kontor's/],
  'a virtual table': ['CREATE VIRTUAL TABLE theirs USING fts5(x)', /the table theirs is not Kontor's/],
  'a generated column that computes something else': [
    "UPDATE sqlite_schema SET sql = replace(sql, '''title'', title', '''title'', zeroblob(9)') WHERE name = 'deal'",
    /the table deal differs from Kontor's/,
  ],
  'a constraint that computes something': [
    "UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (seq > 0)', 'CHECK (length(randomblob(900000000)) > 0)') WHERE name = 'change'",
    /the table change differs from Kontor's/,
  ],
  'an older schema version': ['PRAGMA user_version = 16', /was written by an older Kontor/],
  'a newer schema version': ['PRAGMA user_version = 99', /was written by a newer Kontor/],
  'the mark of another program': ['PRAGMA application_id = 1', /is the database of another program/],
}

for (const [what, [sql, message]] of Object.entries(attacks)) {
  test(`A company file with ${what} is refused, and nothing is written`, () => assertRefused(changed(sql), message))
}

test('A company file with damaged pages, without its end, or with 0 bytes is refused with a sentence', async () => {
  const bytes = readFileSync(exchange.exported)
  const damaged = join(exchange.directory, 'damaged')
  for (let at = 4096 * 2; at < bytes.length; at += 4096 * 7) {
    writeFileSync(damaged, Buffer.from(bytes).fill('garbage', at, at + 4096))
    await assertRefused(damaged, /is damaged|is not a company|not there|CHECK|exists here/)
  }
  writeFileSync(damaged, bytes)
  truncateSync(damaged, 4096 * 30)
  await assertRefused(damaged, /is damaged|malformed/)
  truncateSync(damaged, 0)
  await assertRefused(damaged, /damaged is empty\.$/)
  mkdirSync(join(exchange.directory, 'folder'))
  await assertRefused(join(exchange.directory, 'folder'), /folder is not a file\.$/)
})

test('Every column that the schema describes as JSON is checked in a company file', () => {
  const named = new Set<string>()
  for (const [, table, body] of schemaSql.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm)) {
    const columns = [
      ...body!.matchAll(/^ {2}"?(\w+)"? .*-- JSON/gm),
      ...body!.matchAll(/\bjson(?:_type)?\("?(\w+)"?\)/g),
    ]
    for (const [, column] of columns) named.add(`${column === 'metadata' ? '*' : table}.${column}`)
  }
  const of = (columns: [table: string, names: readonly string[]][]) =>
    columns.flatMap(([table, names]) => names.map((column) => `${table}.${column}`))
  const objects = Object.entries(jsonColumns).map(([table, each]): [string, string[]] => [table, Object.keys(each)])
  const checked = [...of(objects), ...of(Object.entries(decimalColumns))]

  assert.deepEqual(checked.sort(), [...named].sort())
})
