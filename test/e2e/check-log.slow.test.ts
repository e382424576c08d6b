import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { releases, unpack } from '../releases/releases.ts'
import type { Client } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { contacts, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { bundle, run } from '../support/program.ts'
import { type Server, start } from '../support/start.ts'

/** A database whose log has changes of every kind. */
async function filled(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t)
  const server = await start(t, { directory })
  const client = await server.client()
  for (const resource of ['organization', 'deal', 'task', 'activity', 'user']) await make(client, resource)
  const gone = await make(client, 'contact')
  await client.delete(`/api-v1-contacts/${gone.id}`)
  const { id } = await make(client, 'contact', { emails: [{ email: 'ada@example.com' }] })
  await client.post(`/api-v1-contacts/${id}/phones`, { phone_number: '+49 89 123' })
  await trash(client)
  const key = await make(client, 'api_key')
  await client.patch(`/api-v1-keys/${key.id}`, { name: 'Renamed' })
  await client.post(`/api-v1-keys/${key.id}/revoke`, {})
  await importAll(client, 'contacts', contacts(3))
  await patchUntilStored(client, server)
  await server.stop()
  return directory
}

/** Deletes an organization and restores it, deletes it again and erases it. */
async function trash(client: Client): Promise<void> {
  const { id } = await make(client, 'organization')
  await client.delete(`/api-v1-organizations/${id}`)
  await client.post(`/api-v1-trash/${id}/restore`, {})
  await client.delete(`/api-v1-organizations/${id}`)
  const { status } = await client.delete(`/api-v1-trash/${id}`)
  assert.equal(status, 200)
}

/** Changes an organization until one of its changes stores the record, which a few do, at random. Then changes it once more. */
async function patchUntilStored(client: Client, { store }: Server): Promise<void> {
  const { id } = await make(client, 'organization')
  const sql = `SELECT 1 FROM change JOIN change_term AS type ON type.id = type WHERE text = 'organization.updated' AND data IS NOT NULL`
  for (let number = 0; store.access.value(sql) === undefined; number++) {
    await client.patch(`/api-v1-organizations/${id}`, { name: `Name ${number}` })
  }
  await client.patch(`/api-v1-organizations/${id}`, { name: 'Last name' })
}

/** Changes the database, then runs `kontor check` on it. Returns its findings. */
async function findingsAfter(directory: string, sql: string): Promise<string[]> {
  const db = new Database(join(directory, 'kontor.db'))
  db.pragma('foreign_keys = OFF')
  db.exec(sql)
  db.close()
  const { stderr } = await runHere(['check', '--data', directory])
  return stderr.trimEnd().split('\n').slice(1)
}

const typeIs = (type: string) => `type = (SELECT id FROM change_term WHERE text = '${type}')`
const changeOf = (type: string) => `(SELECT max(seq) FROM change WHERE ${typeIs(type)})`
const id = '[\\da-f-]{36}'

/** What is damaged, how, and the finding. */
const damages: [name: string, sql: string, finding: string][] = [
  [
    'a change is missing',
    'DELETE FROM change WHERE seq = 12 AND workspace_id = 1',
    'the change after 11 is 13: some are missing',
  ],
  [
    'the time decreases',
    'UPDATE change SET at = at - 1 WHERE seq = 12',
    'change 12 has an earlier time than the one before',
  ],
  ['an author is unknown', 'UPDATE change SET actor = 99999 WHERE seq = 12', 'change 12 has an unknown author'],
  [
    'an author does not exist',
    `UPDATE change_term SET text = 'api_key 01890a5d-ac96-774b-bcce-b302099a8057' WHERE text LIKE 'api_key %'`,
    'the log has changes by api_key 01890a5d-ac96-774b-bcce-b302099a8057, which does not exist',
  ],
  ['a type is unknown', 'UPDATE change SET type = 99999 WHERE seq = 12', 'change 12 has an unknown type'],
  [
    'a type belongs to no resource',
    `UPDATE change_term SET text = 'task.painted' WHERE text = 'task.created'`,
    'change \\d+ has an unknown type',
  ],
  [
    'a former value is not JSON',
    `UPDATE change SET previous = '{' WHERE seq = ${changeOf('organization.updated')}`,
    'change \\d+ has a value that is not JSON',
  ],
  [
    'a former value has an unknown name',
    `UPDATE change SET previous = json_insert(previous, '$.colour', 'red') WHERE seq = ${changeOf('organization.updated')}`,
    'change \\d+ is organization.updated, but names the unknown field colour',
  ],
  [
    'a former value is wrong',
    `UPDATE change SET previous = json_set(previous, '$.name', 'x') WHERE ${typeIs('organization.updated')}`,
    `the name that change \\d+ of organization ${id} stores is not what the record and its later changes lead to`,
  ],
  [
    'a record was changed without the log',
    `UPDATE organization SET status = 'lost', status_key = 3`,
    `the status that change \\d+ of organization ${id} stores is not what the record and its later changes lead to`,
  ],
  [
    'a key was changed without the log',
    `UPDATE api_key SET name = 'x'`,
    `the name that change \\d+ of api_key ${id} stores is not what the record and its later changes lead to`,
  ],
  [
    'a job that has ended was changed without the log',
    'UPDATE bulk_job SET started_at = NULL',
    `the started_at that change \\d+ of bulk_job ${id} stores is not what the record and its later changes lead to`,
  ],
  [
    'the creation of a record is missing',
    `INSERT INTO change_term (text) VALUES ('activity.updated');
      UPDATE change SET type = (SELECT id FROM change_term WHERE text = 'activity.updated') WHERE ${typeIs('activity.created')}`,
    `activity ${id} has no change that created it`,
  ],
  [
    'a record has no change',
    `UPDATE change SET record_id = zeroblob(16) WHERE ${typeIs('task.created')}`,
    `task ${id} has no change that created it`,
  ],
  [
    'a user has no change',
    `UPDATE change SET record_id = zeroblob(16) WHERE ${typeIs('user.created')}`,
    `user ${id} has no change that created it`,
  ],
  [
    'a record is missing',
    "DELETE FROM task; DELETE FROM record_count WHERE resource = 'task'; DELETE FROM value_count WHERE resource = 'task'",
    `task ${id} is removed, but its last change is task.created`,
  ],
  [
    'a record was created twice',
    `UPDATE change SET type = (SELECT id FROM change_term WHERE text = 'organization.created')
      WHERE seq = ${changeOf('organization.updated')}`,
    `change \\d+ of organization ${id} is created, but the one before is updated`,
  ],
  [
    'a change has the type of another resource',
    `UPDATE change SET type = (SELECT id FROM change_term WHERE text = 'task.created')
      WHERE seq = (SELECT min(seq) FROM change WHERE ${typeIs('contact.created')})`,
    `change \\d+ of contact ${id} is deleted, but the record was a task before`,
  ],
  [
    'a record was changed after its deletion',
    `UPDATE change SET record_id = (SELECT record_id FROM change WHERE ${typeIs('contact.deleted')})
      WHERE ${typeIs('contact.updated')}`,
    `change \\d+ of contact ${id} is updated, but the one before is deleted`,
  ],
  [
    'a record was deleted without the log',
    `UPDATE task SET deleted_at = '2026-06-15T12:00:00.000Z'`,
    `task ${id} is erased, but its last change is task.created`,
  ],
  [
    'a record was restored without the log',
    'UPDATE contact SET deleted_at = NULL; DELETE FROM trash',
    `contact ${id} is undeleted, but its last change is contact.deleted`,
  ],
  [
    'a deleted record is not in the trash',
    'DELETE FROM trash',
    `contact ${id} is erased, but its last change is contact.deleted`,
  ],
  [
    'the trash has a record that is not deleted',
    `INSERT INTO trash (workspace_id, id, type, title, deleted_at_key, deleted_by)
      SELECT workspace_id, id, 'task', title, created_at, '{}' FROM task`,
    `task ${id} is in the trash, but is not a deleted record`,
  ],
]

test('Check finds no fault in a log of creations, changes, items, deletions, imports, keys and users', async (t) => {
  assert.deepEqual(await findingsAfter(await filled(t), ''), [])
})

for (const release of releases) {
  test(`Check finds no fault in the log of an upgraded database of Kontor ${release.version}`, async (t) => {
    const directory = join(temporaryDirectory(t), 'data')
    unpack(release, directory)
    const { stop } = await start(t, { directory })
    await stop()

    const { code, stderr } = await run(bundle, ['check', '--data', directory])

    assert.deepEqual([code, stderr], [0, ''])
  })
}

test('Check reports a log that does not lead to the tables', async (t) => {
  const directory = await filled(t)
  for (const [name, sql, finding] of damages) {
    await t.test(`Check reports that ${name}`, async (t) => {
      const damaged = join(temporaryDirectory(t), 'data')
      cpSync(directory, damaged, { recursive: true })

      const findings = await findingsAfter(damaged, sql)

      const pattern = new RegExp(`^workspace 1: ${finding}$`)
      assert.ok(
        findings.some((each) => pattern.test(each)),
        findings.join('\n'),
      )
    })
  }
})
