import type { Kept } from '../../content/memory.ts'
import { file, fileReferences } from '../../crm/file.ts'
import { user } from '../../crm/user.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { dataText, undeleted } from '../../engine/records/select.ts'
import { mailAddress } from '../../features/mail/mail-address.ts'
import { faultsOf, type SavedQuery } from '../../features/views/query.ts'
import { view } from '../../features/views/view.ts'
import { timestamp } from '../../lib/clock.ts'
import { parseExact } from '../../lib/exact-json.ts'
import type { Reader } from '../../store/reader.ts'
import type { ClockState } from '../clock.ts'
import { contentOf } from './file-content.ts'
import { hiddenTimes, seeded } from './resources.ts'

type JsonRecord = Record<string, unknown>

/** What a workspace has, and the exchange rates of its company's `live` one, as a seed file (decision I4): records as bodies that create them, with their ids and times. */
export function exportSeed(reader: Reader, live: Reader, { mode, nowMs }: ClockState, kept: Kept): JsonRecord {
  const known = new Set<unknown>()
  const lists: JsonRecord = {}
  for (const [name, resource] of Object.entries({ users: user, ...seeded })) {
    const records = read(resource, resource.ofCompany ? live : reader)
    for (const { id } of records) known.add(id)
    const usable = records
      .map((record) => withoutGone(resource, record, known))
      .filter((each) => belongs(resource, each))
    lists[name] = resource === file ? usable.map((each) => ({ ...each, ...contentOf(kept, each.sha256) })) : usable
  }
  return { clock: mode === 'real' ? { mode } : { mode, now: timestamp(nowMs) }, ...lists }
}

/** A file of deleted records alone, and the address of a deleted deal, could not be created. */
function belongs(resource: Resource, record: JsonRecord): boolean {
  if (resource === mailAddress) return record.kind !== 'deal' || record.deal_id !== null
  return resource !== file || fileReferences.some((name) => record[name] !== null)
}

/** Without broken views, which cannot be created. */
function read(resource: Resource, reader: Reader): JsonRecord[] {
  const ids = reader.values<string>(`SELECT id FROM ${resource.table} WHERE ${undeleted} ORDER BY ${orderOf(resource)}`)
  const records = ids.map((id) => parseExact(dataText(resource, reader, id)!) as JsonRecord & SavedQuery)
  const usable = resource === view ? records.filter((record) => faultsOf(record, reader).length === 0) : records
  const hidden = hiddenTimes(resource)
  return usable.map((record) => {
    const row = hidden.length > 0 ? lookupRow(resource, reader, String(record.id)) : undefined
    return { ...bodyOf(resource, record), ...Object.fromEntries(hidden.map(({ name }) => [name, row?.[name]])) }
  })
}

/** Stages in the order of the pipeline, everything else by age. */
function orderOf({ fields }: Resource): string {
  return fields.position ? 'position' : 'id'
}

/** In a body, items have the name of their collection. */
function bodyOf({ collections }: Resource, record: JsonRecord): JsonRecord {
  const renamed = Object.entries(collections).map(([name, { as }]) => [name, record[as]] as const)
  for (const { as } of Object.values(collections)) delete record[as]
  return { ...record, ...Object.fromEntries(renamed) }
}

/** References and links to deleted records are left out: nothing could be created with them. */
function withoutGone({ fields, links }: Resource, record: JsonRecord, known: ReadonlySet<unknown>): JsonRecord {
  const references = Object.values(fields).filter(({ target, name }) => target && record[name] !== null)
  const gone = references.filter(({ name }) => !known.has(record[name])).map(({ name }) => [name, null])
  const left = Object.keys(links).map((name) => {
    return [name, (record[name] as { id: unknown }[]).filter(({ id }) => known.has(id))]
  })
  return { ...record, ...Object.fromEntries([...gone, ...left]) }
}
