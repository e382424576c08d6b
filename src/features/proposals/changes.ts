import type { Resource } from '../../engine/records/definition/resource.ts'

/** What a request changes in one record. */
export interface RecordChange {
  /** `contact.updated` */
  type: string
  record_id: string
  title: string
  /** The values before and after, by field. Null: there is none. */
  fields: Record<string, { before: unknown; after: unknown }>
}

export interface ShownChange {
  type: string
  record_id: string
  previous: Record<string, unknown> | null
  data: Record<string, unknown> | null
}

/** A change of the log, given as it shows it. */
export function changeOf(resource: Resource, { type, record_id, previous, data }: ShownChange): RecordChange {
  const title = resource.title.map((name) => data?.[name]).filter(Boolean)
  return {
    type,
    record_id,
    title: title.join(' '),
    fields: previous ? updated(resource, previous, data) : whole(resource, type, data),
  }
}

/** The items of a collection have another name in a record than in the log. */
function updated({ collections }: Resource, previous: Record<string, unknown>, data: ShownChange['data']) {
  const fields: RecordChange['fields'] = {}
  for (const [name, before] of Object.entries(previous)) {
    fields[name] = { before, after: data?.[collections[name]?.as ?? name] ?? null }
  }
  return fields
}

/** A record that is created, restored or deleted. */
function whole({ collections }: Resource, type: string, data: ShownChange['data']): RecordChange['fields'] {
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

/**
 * What changes start from: each record that exists, and the former values of its fields, or only of some. The types of the changes do not
 * count, because they depend on the other fields: a deal that moves to another stage is not `deal.updated`.
 */
export function startOf(changes: readonly RecordChange[], only?: readonly string[]): string {
  const starts = changes.map(({ type, record_id, fields }) => {
    if (type.endsWith('.created')) return 'new'
    const compared = Object.entries(fields).filter(([name]) => !only || only.includes(name))
    return compared.map(([name, { before }]) => [record_id, name, before])
  })
  return JSON.stringify(starts.filter(({ length }) => length > 0))
}
