import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { findWorkspaceId } from '../../src/access/company.ts'
import { insertKey } from '../../src/access/key.ts'
import { hashPassword } from '../../src/access/password.ts'
import { insertUser } from '../../src/access/user.ts'
import { logIdOf } from '../../src/changes/log-name.ts'
import { companyCommand } from '../../src/commands/company/company.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { OperatorError } from '../../src/errors.ts'
import { mailSource } from '../../src/features/mail/imap/mail-source.ts'
import { mailAddress } from '../../src/features/mail/mail-address.ts'
import type { Reader, Writer } from '../../src/store/reader.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** A company that a database has, with a user, a key, an address for mail and a mailbox. */
interface Resident {
  company: string
  user: string
  key: string
  keyHash: string
  prefix: string
  address: string
  mailbox: string
}

/** A file with the company of a sender, and a data directory with that of somebody else. */
export interface CompanyExchange {
  directory: string
  /** The file, as it was exported. */
  exported: string
  target: string
  sender: Resident
  victim: Resident
  /** The name of a log of the victim. */
  logName: string
  /** Returns the path of a copy of the file that the sender has changed with all means of SQLite. */
  changed(sql: string): string
  /** Imports a file. */
  import(file: string): Promise<unknown>
  /** Fails unless the import of a file is refused with a sentence, and writes nothing. */
  assertRefused(file: string, message: RegExp): Promise<void>
  /** Everything in the target. */
  content(): [table: string, rows: Record<string, unknown>[]][]
}

/** With `hasFile`, the sender has a file, whose content is not beside its company's file. */
export async function exchangeCompany(
  t: Pick<TestContext, 'after'>,
  { hasFile = false } = {},
): Promise<CompanyExchange> {
  const directory = temporaryDirectory(t)
  const [data, exported, target] = ['source', 'exported', 'target'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  const sender = await fill(t, data, hasFile)
  await run('export', sender.company, exported, '--data', data, '--json')
  const { id } = await withStore(
    target,
    (store) => store.writeAccess((tx) => createCompany(tx, { name: 'Victim', plan: 'free' })),
    { create: true },
  )
  const victim = await residentOf(target, id)
  const logOf = (access: Reader) => logIdOf(access, access.value<number>('SELECT min(id) FROM workspace')!)
  const logName = await withStore(target, ({ access }) => logOf(access))
  let files = 0
  const importFile = (file: string) => run('import', file, '--data', target, '--json')
  const content = () => contentOf(target)
  return {
    ...{ directory, exported, target, sender, victim, logName, content, import: importFile },
    changed: (sql) => change(exported, join(directory, `changed-${++files}`), sql),
    async assertRefused(file, message) {
      const before = content()
      await assert.rejects(importFile(file), (error: Error) => {
        assert.match(error.message, message)
        assert.ok(error instanceof OperatorError, error.stack ?? '')
        return true
      })
      assert.deepEqual(content(), before)
    },
  }
}

/** Runs a command in this process. */
export function run(...args: string[]): Promise<unknown> {
  return companyCommand().parseAsync(args, { from: 'user' })
}

/** Creates a company with records, a log, a webhook, and an import that has ended. */
async function fill(t: Pick<TestContext, 'after'>, data: string, hasFile = false): Promise<Resident> {
  const server = await start(t, { directory: data })
  const client = await server.client()
  const organization = await make(client, 'organization')
  await make(client, 'field', { resource: 'contact', key: 'tier', type: 'text' })
  await make(client, 'contact', { organization_id: organization.id, metadata: { tier: 'gold' } })
  const others = ['deal', 'task', 'activity', 'view', 'product', 'line_item', 'exchange_rate']
  for (const resource of others) await make(client, resource)
  if (hasFile) await make(client, 'file', { organization_id: organization.id })
  await client.patch(`/api-v1-organizations/${organization.id}`, { name: 'Changed' })
  const deleted = await make(client, 'organization')
  await client.delete(`/api-v1-organizations/${deleted.id}`)
  await client.post('/api-v1-webhooks', { url: 'https://example.com/hook', events: ['*'] })
  await importAll(client, 'contacts', [{ first_name: 'Bo' }])
  await client.addMessage!({})
  await server.stop()
  return residentOf(data, await withStore(data, ({ access }) => access.value<string>('SELECT id FROM company')!))
}

/** Adds a user, a key of the user, an address for mail and a mailbox to a company. */
async function residentOf(data: string, id: string): Promise<Resident> {
  return withStore(data, async (store) => {
    const passwordHash = await hashPassword('long enough')
    return store.writeAccess((tx) => {
      const user = insertUser(tx, {
        companyId: id,
        fullName: 'Ada',
        email: 'ada@acme.example',
        role: 'owner',
        passwordHash,
      })
      const key = insertKey(tx, {
        companyId: id,
        environment: 'live',
        name: 'First',
        scopes: ['admin:all'],
        userId: user.id,
      })
      const keyHash = tx.value<string>('SELECT hash FROM api_key WHERE id = ?', key.id)!
      const mail = addMail(tx.inWorkspace(findWorkspaceId(tx, id, 'live')), `${id}@in.example.com`)
      return { company: id, user: user.id, key: key.id, keyHash, prefix: key.prefix, ...mail }
    })
  })
}

function addMail(tx: Writer, address: string): Pick<Resident, 'address' | 'mailbox'> {
  const place = { host: 'imap.example.com', port: 993, user: 'ada', audience: 'team' }
  insert(mailAddress, tx, readCreate(mailAddress, tx, { kind: 'company' }), {}, { values: { address } })
  return { address, mailbox: insert(mailSource, tx, readCreate(mailSource, tx, place), {}).id }
}

function change(exported: string, file: string, sql: string): string {
  copyFileSync(exported, file)
  const db = new Database(file)
  db.unsafeMode()
  const pragmas = ['writable_schema = ON', 'foreign_keys = OFF', 'ignore_check_constraints = ON']
  for (const pragma of pragmas) db.pragma(pragma)
  db.exec(sql)
  db.close()
  return file
}

function contentOf(data: string): [table: string, rows: Record<string, unknown>[]][] {
  const db = new Database(join(data, 'kontor.db'), { readonly: true })
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[]
    return tables.map((name) => [name, db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}"`).all()])
  } finally {
    db.close()
  }
}
