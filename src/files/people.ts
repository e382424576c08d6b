import {
  canBe,
  equalTo,
  findAll,
  foldedTo,
  Holders,
  type Key,
  type ListQuery,
  type ListRecords,
  listMax,
  partsOf,
} from './find-references.ts'
import { addressesIn } from './items.ts'
import type { FileRecord, Shape } from './shape.ts'

// People of a deal: `contacts:name` is a cell with their names, `contacts:email` with addresses, `contacts:metadata.hubspot_id` with ids of
// another program. `contacts.id`, `contacts[1].role` are columns of our own files; `contacts[1].metadata.kontor_id` is the id in another company.

const path = 'api-v1-contacts'
const parts = new Set(['id', 'email', 'name', 'first_name', 'last_name', 'role'])
const peopleMax = 100

/** Where the cells of a column of people go; undefined: the path names none. */
export function peopleSteps({ links = {} }: Shape, given: string): (string | number)[] | undefined {
  const [, list = '', by = ''] = /^(\w+):(name|email|metadata\.\w+)$/.exec(given) ?? []
  if (Object.hasOwn(links, list)) return [list, 'new', by]
  const [, name = '', index = '0', part = ''] = /^(\w+)(?:\[(\d{1,2})\])?\.(\w+|metadata\.\w+)$/.exec(given) ?? []
  const isPart = parts.has(part) || part.startsWith('metadata.')
  return Object.hasOwn(links, name) && isPart ? [name, Number(index), ...part.split('.')] : undefined
}

/** The paths of columns of people, for messages and for selects. */
export function peoplePaths({ links = {} }: Shape): string[] {
  return Object.keys(links).flatMap((name) => [`${name}:name`, `${name}:email`, `${name}.id`, `${name}.role`])
}

/** A person as a file names one: by the first of these keys that finds one. */
interface Named {
  keys: Key[]
  role: unknown
  /** The id of the contact in the file. */
  id: unknown
  /** Whether our own file names it: by an id, perhaps by that which it had in another company. */
  isOwn: boolean
}

interface Settling {
  list: ListRecords
  loose: readonly string[]
  fail(index: number, fault: string): void
}

/**
 * Replaces the people of deals by the ids of contacts. The first one becomes the contact of a deal without one. Those whom a `loose` path
 * names and nobody is stay in the metadata. Returns the indexes of records that have only such.
 */
export async function settlePeople(
  { links = {} }: Shape,
  records: readonly FileRecord[],
  { list, loose, fail }: Settling,
): Promise<Set<number>> {
  const unmatched = new Set<number>()
  for (const link of Object.keys(links)) {
    const rows = [...records.entries()].flatMap(([index, record]) =>
      Array.isArray(record[link]) ? [{ index, record, people: peopleIn(record[link]) }] : [],
    )
    const keys = rows.flatMap(({ people }) => people.flatMap((each) => each.keys))
    const isLoose = (by: string) => loose.includes(`${link}:${by}`)
    const undeclared = keys.flatMap(([by]) => (isLoose(by) ? by : []))
    const known = await findAll(
      path,
      keys.filter(([by]) => by !== 'name'),
      list,
      undeclared,
    )
    const byName = await findNames(
      keys.flatMap(([by, value]) => (by === 'name' ? value : [])),
      list,
    )
    const found = ([by, value]: Key) => [...(by === 'name' ? byName.find(value) : known(by, value))]
    for (const { index, record, people } of rows) {
      const { settled, missing, several } = settle(people, found)
      const faults = [...several, ...missing.filter(([by]) => !isLoose(by))]
      for (const [by, value] of faults)
        fail(index, `${link}: ${several.length > 0 ? 'Several contacts have' : 'No contact has'} ${by} "${value}"`)
      for (const [by, value] of missing.filter(([by]) => isLoose(by))) keep(record, by, value)
      if (missing.length > 0 && faults.length === 0 && settled.length === 0) unmatched.add(index)
      const own = people.find(({ id }) => id !== undefined && id === record.contact_id)
      const key = own?.keys.find((each) => found(each).length > 0)
      const contact = own ? key && found(key)[0] : record.contact_id
      delete record[link]
      if (settled.length === 0) continue
      record[link] = settled
      // Our own files name people by their ids, and say apart who is the first one.
      const first = people.some(({ isOwn }) => isOwn) ? contact : (contact ?? settled[0]!.id)
      if (record.contact === undefined && first !== undefined) record.contact_id = first
    }
  }
  return unmatched
}

function peopleIn(items: readonly unknown[]): Named[] {
  return items.flatMap((item): Named[] => {
    if (typeof item !== 'object' || item === null) return []
    const { id, metadata, email, first_name, last_name, role, name, ...others } = item as Record<string, unknown>
    const full = [first_name, last_name].filter(Boolean).join(' ')
    const ids = Object.entries(metadata ?? {}).map(([key, text]): Key => [`metadata.${key}`, String(text)])
    if (typeof id === 'string') ids.push(['id', id])
    const own: Key[] = [
      ...ids,
      ...(typeof email === 'string' && ids.length > 0 ? [['email', email] as const] : []),
      ...(full === '' ? [] : [['name', full] as const]),
    ]
    const listed = [
      ...textsIn(name).map(keyOfName),
      ...(ids.length === 0 && typeof email === 'string' ? addressesIn(email).map((each): Key => ['email', each]) : []),
      ...Object.entries(others)
        .filter(([by]) => by.startsWith('metadata.'))
        .flatMap(([by, text]) => textsIn(text).map((each): Key => [by, each])),
    ]
    return [
      ...(own.length > 0 ? [{ keys: own, role, id, isOwn: ids.length > 0 }] : []),
      ...listed.map((key) => ({ keys: [key], role: undefined, id: undefined, isOwn: false })),
    ].slice(0, peopleMax)
  })
}

function textsIn(text: unknown): string[] {
  if (typeof text !== 'string') return []
  return text.split(';').flatMap((each) => each.trim() || [])
}

/** `Ada Weber (ada@mueller.example)` is known by the address. */
function keyOfName(text: string): Key {
  const [email] = /[^\s<>()]+@[^\s<>()]+/.exec(text) ?? []
  return email === undefined ? ['name', text] : ['email', email]
}

/** The people by their contacts, once each. A name that nobody has is none if another column has named somebody by an id. */
function settle(people: readonly Named[], found: (key: Key) => string[]) {
  const settled = new Map<string, FileRecord>()
  const [missing, several]: [Key[], Key[]] = [[], []]
  for (const { keys, role } of people) {
    const key = keys.find((each) => found(each).length > 0)
    if (!key) missing.push(keys.at(-1)!)
    else if (found(key).length > 1) several.push(key)
    else {
      const [id] = found(key) as [string]
      settled.set(id, { id, ...(role !== undefined && { role }), ...settled.get(id) })
    }
  }
  return { settled: [...settled.values()], missing, several }
}

/** Keeps whom a file names as text: `metadata.contact`, `metadata.hubspot_contact_ids`. */
function keep(record: FileRecord, by: string, value: string): void {
  const key = by.startsWith('metadata.') ? `${by.slice('metadata.'.length).replace(/_id$/, '')}_contact_ids` : 'contact'
  const { [key]: before, ...metadata } = (record.metadata ?? {}) as FileRecord
  record.metadata = { ...metadata, [key]: before === undefined ? value : `${before}; ${value}` }
}

/** The contacts with these full names. */
async function findNames(given: readonly string[], list: ListRecords): Promise<Holders> {
  const holders = new Holders()
  const frequent = new Set<string>()
  const ask = async (query: ListQuery): Promise<boolean> => {
    const { data, total } = await list(path, { ...query, limit: listMax })
    for (const { id, first_name, last_name } of data)
      holders.add([first_name, last_name].filter(Boolean).join(' '), String(id))
    return total <= listMax
  }
  const askAll = async (by: string, values: readonly string[]): Promise<void> => {
    for (const part of partsOf([...new Set(values.filter((value) => canBe(by, value)))])) {
      if (await ask(equalTo(by, part))) continue
      for (const value of part) if (!(await ask(equalTo(by, [value])))) frequent.add(value)
    }
  }
  const names = [...new Set(given.filter((name) => canBe('name', name)))].map((name) => {
    const words = name.split(/\s+/)
    return { name, words, lasts: words.slice(1).map((_, at) => words.slice(at + 1).join(' ')) }
  })
  await askAll(
    'last_name',
    names.flatMap(({ lasts }) => lasts),
  )
  await askAll(
    'first_name',
    names.map(({ name }) => name),
  )
  // These filters compare with case, and do not find all who have a frequent name.
  for (const { name, words, lasts } of names) {
    if (holders.hasExact(name) && ![name, ...lasts].some((each) => frequent.has(each))) continue
    if (words.length > 1) await ask({ 'filter[first_name][like]': words[0]!, 'filter[last_name][like]': words.at(-1)! })
    await ask(foldedTo('first_name', name))
  }
  return holders
}
