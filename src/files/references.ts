import { leaveOutDeleted, refersToDeleted } from './deleted-references.ts'
import { type Found, findAll, type Key, type ListRecords } from './find-references.ts'
import { readGroupForms } from './group-forms.ts'
import { peopleSteps, settlePeople } from './people.ts'
import type { FileRecord, NamedRelation, Shape } from './shape.ts'

/** Whether the path names the record of a relation: `organization.name`, `stage.name`, `contact.metadata.number`. */
export function isReference(shape: Shape, path: string): boolean {
  const { named } = shape
  if (peopleSteps(shape, path)) return true
  if (Object.values(named).some((each) => path === groupPath(each))) return true
  const [, relation = '', by = ''] = /^(\w+)\.(.+)$/.exec(path) ?? []
  return Object.hasOwn(named, relation) && (named[relation]!.by.includes(by) || /^metadata\.\w+$/.test(by))
}

/** The paths that name records of relations. */
export function referencePaths({ named }: Shape): string[] {
  return Object.entries(named).flatMap(([relation, each]) => [
    ...each.by.map((by) => `${relation}.${by}`),
    ...[groupPath(each)].filter((path) => path !== undefined),
  ])
}

/** The path that names the group of a related record: `pipeline.name`. */
function groupPath({ within }: NamedRelation): string | undefined {
  return within && `${within.name}.name`
}

/**
 * A record of a JSON file with its related records by name, as one of a table has them: those that our own NDJSON includes, and others
 * (`"stage": "Lead"`, `"stage": {"name": "Lead"}`). Collections get the names that bodies have. Returns undefined if there is nothing of it.
 */
export function namedRecord(shape: Shape, value: unknown): FileRecord | undefined {
  if (!isObject(value)) return undefined
  const record = { ...(value as FileRecord) }
  const included = Object.values(shape.relations).filter(
    (relation) => isObject(record[relation]) && 'id' in (record[relation] as object),
  )
  const collected = Object.entries(shape.collections).filter(([, { as }]) => Array.isArray(record[as]))
  const namesLinks = Object.keys(shape.links ?? {}).some((link) => Array.isArray(record[link]))
  const namesOthers = nameOthers(shape, record) || namesLinks || refersToDeleted(shape, record)
  if (included.length === 0 && collected.length === 0 && !namesOthers) return undefined
  for (const [name, { as }] of collected) {
    record[name] = (record[as] as unknown[]).map(withoutId)
    delete record[as]
  }
  for (const relation of included) {
    const names = Object.entries(record[relation] as FileRecord).filter(
      ([field, value]) => shape.named[relation]?.by.includes(field) && typeof value === 'string',
    )
    delete record[relation]
    if (names.length > 0) record[relation] = Object.fromEntries(names)
  }
  return record
}

/** An item as a body has it. What is no item is left to the server. */
function withoutId(item: unknown): unknown {
  if (!isObject(item)) return item
  const { id: _, ...others } = item as FileRecord
  return others
}

/** Makes objects of texts that name related records and their groups. Returns whether there are such names. What the server creates it reads itself. */
function nameOthers({ named }: Shape, record: FileRecord): boolean {
  const found = Object.entries(named).filter(([, { isCreated }]) => !isCreated)
  const names = found.flatMap(([relation, { by, within }]) => [
    [relation, by] as const,
    ...(within ? [[within.name, ['name']] as const] : []),
  ])
  for (const [name, by] of names) {
    const text = record[name]
    if (typeof text !== 'string') continue
    if (text.trim() === '') delete record[name]
    else record[name] = Object.fromEntries(by.map((each) => [each, text]))
  }
  const isNamed = (given: unknown, by: readonly string[]) =>
    isObject(given) && by.some((each) => typeof (given as FileRecord)[each] === 'string')
  return names.some(([name, by]) => isNamed(record[name], by))
}

/**
 * Replaces the names of related records by their ids (decision K4): of the record with a value of metadata, such as an account imported
 * before; of the one with the id, if it exists here; of the one with the name. A name of which the server creates what is missing is left to
 * the server. Returns the errors, by index.
 *
 * What refers to records by a `loose` path (`organization.metadata.salesforce_id`) keeps the value in its metadata if there is no such record.
 */
export async function settleReferences(
  shape: Shape,
  records: readonly FileRecord[],
  list: ListRecords,
  loose: readonly string[] = [],
): Promise<{ faults: Map<number, string>; unmatched: number; left: [index: number, id: string][] }> {
  const left = await leaveOutDeleted(shape, records, list, loose)
  const faults = new Map<number, string>()
  const fail = (index: number, fault: string) =>
    faults.set(index, faults.has(index) ? `${faults.get(index)}; ${fault}` : fault)
  const unmatched = await settlePeople(shape, records, { list, loose, fail })
  for (const [field, relation] of Object.entries(shape.relations)) {
    const named = Object.hasOwn(shape.named, relation) ? shape.named[relation] : undefined
    if (!named) continue
    const related = { field, relation, named }
    const naming = [...records.entries()].filter(([, record]) => isNaming(record, related))
    const own = loose.flatMap((path) => (path.startsWith(`${relation}.`) ? [path.slice(relation.length + 1)] : []))
    for (const group of await groupsOf(related, records, naming, { list, fail, loose })) {
      const keys = group.naming.map(([, record]) => keysOf(record, related))
      const found = await findAll(named.path, keys.flat(), group.list, own)
      for (const [at, [index, record]] of group.naming.entries()) {
        const [by, value] = keys[at]!.find(([by, value]) => own.includes(by) && found(by, value).size === 0) ?? []
        if (by !== undefined) {
          loosen(record, relation, by, value!)
          unmatched.add(index)
          if (!(relation in record)) continue
          keys[at] = keys[at]!.filter(([each]) => each !== by)
        }
        const fault = settle(record, related, keys[at]!, found)
        if (fault) fail(index, fault)
      }
    }
  }
  return { faults, unmatched: unmatched.size, left }
}

/** A relation by which records name others, and the field of its id. */
interface Related {
  field: string
  relation: string
  named: NamedRelation
}

type Entry = readonly [index: number, record: FileRecord]

interface Group {
  naming: readonly Entry[]
  list: ListRecords
}

/** The records that name a related record in the same group, and how to list that group; what names an unknown group fails. */
async function groupsOf(
  { field, relation, named }: Related,
  records: readonly FileRecord[],
  naming: readonly Entry[],
  { list, fail, loose }: { list: ListRecords; fail: (index: number, fault: string) => void; loose: readonly string[] },
): Promise<Group[]> {
  const { within } = named
  if (!within) return [{ naming, list }]
  const isLoose = loose.includes(`${within.name}.name`)
  const ungrouped = naming.map(([, record]) => record)
  await readGroupForms(ungrouped, { relation, path: named.path, within, list, isLoose })
  const names = new Map<number, string>()
  for (const [index, record] of records.entries()) {
    if (!isObject(record[within.name])) continue
    const { name } = record[within.name] as FileRecord
    delete record[within.name]
    if (typeof name !== 'string') continue
    names.set(index, name)
    if (!isNaming(record, { field, relation, named }) && typeof record[field] !== 'string')
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

function isNaming(record: FileRecord, related: Related): boolean {
  const name = record[related.relation]
  if (!isObject(name)) return false
  const isCreated = related.named.isCreated && Object.keys(name as object).some((each) => each !== 'metadata')
  return isCreated || keysOf(record, related).length > 0
}

function keysOf(record: FileRecord, { field, relation, named }: Related): Key[] {
  const { metadata, ...names } = record[relation] as { metadata?: Record<string, string> } & Record<string, string>
  const id = record[field]
  return [
    ...Object.entries(metadata ?? {}).flatMap(([key, value]): Key[] =>
      typeof value === 'string' ? [[`metadata.${key}`, value]] : [],
    ),
    ...(typeof id === 'string' ? [['id', id] as const] : []),
    ...(named.isCreated
      ? []
      : named.by.flatMap((by): Key[] => (typeof names[by] === 'string' ? [[by, names[by]]] : []))),
  ]
}

function settle(
  record: FileRecord,
  { field, relation, named }: Related,
  keys: readonly Key[],
  found: Found,
): string | undefined {
  const { noun, within, isCreated } = named
  const { metadata, ...names } = record[relation] as FileRecord
  delete record[relation]
  delete record[field]
  for (const [by, value] of keys) {
    const ids = found(by, value)
    const advice = within ? `: name the ${within.name}, too` : ''
    if (ids.size > 1) return `${relation}: Several ${noun}s have ${by} "${value}"${advice}`
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
  return `${relation}: No ${noun} has ${by} "${value}"`
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
