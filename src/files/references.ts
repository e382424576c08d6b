import { pluralOf } from '../lib/plural.ts'
import { type Found, findAll, type Key, type ListRecords } from './find-references.ts'
import type { FileRecord, Shape } from './shape.ts'

/** How a file names the record of a relation: the list that has it, and what it is found by, besides `metadata.<key>`. */
interface Named {
  readonly path: string
  readonly by: readonly string[]
}

const named: Readonly<Record<string, Named>> = {
  organization: { path: 'api-v1-organizations', by: ['domain', 'name'] },
  contact: { path: 'api-v1-contacts', by: ['email'] },
  deal: { path: 'api-v1-deals', by: ['title'] },
  stage: { path: 'api-v1-stages', by: ['name'] },
  assigned_user: { path: 'api-v1-users', by: ['email', 'full_name'] },
}

/** Whether the path names the record of a relation: `organization.name`, `stage.name`, `contact.metadata.number`. */
export function isReference({ relations }: Shape, path: string): boolean {
  const [, relation = '', by = ''] = /^(\w+)\.(.+)$/.exec(path) ?? []
  const isNamed = Object.hasOwn(named, relation) && Object.values(relations).includes(relation)
  return isNamed && (named[relation]!.by.includes(by) || /^metadata\.\w+$/.test(by))
}

/** The paths that name records of relations. */
export function referencePaths({ relations }: Shape): string[] {
  return Object.values(relations).flatMap((relation) => named[relation]?.by.map((by) => `${relation}.${by}`) ?? [])
}

/**
 * Names the related records that a record of our own NDJSON includes, and gives its collections the names that bodies have. Returns
 * undefined for any other record.
 */
export function ownRecord(shape: Shape, value: unknown): FileRecord | undefined {
  if (!isObject(value)) return undefined
  const record = { ...(value as FileRecord) }
  const included = Object.values(shape.relations).filter(
    (relation) => isObject(record[relation]) && 'id' in (record[relation] as object),
  )
  const collected = Object.entries(shape.collections).filter(([, { as }]) => Array.isArray(record[as]))
  if (included.length === 0 && collected.length === 0) return undefined
  for (const [name, { as }] of collected) {
    record[name] = (record[as] as FileRecord[]).map(({ id: _, ...item }) => item)
    delete record[as]
  }
  for (const relation of included) {
    const by = Object.entries(record[relation] as FileRecord).find(([field]) => named[relation]?.by.includes(field))
    delete record[relation]
    if (by) record[relation] = Object.fromEntries([by])
  }
  return record
}

/**
 * Replaces the names of related records by their ids (decision K4): of the record with a value of metadata, such as an account imported
 * before; of the one with the id, if it exists here; of the one with the name. The name of a contact's organization is left to the server,
 * which creates those that are missing. Returns the errors, by index.
 *
 * What refers to records by a `loose` path (`organization.metadata.salesforce_id`) keeps the value in its metadata if there is no such record.
 */
export async function settleReferences(
  shape: Shape,
  records: readonly FileRecord[],
  list: ListRecords,
  loose: readonly string[] = [],
): Promise<{ faults: Map<number, string>; unmatched: number }> {
  let unmatched = 0
  const faults = new Map<number, string>()
  for (const [field, relation] of Object.entries(shape.relations)) {
    if (!Object.hasOwn(named, relation)) continue
    const naming = [...records.entries()].filter(([, record]) => isObject(record[relation]))
    const isCreated = shape.name === 'contact' && relation === 'organization'
    const keys = naming.map(([, record]) => keysOf(record, field, relation, isCreated))
    const own = loose.flatMap((path) => (path.startsWith(`${relation}.`) ? [path.slice(relation.length + 1)] : []))
    const found = await findAll(named[relation]!.path, keys.flat(), list, own)
    for (const [at, [index, record]] of naming.entries()) {
      const [by, value] = keys[at]!.find(([by, value]) => own.includes(by) && found(by, value).size === 0) ?? []
      if (by !== undefined) {
        loosen(record, relation, by, value!)
        unmatched++
        if (!(relation in record)) continue
        keys[at] = keys[at]!.filter(([each]) => each !== by)
      }
      const fault = settle(record, { field, relation, isCreated, keys: keys[at]! }, found)
      if (fault) faults.set(index, faults.has(index) ? `${faults.get(index)}; ${fault}` : fault)
    }
  }
  return { faults, unmatched }
}

/** Keeps what a record refers to as text: `metadata.salesforce_organization_id`. */
function loosen(record: FileRecord, relation: string, by: string, value: string): void {
  const key = by.replace(/^metadata\./, '').replace(/_id$/, '')
  const { metadata, ...others } = record[relation] as FileRecord
  const { [by.replace(/^metadata\./, '')]: _, ...rest } = metadata as FileRecord
  record.metadata = { [`${key}_${relation}_id`]: value, ...(record.metadata as FileRecord | undefined) }
  if (Object.keys(rest).length > 0) record[relation] = { metadata: rest, ...others }
  else if (Object.keys(others).length > 0) record[relation] = others
  else delete record[relation]
}

function keysOf(record: FileRecord, field: string, relation: string, isCreated: boolean): Key[] {
  const { metadata, ...names } = record[relation] as { metadata?: Record<string, string> } & Record<string, string>
  const id = record[field]
  return [
    ...Object.entries(metadata ?? {}).map(([key, value]): Key => [`metadata.${key}`, value]),
    ...(typeof id === 'string' ? [['id', id] as const] : []),
    ...(isCreated
      ? []
      : named[relation]!.by.flatMap((by): Key[] => (names[by] === undefined ? [] : [[by, names[by]]]))),
  ]
}

interface Settling {
  field: string
  relation: string
  isCreated: boolean
  keys: readonly Key[]
}

function settle(record: FileRecord, { field, relation, isCreated, keys }: Settling, found: Found): string | undefined {
  const { metadata, ...names } = record[relation] as FileRecord
  delete record[relation]
  delete record[field]
  for (const [by, value] of keys) {
    const ids = found(by, value)
    if (ids.size > 1) return `${relation}: Several ${nounOf(relation)}s have ${by} "${value}"`
    const [id] = ids
    if (id === undefined) continue
    record[field] = id
    return undefined
  }
  const [first] = Object.entries(names)
  if (isCreated && first) {
    record[relation] = Object.fromEntries([first])
    return undefined
  }
  const [by, value] = keys.at(-1)!
  return `${relation}: No ${nounOf(relation)} has ${by} "${value}"`
}

function nounOf(relation: string): string {
  return pluralOf(named[relation]!).slice(0, -1)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
