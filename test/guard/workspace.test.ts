import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Resource } from '../../src/engine/records/define.ts'
import { includable } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { isMigration, sourcesIn } from './sources.ts'
import { StatementWatch } from './statements.ts'

const tables = [
  'record_count',
  'value_count',
  'search_pending',
  'search_start',
  'content_claim',
  'erased_message',
  'content_removal',
  'bulk_job',
  'bulk_batch',
  'bulk_result',
  'change',
  'field_index',
  'field_value',
  'field_choice',
  'trash',
  'webhook_state',
  'webhook_delivery',
  ...resources.flatMap(({ table, collections, links, idLists }) => [
    table,
    ...[...Object.values(collections), ...Object.values(links), ...Object.values(idLists)].map(({ table }) => table),
  ]),
]
const naming = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+(?:${tables.join('|')})\\b`, 'g')
const binding = /workspace_id\s*=\s*|\(workspace_id, /g

/** Starts a server that records every statement it prepares. */
async function recordStatements(t: TestContext): Promise<{ client: Client; statements: string[] }> {
  const { statements, prepare } = new StatementWatch()
  const server = await start(t, { prepare })
  const client = await server.client()
  statements.length = 0 // those of the start and of the company
  return { client, statements }
}

/** Sends requests that make the engine run every kind of statement it has for a resource. */
async function exercise(client: Client, resource: Resource): Promise<void> {
  const path = `/${resource.path}`
  const record = await make(client, resource.name, itemsOf(resource))
  await make(client, resource.name)
  const include = includable(resource).join(',')
  const filters = [...resource.filters, ...Object.keys(resource.itemFilters)]
  for (const name of filters) {
    await client.get(`${path}?${name}[ne]=${valueFor(name, resource)}`)
  }
  for (const sort of resource.sorts) {
    const { body } = await client.get(`${path}?sort=${sort}&limit=1`)
    await client.get(`${path}?sort=${sort}&limit=1&cursor=${body.pagination.next_cursor}`)
  }
  await client.get(`${path}?page=2${include && `&include=${include}`}`)
  await client.get(`${path}/${record.id}`)
  for (const action of ['', ...resource.actions.map((each) => `/${each.path}`)]) {
    await client.patch(`${path}/${record.id}${action}`, { ...record, metadata: { changed: true } })
  }
  await client.delete(`${path}/${record.id}`)
}

function itemsOf({ collections }: Resource): Record<string, unknown> {
  return Object.fromEntries(Object.entries(collections).map(([name, { about }]) => [name, [about.first]]))
}

/** A value that a filter on this field accepts. */
function valueFor(name: string, { columns }: Resource): string {
  const { filter, options = [] } = columns[name] ?? {}
  const candidates = ['text', 'true', '2026-06-15', '0197a000-0000-7000-8000-000000000000', '1']
  const on = { column: name, key: name }
  return [...candidates, ...options].find((value) => !filter || filter.condition(on, 'eq', value)) ?? 'text'
}

for (const resource of resources) {
  test(`Every statement that a request for ${resource.path} runs binds the workspace for each table in it`, async (t) => {
    const { client, statements } = await recordStatements(t)

    await exercise(client, resource)

    const ofTables = statements.filter((sql) => sql.search(naming) !== -1)
    assert.ok(ofTables.length > 10, `${ofTables.length} statements were seen`)
    for (const sql of ofTables) {
      assert.ok(sql.includes(':workspace'), sql)
      assert.ok((sql.match(binding)?.length ?? 0) >= sql.match(naming)!.length, sql)
    }
  })
}

/** Statements whose results no client sees, and why. */
const acrossWorkspaces: Record<string, string> = {
  'src/content/copy-content.ts UNION SELECT workspace_id, original_sha256, original_bytes':
    'backups have the content of all workspaces',
  'src/content/copy-content.ts SELECT DISTINCT workspace_id AS workspaceId, sha256, bytes':
    'backups have the content of all workspaces',
  'src/changes/readers/batch-reader.ts SELECT id, latest': 'a reader of the log looks where it is behind',
  'src/changes/readers/batch-reader.ts SELECT seq - 1': 'pruning and metrics ask how far the readers of the log are',
  'src/changes/readers/batch-reader.ts SELECT max(seq)': 'the same',
  'src/changes/readers/log-reader.ts (SELECT max(seq)': 'the metrics say how far the readers of the log are behind',
  'src/features/files/content-names.ts SELECT workspace_id AS workspaceId, sha256':
    'content of all workspaces is removed in the background',
  'src/features/imports/job.ts SELECT status, count(*) AS jobs, sum(total_records - processed_records) AS records':
    'the metrics count the jobs of all workspaces',
  'src/features/mail/lookup-address.ts SELECT company_id AS companyId, mail_address.workspace_id AS workspaceId, mail_address.id, kind, user_id AS userId, deal_id AS dealId, audience, mail_address.address ':
    'an address that mail arrives at says which workspace it is of',
  "src/features/webhooks/stored/webhook-state.ts SELECT webhook.workspace_id, position, min(position, ifnull(replay ->> 'after', position), ifnull(( SELECT min(seq) - 1":
    'the sender begins with the webhooks of all workspaces',
  'src/features/webhooks/stored/webhook-state.ts SELECT (SELECT count(*)':
    'the metrics count the webhooks of all workspaces',
}

test('Every statement in src that names a table of a workspace binds the workspace', () => {
  const texts = sourcesIn('src')
    .filter((source) => source.path.endsWith('.ts') && !isMigration(source))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`[^`]*`|'[^'\n]*'|"[^"\n]*"/g)].map(([literal]) => ({ path, literal })),
    )

  const unbound = texts.filter(({ literal }) => literal.search(naming) !== -1 && !literal.includes(':workspace'))

  assert.deepEqual(
    unbound.map(({ path, literal }) => `${path} ${literal.slice(1, literal.search(/\sFROM/)).replace(/\s+/g, ' ')}`),
    Object.keys(acrossWorkspaces),
  )
})
