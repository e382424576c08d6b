import { emailKey } from '../lib/email.ts'
import { equalTo, findAll, type Key, type ListRecords, memberOf, partsOf } from './find-references.ts'
import { type FileRecord, fullName } from './shape.ts'
import { splitName } from './values.ts'

const path = 'api-v1-contacts'

/**
 * What a row says for sure about the names of a person, if it has no first name, so that a new contact gets one that is only supposed: the
 * last name, or a single word that may be either name. undefined: nothing is supposed.
 */
export function sureNames(
  { [fullName]: full, first_name, last_name }: FileRecord,
  isForeign: boolean,
): FileRecord | undefined {
  if (first_name !== undefined) return undefined
  const isLastAlone = last_name !== undefined && (full === undefined ? isForeign : full === last_name)
  if (isLastAlone) return { last_name }
  const isWord = typeof full === 'string' && last_name === undefined && splitName(full).last_name === undefined
  return isWord ? {} : undefined
}

/**
 * Replaces supposed first names by those of the contacts that records are matched with, among them those of earlier records. `sure`: the
 * names that each record has for sure, if its first name is supposed.
 */
export async function withKnownNames(
  records: readonly FileRecord[],
  sure: readonly (FileRecord | undefined)[],
  matchOn: string | undefined,
  list: ListRecords,
): Promise<readonly FileRecord[]> {
  if (matchOn === undefined || sure.every((each) => each === undefined)) return records
  const keys = records.map((record) => keysOf(record, matchOn))
  const supposed = keys.filter((_, at) => sure[at] !== undefined)
  const found = await findAll(path, supposed.flat(), list)
  const idsOf = (own: readonly Key[]) => new Set(own.flatMap(([by, value]) => [...found(by, value)]))
  const contacts = await contactsOf([...idsOf(supposed.flat())], list)
  const earlier = new Map<string, FileRecord>()
  return records.map((record, at) => {
    const [id, ...others] = idsOf(keys[at]!)
    const places = keys[at]!.map(([by, value]) => (by === 'email' ? emailKey(value) : value))
    const repeated = places.map((each) => earlier.get(each)).find((each) => each !== undefined)
    const known = repeated ?? (id !== undefined && others.length === 0 ? contacts.get(id) : undefined)
    const settled = sure[at] && known ? renamed(record, sure[at], known) : record
    if (settled.first_name !== undefined) for (const each of places) earlier.set(each, settled)
    return settled
  })
}

function keysOf(record: FileRecord, matchOn: string): Key[] {
  const { emails } = record
  const values =
    matchOn === 'email'
      ? (Array.isArray(emails) ? emails : []).map((item: { email?: unknown }) => item.email)
      : [memberOf(record, matchOn)]
  return values.flatMap((value): Key[] =>
    typeof value === 'string' || typeof value === 'number' ? [[matchOn, String(value)]] : [],
  )
}

async function contactsOf(ids: readonly string[], list: ListRecords): Promise<Map<string, FileRecord>> {
  const contacts = new Map<string, FileRecord>()
  for (const part of partsOf(ids)) {
    const { data } = await list(path, equalTo('id', part))
    for (const contact of data) contacts.set(String(contact.id), contact)
  }
  return contacts
}

/** A contact that has got its supposed name stays as it is. */
function renamed(record: FileRecord, sure: FileRecord, known: FileRecord): FileRecord {
  if ((known.last_name ?? null) === null && known.first_name === record.first_name) return record
  const { last_name: _, ...others } = record
  return { ...others, first_name: known.first_name, ...sure }
}
