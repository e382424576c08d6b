import { pluralOf } from '../lib/plural.ts'
import { type Found, findAll, type Key, type ListRecords } from './find-references.ts'
import { readGroupForms } from './group-forms.ts'
import { peopleSteps, settlePeople } from './people.ts'
import type { FileRecord, Shape } from './shape.ts'

/** How a file names the record of a relation: the list that has it, and what it is found by, besides `metadata.<key>`. */
interface Named {
  readonly path: string
  readonly by: readonly string[]
  /** What a record may name besides, if several have the name: `pipeline: {name}` (decision T1). */
  readonly within?: { readonly name: string; readonly path: string; readonly field: string }
}

const named: Readonly<Record<string, Named>> = {
  organization: { path: 'api-v1-organizations', by: ['domain', 'name'] },
  contact: { path: 'api-v1-contacts', by: ['email'] },
  deal: { path: 'api-v1-deals', by: ['title'] },
  stage: {
    path: 'api-v1-stages',
    by: ['name'],
    within: { name: 'pipeline', path: 'api-v1-pipelines', field: 'pipeline_id' },
  },
  product: { path: 'api-v1-products', by: ['sku', 'name'] },
  assigned_user: { path: 'api-v1-users', by: ['email', 'full_name'] },
}

/** Whether the path names the record of a relation: `organization.name`, `stage.name`, `contact.metadata.number`. */
export function isReference(shape: Shape, path: string): boolean {
  const { relations } = shape
  if (peopleSteps(shape, path)) return true
  if (Object.values(relations).some((relation) => path === groupPath(relation))) return true
  const [, relation = '', by = ''] = /^(\w+)\.(.+)$/.exec(path) ?? []
  const isNamed = Object.hasOwn(named, relation) && Object.values(relations).includes(relation)
  return isNamed && (named[relation]!.by.includes(by) || /^metadata\.\w+$/.test(by))
}

/** The paths that name records of relations. */
export function referencePaths({ relations }: Shape): string[] {
  return Object.values(relations).flatMap((relation) => [
    ...(named[relation]?.by.map((by) => `${relation}.${by}`) ?? []),
    ...[groupPath(relation)].filter((path) => path !== undefined),
  ])
}

/** The path that names the group of a related record: `pipeline.name`. */
function groupPath(relation: string): string | undefined {
  const { within } = named[relation] ?? {}
  return within && `${within.name}.name`
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
  const fail = (index: number, fault: string) =>
    faults.set(index, faults.has(index) ? `${faults.get(index)}; ${fault}` : fault)
  unmatched += await settlePeople(shape, records, { list, loose, fail })
  for (const [field, relation] of Object.entries(shape.relations)) {
    if (!Object.hasOwn(named, relation)) continue
    const naming = [...records.entries()].filter(([, record]) => isObject(record[relation]))
    const isCreated = shape.name === 'contact' && relation === 'organization'
    const own = loose.flatMap((path) => (path.startsWith(`${relation}.`) ? [path.slice(relation.length + 1)] : []))
    for (const group of await groupsOf(relation, records, naming, { list, fail, loose })) {
      const keys = group.naming.map(([, record]) => keysOf(record, field, relation, isCreated))
      const found = await findAll(named[relation]!.path, keys.flat(), group.list, own)
      for (const [at, [index, record]] of group.naming.entries()) {
        const [by, value] = keys[at]!.find(([by, value]) => own.includes(by) && found(by, value).size === 0) ?? []
        if (by !== undefined) {
          loosen(record, relation, by, value!)
          unmatched++
          if (!(relation in record)) continue
          keys[at] = keys[at]!.filter(([each]) => each !== by)
        }
        const fault = settle(record, { field, relation, isCreated, keys: keys[at]! }, found)
        if (fault) fail(index, fault)
      }
    }
  }
  return { faults, unmatched }
}

type Entry = readonly [index: number, record: FileRecord]

interface Group {
  naming: readonly Entry[]
  list: ListRecords
}

/** The records that name a related record in the same group, and how to list that group; what names an unknown group fails. */
async function groupsOf(
  relation: string,
  records: readonly FileRecord[],
  naming: readonly Entry[],
  { list, fail, loose }: { list: ListRecords; fail: (index: number, fault: string) => void; loose: readonly string[] },
): Promise<Group[]> {
  const { within } = named[relation]!
  if (!within) return [{ naming, list }]
  const isLoose = loose.includes(`${within.name}.name`)
  const ungrouped = naming.map(([, record]) => record)
  await readGroupForms(ungrouped, { relation, path: named[relation]!.path, within, list, isLoose })
  const names = new Map<number, string>()
  for (const [index, record] of records.entries()) {
    if (!isObject(record[within.name])) continue
    names.set(index, String((record[within.name] as FileRecord).name))
    delete record[within.name]
    if (!isObject(record[relation]) && typeof record[`${relation}_id`] !== 'string')
      fail(index, `${within.name}: Name the ${relation}, too`)
  }
  const byName = Map.groupBy(naming, ([index]) => names.get(index))
  const found = await findAll(
    within.path,
    [...names.values()].map((name): Key => ['name', name]),
    list,
  )
  return [...byName].flatMap(([name, entries]): Group[] => {
    if (name === undefined) return [{ naming: entries, list }]
    const [id] = found('name', name)
    if (id !== undefined) {
      const listGroup: ListRecords = (path, query, isLoose) => list(path, { ...query, [within.field]: id }, isLoose)
      return [{ naming: entries, list: listGroup }]
    }
    if (isLoose) {
      for (const [, record] of entries)
        record.metadata = { [within.name]: name, ...(record.metadata as FileRecord | undefined) }
      return [{ naming: entries, list }]
    }
    for (const [index, record] of entries) {
      delete record[relation]
      fail(index, `${within.name}: No ${within.name} has name "${name}"`)
    }
    return []
  })
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
    const { within } = named[relation]!
    const advice = within ? `: name the ${within.name}, too` : ''
    if (ids.size > 1) return `${relation}: Several ${nounOf(relation)}s have ${by} "${value}"${advice}`
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
