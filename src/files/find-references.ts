import { emailKey, isEmailAddress } from '../lib/email.ts'
import { pluralOf } from '../lib/plural.ts'
import { withoutCase } from '../lib/text.ts'
import type { FileRecord } from './shape.ts'

type ListQuery = Readonly<Record<string, string | number>>

/** Returns the records that a query matches, at most `listMax` of them, and their total. */
export type ListRecords = (
  path: string,
  query: ListQuery,
  /** Whether a key that is not declared finds nothing, and is no error. */
  isLoose?: boolean,
) => Promise<{ data: FileRecord[]; total: number }>

const listMax = 100
/** The number of values that one list is asked for. */
const valuesMax = 50

/** What a record is looked up by: a field, `id` or `metadata.<key>`, and its value. */
export type Key = readonly [by: string, value: string]

/** The ids of the records that have a value. */
export type Found = (by: string, value: string) => ReadonlySet<string>

/** Looks up the records of a list that have these values. Those of `loose` keys need not exist. */
export async function findAll(
  path: string,
  keys: readonly Key[],
  list: ListRecords,
  loose: readonly string[] = [],
): Promise<Found> {
  const ids = new Map<string, Set<string>>()
  const compared = (by: string, value: string) => (by === 'email' ? emailKey(value) : withoutCase(value))
  const placeOf = (by: string, value: string) => `${by} ${isExact(by) ? value : compared(by, value)}`
  const isFound = (by: string, value: string) => ids.has(placeOf(by, value))
  const ask = async (by: string, values: readonly string[], operator?: string): Promise<void> => {
    const { data, total } = await list(path, queryFor(path, by, values, operator), loose.includes(by))
    if (total > listMax && values.length > 1) {
      for (const value of values) await ask(by, [value])
      return
    }
    for (const record of data) {
      for (const text of textsOf(record, by)) {
        const place = placeOf(by, text)
        ids.set(place, (ids.get(place) ?? new Set()).add(String(record.id)))
      }
    }
  }
  for (const by of new Set(keys.map(([by]) => by))) {
    const values = [...new Set(keys.flatMap(([each, value]) => (each === by && canBe(by, value) ? [value] : [])))]
    for (const value of values.filter((each) => each.includes(','))) await ask(by, [value])
    const others = values.filter((each) => !each.includes(','))
    for (let first = 0; first < others.length; first += valuesMax) await ask(by, others.slice(first, first + valuesMax))
    if (isExact(by)) continue
    // The filters of names compare with case, except `like`, which finds names that contain the value.
    for (const value of values) if (!isFound(by, value)) await ask(by, [value], 'like')
  }
  return (by, value) => ids.get(placeOf(by, value)) ?? new Set()
}

/** A list filter takes several values separated by commas, so a value with a comma is asked for alone. */
function queryFor(path: string, by: string, values: readonly string[], operator?: string): ListQuery {
  const name = operator ? `filter[${by}][${operator}]` : values.length === 1 ? `filter[${by}]` : `filter[${by}][in]`
  return { [name]: values.join(), limit: listMax, ...(path === 'api-v1-contacts' && { include: 'emails' }) }
}

/** What is no address is that of no record, and a filter would refuse it. */
function canBe(by: string, value: string): boolean {
  return by !== 'email' || isEmailAddress(value)
}

/** Article numbers and ids of other programs are compared exactly, names and addresses without case. */
export function isExact(by: string): boolean {
  return by === 'id' || by === 'sku' || by.startsWith('metadata.')
}

function textsOf(record: FileRecord, by: string): string[] {
  if (by.startsWith('metadata.'))
    return [String((record.metadata as FileRecord | null)?.[by.slice('metadata.'.length)])]
  const emails = record.contact_emails as { email: string }[] | undefined
  return by === 'email' && emails ? emails.map(({ email }) => email) : [String(record[by])]
}

/** What to do if a list refuses a filter by a key of metadata: only declared fields can be looked up. */
export function undeclaredText(path: string, message: string): string | undefined {
  const [, key] = /^Unknown parameter "filter\[metadata\.(\w+)\]/.exec(message) ?? []
  return (
    key &&
    `${key} is not a declared field of ${pluralOf({ path })}: declare it in the settings of the console, or with POST /api-v1-fields`
  )
}
