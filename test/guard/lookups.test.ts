import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { taskCalendar } from '../../src/features/calendar/calendar.ts'
import { loggedResources } from '../../src/features/index.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { restrict } from '../../src/store/visibility.ts'
import { uploaded } from '../features/files/files.ts'
import { deliverMail, mailWithFile, newAddress, rawMail, startWithMail } from '../features/mail/mails.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { planOf, StatementWatch } from './statements.ts'

/** A step that reads all rows of a workspace. */
const readsAll = /^SEARCH \S+ USING .*\(workspace_id=\?\)$/

/** A database in which SQLite takes the tables for empty, or knows that a workspace has a million rows and a value leads to 20. */
function open({ isLarge }: { isLarge: boolean }): Connection {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  db.exec(schemaSql)
  if (isLarge) tellSizes(db)
  restrict(db)
  return db
}

function tellSizes(db: Connection): void {
  db.exec('ANALYZE; DELETE FROM sqlite_stat1')
  const sql = `SELECT tables.name AS "table", indexes.name AS "index", indexes.origin = 'pk' AND tables.wr AS isTable, "unique" AS isUnique,
      (SELECT json_group_array(columns.name) FROM pragma_index_info(indexes.name) AS columns) AS columns
    FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS indexes WHERE tables.schema = 'main'`
  const insert = db.prepare('INSERT INTO sqlite_stat1 VALUES (?, ?, ?)')
  for (const { table, index, isTable, isUnique, columns } of db.prepare(sql).all() as Index[]) {
    const names: string[] = JSON.parse(columns)
    const rows = names.map((name, at) => {
      if (at === 0 && name === 'workspace_id') return 1_000_000
      return isUnique && at === names.length - 1 ? 1 : 20
    })
    insert.run(table, isTable ? table : index, [1_000_000, ...rows].join(' '))
  }
  db.exec('ANALYZE sqlite_schema')
}

interface Index {
  table: string
  index: string
  isTable: number
  isUnique: number
  /** JSON */
  columns: string
}

/** Does what looks records up by others: line items, merges, restores, undo, mail, erasures and calendars. Returns the statements. */
async function statementsOf(t: TestContext): Promise<Set<string>> {
  const watch = new StatementWatch()
  watch.isOn = false
  const server = await startWithMail(t, { longRequests: 'here', prepare: watch.prepare })
  const { id, client } = await server.company('Acme')
  watch.isOn = true
  await sell(client)
  await correspond(client)
  const reader = server.store.workspace(findWorkspaceId(server.store.access, id, 'live'))
  taskCalendar(reader, { userId: 'nobody', timeZone: 'UTC', nowMs: server.clock.now(), consoleUrl: undefined })
  for (const { verify } of loggedResources) assert.deepEqual([...(verify?.(reader) ?? [])], [])
  return new Set(watch.statements.filter((sql) => /^\s*(?:SELECT|WITH|UPDATE|DELETE)\b/.test(sql)))
}

async function sell(client: Client): Promise<void> {
  const [organization, other] = [await make(client, 'organization'), await make(client, 'organization')]
  const [contact, same] = [await make(client, 'contact', { organization_id: other.id }), await make(client, 'contact')]
  const deal = await make(client, 'deal', { contact_id: same.id, organization_id: other.id })
  await make(client, 'line_item', { deal_id: deal.id })
  assert.equal((await client.patch(`/api-v1-deals/${deal.id}`, { value: 7 })).status, 409)
  for (const owner of [{ organization_id: other.id }, { contact_id: same.id }, { deal_id: deal.id }])
    await uploaded(client, 'offer', owner)
  await client.post(`/api-v1-organizations/${organization.id}/merge`, { with: [other.id] })
  await client.post(`/api-v1-contacts/${contact.id}/merge`, { with: [same.id] })
  await client.delete(`/api-v1-deals/${deal.id}`)
  await client.post(`/api-v1-trash/${deal.id}/restore`, {})
  const { seq } = (await client.get('/api-v1-changes?limit=1')).body.data[0]
  assert.equal((await client.post('/api-v1-undo', { seq })).status, 200)
  await erase(client, `/api-v1-contacts/${contact.id}`)
  await erase(client, `/api-v1-organizations/${organization.id}`)
}

async function correspond(client: Client): Promise<void> {
  const deal = await make(client, 'deal')
  const { address } = await newAddress(client, { kind: 'deal', deal_id: deal.id })
  const first = await deliverMail(client, address, rawMail({ 'Message-ID': '<one@navy.example>' }))
  const headers = { 'In-Reply-To': '<one@navy.example>', Subject: 'Re: Hampers' }
  const reply = await deliverMail(client, address, mailWithFile('offer.pdf', 'An offer', headers))
  assert.deepEqual([first.status, reply.status], [201, 201])
  const contact = await make(client, 'contact', { emails: [{ email: 'grace@navy.example' }] })
  await client.delete(`/api-v1-messages/${reply.body.data.id}`)
  await client.post(`/api-v1-trash/${reply.body.data.id}/restore`, {})
  await erase(client, `/api-v1-contacts/${contact.id}`)
  await erase(client, `/api-v1-messages/${first.body.data.id}`)
}

async function erase(client: Client, path: string): Promise<void> {
  await client.delete(path)
  assert.equal((await client.delete(`/api-v1-trash/${path.split('/').at(-1)}`)).status, 200)
}

test('No statement reads all rows of a workspace where an index leads to a few', async (t) => {
  const [empty, large] = [open({ isLarge: false }), open({ isLarge: true })]
  const statements = await statementsOf(t)

  assert.ok(statements.size > 120, `${statements.size} statements`)
  const readingAll = (db: Connection, sql: string) => planOf(db, sql, null).filter((step) => readsAll.test(step))
  const wrong = [...statements].flatMap((sql) => {
    const steps = readingAll(empty, sql)
    return steps.length > readingAll(large, sql).length ? [`${sql}\n  ${steps.join('\n  ')}`] : []
  })
  assert.deepEqual(wrong, [])
})

test('A deal without a stage goes to the first one without sorting all of them', async (t) => {
  const watch = new StatementWatch()
  watch.isOn = false
  const { client } = await (await start(t, { prepare: watch.prepare })).company('Acme')
  watch.isOn = true
  await client.post('/api-v1-deals', { title: 'Hampers' })
  watch.isOn = false

  const ofStages = watch.statements.filter((sql) => /FROM stage\b/.test(sql))
  const steps = ofStages.flatMap((sql) => planOf(watch.db, sql, null))
  assert.ok(steps.length > 0)
  assert.deepEqual(
    steps.filter((step) => step.includes('TEMP B-TREE')),
    [],
  )
})
