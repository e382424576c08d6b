import { insertCalendarFeed } from '../../../src/access/calendar-feed.ts'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { insertKey } from '../../../src/access/key.ts'
import { insertUser } from '../../../src/access/user.ts'
import { activity } from '../../../src/crm/activity.ts'
import { contact } from '../../../src/crm/contact.ts'
import { deal } from '../../../src/crm/deal.ts'
import { organization } from '../../../src/crm/organization.ts'
import { stage } from '../../../src/crm/stage.ts'
import { task } from '../../../src/crm/task.ts'
import type { Resource } from '../../../src/engine/records/definition/resource.ts'
import { type JsonObject, readCreate } from '../../../src/engine/records/rows/validate.ts'
import { insert, remove, update } from '../../../src/engine/records/rows/write.ts'
import { field } from '../../../src/features/declared-fields/field.ts'
import { nothing } from '../../../src/features/imports/batch.ts'
import { advanceJob, insertJob } from '../../../src/features/imports/job.ts'
import { insertResults } from '../../../src/features/imports/results.ts'
import { proposal } from '../../../src/features/proposals/proposal.ts'
import { view } from '../../../src/features/views/view.ts'
import { recordAttempt } from '../../../src/features/webhooks/stored/deliveries.ts'
import { webhook } from '../../../src/features/webhooks/webhook.ts'
import type { Writer } from '../../../src/store/reader.ts'
import type { Store } from '../../../src/store/store.ts'
import { largestBody, largestMetadata } from './bodies.ts'

/** Ids of records of a heavy company, by what is special about them. */
export type HeavyIds = Readonly<Record<HeavyName, string>>
type HeavyName =
  | 'hub'
  | 'other'
  | 'hot'
  | 'erasable'
  | 'webhook'
  | 'user'
  | 'key'
  | 'stage'
  | 'proposal'
  | 'calendar'
  | 'job'
  | 'contact'
  | 'otherContact'
  | 'deal'
  | 'task'
  | 'activity'
  | 'view'
  | 'field'

/** The request under which most records were created. */
export const heavyRequest = 'heavy-request'

export interface HeavySize {
  /** How many contacts, deals, tasks and deleted records there are. */
  many: number
  /** How many of them are as large as they can be, and how often the hot record was changed. */
  large: number
}

type Written = (run: (tx: Writer) => void, requestId?: string) => Promise<unknown>

/** Fills a company's live workspace: many records that belong to one, large ones, one that was changed often, and full logs. */
export async function fillHeavy(store: Store, companyId: string, { many, large }: HeavySize): Promise<HeavyIds> {
  const workspaceId = findWorkspaceId(store.access, companyId, 'live')
  const write: Written = (run, requestId = heavyRequest) =>
    store.write(workspaceId, (tx) => run(tx), { actor: { type: 'operator', id: null }, requestId })
  const ids: Partial<Record<HeavyName, string>> = {}
  const add = (tx: Writer, resource: Resource, body: JsonObject) =>
    insert(resource, tx, readCreate(resource, tx, body), {}).id
  await write((tx) => {
    for (const name of ['hub', 'other', 'hot', 'erasable'] as const) ids[name] = add(tx, organization, { name })
    ids.stage = add(tx, stage, { name: 'Heavy' })
    for (let n = 0; n < 100; n++) add(tx, stage, { name: `Stage ${n}`, position: 0 })
    for (let n = 0; n < 50; n++) ids.field = add(tx, field, { resource: 'contact', key: `f${n}`, type: 'text' })
    for (let n = 0; n < 100; n++)
      ids.view = add(tx, view, { ...view.about.example, name: `View ${n}`, visibility: 'shared' })
  }, 'heavy-setup')
  await store.writeAccess((access) => {
    for (let n = 0; n < 100; n++) {
      ids.user = insertUser(access, {
        companyId,
        fullName: `User ${n}`,
        email: `u${n}@heavy.example`,
        role: 'member',
      }).id
    }
    for (let n = 0; n < 100; n++) {
      ids.key = insertKey(access, { companyId, name: `Key ${n}`, environment: 'live', scopes: ['read:all'] }).id
    }
    ids.calendar = insertCalendarFeed(access, ids.user!, 'Europe/Berlin')
  })
  await write((tx) => {
    ids.webhook = add(tx, webhook, webhook.about.example as JsonObject)
    const attempt = { at: tx.now, status: 500, ms: 3, response: 'r'.repeat(2_048), error: null }
    const outcome = {
      type: 'deal.won',
      url: null,
      attempt,
      status: 'failed',
      tries: 1,
      asked: 0,
      nextAtMs: null,
    } as const
    for (let number = 1; number <= 100; number++) {
      for (let n = 0; n < 20; n++) recordAttempt(tx, ids.webhook, { ...outcome, number })
    }
    ids.proposal = insertProposals(tx, ids.key!)
    ids.job = insertFailedJob(tx, many)
  }, 'heavy-logs')
  const organization_id = ids.other!
  for (const resource of [contact, deal, task, activity]) {
    await write((tx) => {
      for (let n = 0; n < many; n++) add(tx, resource, { ...resource.about.example, metadata: {}, organization_id })
    })
    for (let n = 0; n < large; n++) {
      const body = { ...largestBody(resource), organization_id: ids.hub! }
      await write((tx) => {
        ids[resource.name as HeavyName] = add(tx, resource, body)
      }, 'heavy-large')
    }
  }
  for (let n = 0; n < large; n++) {
    const change = (tx: Writer) => {
      for (const name of ['hot', 'erasable'] as const) {
        update(organization, tx, ids[name]!, { metadata: JSON.stringify(largestMetadata(n)) })
      }
    }
    await write(change, 'heavy-hot')
  }
  await write((tx) => {
    remove(organization, tx, ids.erasable!)
    for (let n = 0; n < many; n++) remove(task, tx, add(tx, task, { title: `Deleted ${n}` }))
  }, 'heavy-deleted')
  await write((tx) => {
    ids.otherContact = add(tx, contact, { first_name: 'Other' })
    for (let n = 0; n < many; n++) add(tx, task, { title: `Of the other ${n}`, contact_id: ids.otherContact })
  }, 'heavy-others')
  const soon = new Date(store.clock.now() + 86_400_000).toISOString()
  await write((tx) => {
    for (let n = 0; n < large; n++) {
      add(tx, task, { ...largestBody(task), assigned_to: ids.user!, due_date: soon, organization_id: null })
    }
  }, 'heavy-due')
  return ids as HeavyIds
}

function insertProposals(tx: Writer, keyId: string): string {
  const changes = JSON.stringify([
    { type: 'contact.updated', record_id: tx.newId(), title: 't'.repeat(100_000), fields: {} },
  ])
  const sql = `INSERT INTO ${proposal.table} (workspace_id, id, key_id, client, tool, request, changes, changes_total, start, status, status_key, created_at)
    VALUES (:workspace, ?, ?, NULL, 'save_record', '{}', ?, 1, '', 'open', 0, ?)`
  let id = ''
  for (let n = 0; n < 100; n++) {
    id = tx.newId()
    tx.run(sql, id, keyId, changes, tx.now)
  }
  return id
}

/** A job that has ended, whose records have failed with long errors. */
function insertFailedJob(tx: Writer, records: number): string {
  const errors = Array.from({ length: 100 }, (_, n) => ({ row: n + 1, field: 'name', error: 'e'.repeat(500) }))
  const id = insertJob(tx, 'import_contacts', { total: records, batches: [] })
  for (let row = 1; row <= records; row += 100) {
    const result = { outcome: 'failed', id: null, errors: errors.slice(0, 20) } as const
    insertResults(tx, id, row, Array(Math.min(100, records - row + 1)).fill(result))
  }
  advanceJob(tx, id, { ...nothing, failed: records, errors })
  return id
}
