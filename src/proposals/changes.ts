import { showChanges } from '../changes/show.ts'
import { latestOf, selectStored } from '../changes/stored-change.ts'
import type { Resource } from '../engine/definition/resource.ts'
import type { Reader, Synchronous, Writer } from '../store/reader.ts'
import { tryOut } from '../store/try-out.ts'

/** What a request changes in one record. */
export interface RecordChange {
  /** `contact.updated` */
  type: string
  record_id: string
  title: string
  /** The values before and after, by field. Null: there is none. */
  fields: Record<string, { before: unknown; after: unknown }>
}

export interface Changes {
  /** The first ones, in order. */
  changes: RecordChange[]
  total: number
}

/** The maximum number of changes that are shown, and that of the characters of their JSON; the first change is always shown. */
const shownMax = 50
const charsMax = 2 ** 17

/** Runs a part of a transaction and undoes it. Returns its result, and what it has changed according to the log. */
export function tryChanges<T>(tx: Writer, resources: readonly Resource[], run: () => Synchronous<T>) {
  return tryOut(tx, () => {
    const before = latestOf(tx)
    const result = run()
    return { result, ...changesAfter(tx, resources, before) }
  })
}

function changesAfter(reader: Reader, resources: readonly Resource[], seq: number): Changes {
  const found = selectStored(reader, 'seq', 'AND seq > ? ORDER BY seq LIMIT ?', seq, shownMax)
  const loaded = found.map((change) => ({ change, resource: resources.find(({ name }) => name === change.resource)! }))
  const changes: RecordChange[] = []
  let chars = 0
  for (const [at, text] of showChanges(reader, loaded).entries()) {
    chars += text.length
    if (at > 0 && chars > charsMax) break
    changes.push(changeOf(loaded[at]!.resource, JSON.parse(text)))
  }
  return { changes, total: latestOf(reader) - seq }
}

interface Shown {
  type: string
  record_id: string
  previous: Record<string, unknown> | null
  data: Record<string, unknown> | null
}

function changeOf(resource: Resource, { type, record_id, previous, data }: Shown): RecordChange {
  const title = resource.title.map((name) => data?.[name]).filter(Boolean)
  return {
    type,
    record_id,
    title: title.join(' '),
    fields: previous ? updated(resource, previous, data) : whole(resource, type, data),
  }
}

/** The items of a collection have another name in a record than in the log. */
function updated({ collections }: Resource, previous: Record<string, unknown>, data: Shown['data']) {
  const fields: RecordChange['fields'] = {}
  for (const [name, before] of Object.entries(previous)) {
    fields[name] = { before, after: data?.[collections[name]?.as ?? name] ?? null }
  }
  return fields
}

/** A record that is created, restored or deleted. */
function whole({ collections }: Resource, type: string, data: Shown['data']): RecordChange['fields'] {
  const isEnd = type.endsWith('.deleted') || type.endsWith('.erased')
  const names = new Map(Object.entries(collections).map(([name, { as }]) => [as, name]))
  const values = Object.entries(data ?? {}).filter(([name, value]) => name !== 'id' && !isEmpty(value))
  const shown = isEnd ? values : values.filter(([name]) => name !== 'created_at' && name !== 'updated_at')
  return Object.fromEntries(
    shown.map(([name, value]) => [
      names.get(name) ?? name,
      isEnd ? { before: value, after: null } : { before: null, after: value },
    ]),
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** Whether all that would change now still has the values that it had then. */
export function startsFrom(then: readonly RecordChange[], now: readonly RecordChange[]): boolean {
  return now.every(({ type, record_id, fields }) => {
    const isSame = (other: RecordChange) =>
      other.type === type && (other.record_id === record_id || type.endsWith('.created'))
    const former = then.find(isSame)?.fields
    if (!former) return false
    return Object.entries(fields).every(
      ([name, { before }]) => JSON.stringify(former[name]?.before ?? null) === JSON.stringify(before),
    )
  })
}
