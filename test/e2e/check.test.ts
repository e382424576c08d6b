import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { resources } from '../../src/features/index.ts'
import { enterDue } from '../../src/threads/search-entry.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { addContact, declareField } from '../support/fields.ts'
import { contacts, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'

/** A database with records of several resources, and contacts that are in the search index. */
async function filled(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t)
  const { client: newClient, store, stop } = await start(t, { directory })
  const client = await newClient()
  const { id } = await make(client, 'organization', { name: 'Äpfel & Söhne', status: 'active', domain: 'Example.com' })
  await make(client, 'contact', {
    organization_id: id,
    emails: [{ email: 'Ada@Example.com' }],
    phones: [{ phone_number: '+49 89 123' }],
  })
  for (const resource of ['deal', 'task', 'activity', 'user']) await make(client, resource)
  await importAll(client, 'contacts', contacts(1_000))
  await enterDue(store, resources.map(searchedOf), new AbortController().signal)
  await stop()
  return directory
}

/** Changes the database, then runs `kontor check` on it. */
async function checkAfter(directory: string, sql: string): Promise<{ code: number; stderr: string }> {
  const db = new Database(join(directory, 'kontor.db'))
  db.exec(sql)
  db.close()
  return run(bundle, ['check', '--data', directory])
}

test('Check reports key columns that do not match their fields', async (t) => {
  const directory = await filled(t)
  const sound = await checkAfter(directory, '')
  assert.deepEqual([sound.code, sound.stderr], [0, ''])

  const keys = {
    organization: 'name_key, domain_key',
    contact: 'last_name_key',
    contact_email: 'email_key',
    contact_phone: 'phone_number_key',
    workspace_user: 'full_name_key',
  }
  const wrong = await checkAfter(
    directory,
    `UPDATE organization SET name_key = 'x', domain_key = NULL;
    UPDATE contact SET last_name_key = 'x' WHERE last_name = 'Row 1000';
    UPDATE contact_email SET email_key = 'x';
    UPDATE contact_phone SET phone_number_key = 'x';
    UPDATE user SET full_name_key = 'x'`,
  )
  assert.equal(wrong.code, 1)
  for (const [table, columns] of Object.entries(keys)) {
    assert.match(wrong.stderr, new RegExp(`^${table} [\\da-f-]{36} has a wrong ${columns}$`, 'm'))
  }
  assert.equal(wrong.stderr.trimEnd().split('\n').length, 1 + Object.keys(keys).length)
})

test('Check reports records that are neither in the search index nor pending for it', async (t) => {
  const directory = await filled(t)

  const notPending = await checkAfter(directory, `DELETE FROM search_pending WHERE resource = 'organization'`)
  const emptied = await checkAfter(directory, `INSERT INTO search (search) VALUES ('delete-all')`)

  assert.equal(notPending.code, 1)
  assert.match(notPending.stderr, /^workspace \d+ has 1 rows of organization that are missing from the search index$/m)
  assert.match(emptied.stderr, /^workspace \d+ has 1001 rows of contact that are missing from the search index$/m)
})

test('Check reports values of declared fields that do not match the metadata', async (t) => {
  const directory = temporaryDirectory(t)
  const { client: newClient, stop } = await start(t, { directory })
  const client = await newClient()
  await declareField(client, 'tier', 'text')
  const [a] = [await addContact(client, 'a', { tier: 'Gold' }), await addContact(client, 'b', { tier: 'x' })]
  await stop()
  assert.equal((await checkAfter(directory, '')).code, 0)

  const wrong = await checkAfter(
    directory,
    `UPDATE field_value SET key = 'silver' WHERE record_id = '${a.id}';
    INSERT INTO field_value SELECT workspace_id, field, '0197a000-0000-7000-8000-000000000000', key, text FROM field_value LIMIT 1`,
  )

  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, new RegExp(`^contact ${a.id} has a wrong value of metadata.tier$`, 'm'))
  assert.match(wrong.stderr, /^metadata.tier of contact has 1 values of records that are not there$/m)
})
