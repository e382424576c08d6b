import { type BatchReader, beginAnew, inSteps, type Seen, type Step } from '../../changes/readers/batch-reader.ts'
import { activity } from '../../crm/activity.ts'
import { contact } from '../../crm/contact.ts'
import { deal } from '../../crm/deal.ts'
import { message } from '../../crm/message.ts'
import { organization } from '../../crm/organization.ts'
import { stage } from '../../crm/stage.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { noteRow } from '../../engine/records/rows/rows.ts'
import type { Reader, SqlParam } from '../../store/reader.ts'
import { indexed } from '../../store/visibility.ts'

/** An activity of a contact counts for so many of the open deals that the contact is on, the newest ones. */
const dealsMax = 100
/** In how many deals a batch looks after stages became open or closed. With more, everything is made anew. */
const turnedMax = 300
/** How many records a batch deals with while everything is made anew. */
const rebuiltMax = 300
/** How many records a transaction writes. */
const writtenMax = 300

/** The records that have `last_activity_at`, in the order in which they are made anew, and the field that refers to them. */
const targets: readonly { resource: Resource; by: string; latest: string }[] = [
  { resource: organization, by: 'organization_id', latest: latestSql(ownSql('organization_id')) },
  { resource: contact, by: 'contact_id', latest: latestSql(ownSql('contact_id')) },
  { resource: deal, by: 'deal_id', latest: latestSql([...ownSql('deal_id'), ofPeopleSql()]) },
]

/**
 * When something last happened with an organization, a contact or a deal (decision T5): the newest of its activities, completed tasks, and
 * messages that the whole team sees. A deal also has the activities of the people on it: while its stage is open, and otherwise those that
 * were written before it was closed, or entered its stage.
 */
export const lastActivity: BatchReader = {
  name: 'last_activity',
  version: 3,
  types: ['activity.*', 'task.*', 'message.*', 'deal.*', 'stage.updated', 'contact.restored', 'organization.restored'],
  apply(reader, changes) {
    const turned = turnedDeals(reader, changes)
    if (turned.length > turnedMax) return beginAnew(lastActivity)
    const due = dueAfter(reader, changes, turned)
    return targets.flatMap((target) => updates(reader, target, [...due.get(target.by)!]))
  },
  rebuild(reader, after) {
    const [name = targets[0]!.resource.name, lastId = ''] = after === '' ? [] : after.split(' ')
    const at = targets.findIndex(({ resource }) => resource.name === name)
    const sql = `SELECT id FROM ${name} WHERE workspace_id = :workspace AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?`
    const ids = reader.values<string>(sql, lastId, rebuiltMax)
    const steps = updates(reader, targets[at]!, ids)
    if (ids.length === rebuiltMax) return { steps, next: `${name} ${ids.at(-1)}` }
    return { steps, next: targets[at + 1] && `${targets[at + 1]!.resource.name} ` }
  },
  *verify(reader) {
    for (const { resource, latest } of targets) {
      const sql = `SELECT id FROM ${resource.table} AS record
        WHERE workspace_id = :workspace AND deleted_at IS NULL AND last_activity_at IS NOT ${latest}`
      for (const id of reader.values<string>(sql)) yield `last_activity_at of ${resource.name} ${id} is wrong`
    }
  },
}

/** The newest of an own record's times: `own` are expressions of SQL. */
function latestSql(own: readonly string[]): string {
  return `nullif(max(${own.map((sql) => `ifnull(${sql}, '')`).join(', ')}), '')`
}

function ownSql(by: string): string[] {
  const name = by.replace(/_id$/, '')
  return [
    `(SELECT max(occurred_at) FROM activity INDEXED BY activity_${name}_occurred
      WHERE workspace_id = :workspace AND ${by} = record.id AND deleted_at IS NULL)`,
    `(SELECT max(completed_at) FROM task INDEXED BY task_${name}_completed
      WHERE workspace_id = :workspace AND ${by} = record.id AND deleted_at IS NULL AND completed_at IS NOT NULL)`,
    messageSql(by),
  ]
}

/** When the newest message arrived that the whole team sees. Ids sort in this order, in which SQLite would read all messages without the index. */
function messageSql(by: string): string {
  const seen = `deleted_at IS NULL AND audience = 'team' AND status <> 'held'`
  if (by !== 'contact_id') {
    return `(SELECT received_at FROM ${indexed(message.name, `message_${by}`)}
      WHERE workspace_id = :workspace AND ${seen} AND ${by} = record.id ORDER BY id DESC LIMIT 1)`
  }
  return `(SELECT received_at FROM message_contact CROSS JOIN message
    ON message.workspace_id = :workspace AND id = message_id AND ${seen}
    WHERE message_contact.workspace_id = :workspace AND contact_id = record.id ORDER BY message_id DESC LIMIT 1)`
}

/** A SQL condition: whether a deal is open, as the kind of its stage is now. */
function isOpen(deal: string): string {
  return `(SELECT kind FROM stage WHERE stage.workspace_id = :workspace AND stage.id = ${deal}.stage_id) = 'open'`
}

/** When a deal was closed that is not open, in SQL. If its stage has become won or lost since, that is when it entered it. */
function closedAt(deal: string): string {
  return `ifnull(${deal}.closed_at, ${deal}.entered_at)`
}

/** The newest activity of the people on a deal that counts for it. */
function ofPeopleSql(): string {
  const newest = (besides: string) => `(SELECT occurred_at FROM activity INDEXED BY activity_contact_occurred
    WHERE workspace_id = :workspace AND contact_id = person.contact_id AND deleted_at IS NULL ${besides} ORDER BY occurred_at DESC LIMIT 1)`
  // Without the `+`, SQLite would read all newer deals, because it derives `newer.id > record.id`.
  const newer = `SELECT 1 FROM deal_contact AS other INDEXED BY deal_contact_contact_id CROSS JOIN deal AS newer
    ON newer.workspace_id = :workspace AND newer.id = +other.deal_id AND newer.deleted_at IS NULL AND ${isOpen('newer')}
    WHERE other.workspace_id = :workspace AND other.contact_id = person.contact_id AND other.deal_id > record.id`
  return `(SELECT max(CASE WHEN NOT ${isOpen('record')} THEN ${newest(`AND created_at <= ${closedAt('record')}`)}
      WHEN (SELECT count(*) FROM (${newer} LIMIT ${dealsMax})) < ${dealsMax} THEN ${newest('')} END)
    FROM deal_contact AS person WHERE person.workspace_id = :workspace AND person.deal_id = record.id)`
}

function updates(reader: Reader, { resource, latest }: (typeof targets)[number], ids: readonly string[]): Step[] {
  if (ids.length === 0) return []
  const sql = `WITH made AS MATERIALIZED (SELECT id, last_activity_at, ${latest} AS latest FROM ${resource.table} AS record
      WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL)
    SELECT id, latest FROM made WHERE last_activity_at IS NOT latest`
  const changed = reader.rows<{ id: string; latest: string | null }>(sql, JSON.stringify(ids))
  return inSteps(changed, writtenMax, (tx, { id, latest: at }) => noteRow(resource, tx, id, { last_activity_at: at }))
}

/** The deals in stages whose kind has changed: at most one more than a batch deals with. */
function turnedDeals(reader: Reader, changes: readonly Seen[]): string[] {
  const turned = changes.filter(({ resource, previous }) => resource === stage.name && previous.kind !== undefined)
  const sql = `SELECT id FROM deal INDEXED BY deal_stage_id
    WHERE workspace_id = :workspace AND stage_id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL LIMIT ?`
  const ids = new Set(turned.map(({ recordId }) => recordId))
  return ids.size === 0 ? [] : reader.values<string>(sql, JSON.stringify([...ids]), turnedMax + 1)
}

/** The records whose last activity may be another one after some changes, by the field that refers to them. `turned`: deals that may be open or closed now. */
function dueAfter(
  reader: Reader,
  changes: readonly Seen[],
  turned: readonly string[],
): ReadonlyMap<string, Set<string>> {
  const due = new Map(targets.map(({ by }) => [by, new Set<string>()]))
  const deals = due.get('deal_id')!
  /** The activities of people, and how many of their deals may have been opened or closed. */
  const [written, shifts] = [new Map<string, string[]>(), new Map<string, number>()]
  const shift = (person: string) => shifts.set(person, (shifts.get(person) ?? 0) + 1)
  for (const id of turned) {
    deals.add(id)
    for (const person of peopleOn(reader, id)) shift(person)
  }
  for (const { resource, recordId, previous } of changes) {
    const own = targets.find((target) => target.resource.name === resource)
    if (own) due.get(own.by)!.add(recordId)
    for (const each of referred(reader, resource, recordId, previous)) {
      if (!own) for (const { by } of targets) if (each[by]) due.get(by)!.add(each[by])
      const { contact_id: person } = each
      if (person && resource === activity.name) written.set(person, [...(written.get(person) ?? []), recordId])
      else if (person && resource === deal.name) shift(person)
    }
  }
  for (const person of new Set([...written.keys(), ...shifts.keys()])) {
    const [shifted, ids] = [shifts.get(person) ?? 0, written.get(person)]
    const open = openDealsOf(reader, person, shifted)
    const isDue = ids !== undefined || open.length + shifted > dealsMax // another deal may be among the newest ones now
    for (const id of isDue ? open : []) deals.add(id)
    for (const id of ids ? closedDealsOf(reader, person, ids) : []) deals.add(id)
  }
  return due
}

type References = Readonly<Record<string, string | null | undefined>>

/** What a record refers to now, and what it referred to before a change. */
function referred(reader: Reader, resource: string, id: string, previous: Seen['previous']): References[] {
  if ([organization, contact, stage].some(({ name }) => name === resource)) return []
  if (resource === message.name) return referredByMessage(reader, id, previous)
  if (resource === deal.name) return referredByDeal(reader, id, previous)
  const columns = targets.map(({ by }) => by).join(', ')
  const now = reader.row<References>(
    `SELECT ${columns} FROM ${resource} WHERE workspace_id = :workspace AND id = ?`,
    id,
  )
  return [...(now ? [now] : []), previous as References]
}

/** The people on a deal, now and before. */
function referredByDeal(reader: Reader, id: string, previous: Seen['previous']): References[] {
  const former = (previous.contacts ?? []) as readonly { id: string }[]
  const people = [...peopleOn(reader, id), ...former.map((each) => each.id)]
  return [...new Set(people)].map((contact_id) => ({ contact_id }))
}

function peopleOn(reader: Reader, dealId: string): string[] {
  const sql = 'SELECT contact_id FROM deal_contact WHERE workspace_id = :workspace AND deal_id = ?'
  return reader.values<string>(sql, dealId)
}

function referredByMessage(reader: Reader, id: string, previous: Seen['previous']): References[] {
  const sql = 'SELECT organization_id, deal_id, contact_ids FROM message WHERE workspace_id = :workspace AND id = ?'
  const now = reader.row<References>(sql, id) ?? {}
  const former = (previous.contact_ids ?? []) as readonly string[]
  const contacts = [...(JSON.parse(now.contact_ids ?? '[]') as string[]), ...former]
  const { organization_id, deal_id } = previous as References
  return [
    { organization_id: now.organization_id, deal_id: now.deal_id },
    { organization_id, deal_id },
    ...contacts.map((contact_id) => ({ contact_id })),
  ]
}

/** The newest open deals that a contact is on: those for which its activities count, and `besides` more. */
function openDealsOf(reader: Reader, contactId: string, besides: number): string[] {
  return dealsOf(reader, `${isOpen('deal')} ORDER BY deal_id DESC LIMIT ?`, contactId, dealsMax + besides)
}

/** The deals with a contact that are closed, and were so after the first of some activities was written. */
function closedDealsOf(reader: Reader, contactId: string, activityIds: readonly string[]): string[] {
  const written = `SELECT min(created_at) FROM activity
    WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
  return dealsOf(
    reader,
    `${closedAt('deal')} >= (${written}) AND NOT ${isOpen('deal')}`,
    contactId,
    JSON.stringify(activityIds),
  )
}

function dealsOf(reader: Reader, which: string, ...params: readonly SqlParam[]): string[] {
  const sql = `SELECT deal_id FROM deal_contact INDEXED BY deal_contact_contact_id CROSS JOIN deal
    ON deal.workspace_id = :workspace AND deal.id = deal_id AND deleted_at IS NULL
    WHERE deal_contact.workspace_id = :workspace AND deal_contact.contact_id = ? AND ${which}`
  return reader.values<string>(sql, ...params)
}
