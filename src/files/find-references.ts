import { emailKey, isEmailAddress } from '../lib/email.ts'
import { pluralOf } from '../lib/plural.ts'
import { withoutCase } from '../lib/text.ts'
import type { FileRecord } from './shape.ts'

export type ListQuery = Readonly<Record<string, string | number>>

/** Returns the records that a query matches, at most `listMax` of them, and their total. */
export type ListRecords = (
  path: string,
  query: ListQuery,
  /** Whether a key that is not declared finds nothing, and is no error. */
  isLoose?: boolean,
) => Promise<{ data: FileRecord[]; total: number }>

export const listMax = 100
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
  const known = new Map<string, Holders>()
  const holdersOf = (by: string) => {
    const holders = known.get(by) ?? new Holders(isExact(by))
    known.set(by, holders)
    return holders
  }
  const textOf = (by: string, text: string) => (by === 'email' ? emailKey(text) : text)
  const ask = async (by: string, values: readonly string[], query: ListQuery): Promise<void> => {
    const include = path === 'api-v1-contacts' && { include: 'emails' }
    const { data, total } = await list(path, { ...query, limit: listMax, ...include }, loose.includes(by))
    if (total > listMax && values.length > 1) {
      for (const value of values) await ask(by, [value], equalTo(by, [value]))
      return
    }
    for (const record of data) {
      for (const text of textsOf(record, by)) holdersOf(by).add(textOf(by, text), String(record.id))
    }
  }
  for (const by of new Set(keys.map(([by]) => by))) {
    const values = [...new Set(keys.flatMap(([each, value]) => (each === by && canBe(by, value) ? [value] : [])))]
    for (const part of partsOf(values)) await ask(by, part, equalTo(by, part))
    if (isExact(by) || by === 'email') continue
    // These filters of names compare with case.
    for (const value of values) if (!holdersOf(by).hasExact(value)) await ask(by, [value], foldedTo(by, value))
  }
  return (by, value) => holdersOf(by).find(textOf(by, value))
}

/** The ids of records by a text that they have. */
export class Holders {
  readonly #ids = new Map<string, Map<string, Set<string>>>()
  readonly #isExact: boolean

  constructor(isExact = false) {
    this.#isExact = isExact
  }

  add(text: string, id: string): void {
    const key = this.#keyOf(text)
    const texts = this.#ids.get(key) ?? new Map<string, Set<string>>()
    this.#ids.set(key, texts.set(text, (texts.get(text) ?? new Set()).add(id)))
  }

  hasExact(text: string): boolean {
    return this.#ids.get(this.#keyOf(text))?.has(text) ?? false
  }

  /** Those that have exactly this text; if there are none, those that have it in another case. */
  find(text: string): ReadonlySet<string> {
    const texts = this.#ids.get(this.#keyOf(text)) ?? new Map<string, Set<string>>()
    return texts.get(text) ?? new Set([...texts.values()].flatMap((ids) => [...ids]))
  }

  #keyOf(text: string): string {
    return this.#isExact ? text : withoutCase(text)
  }
}

/** Divides values for lists. A filter takes several values separated by commas, so a value with a comma or a backslash is asked for alone. */
export function partsOf(values: readonly string[]): string[][] {
  const { alone = [], others = [] } = Object.groupBy(values, (each) => (/[,\\]/.test(each) ? 'alone' : 'others'))
  const count = Math.ceil(others.length / valuesMax)
  return [
    ...alone.map((each) => [each]),
    ...Array.from({ length: count }, (_, at) => others.slice(at * valuesMax, (at + 1) * valuesMax)),
  ]
}

export function equalTo(by: string, values: readonly string[]): ListQuery {
  return { [values.length === 1 ? `filter[${by}]` : `filter[${by}][in]`]: values.join() }
}

/** Regardless of case and accents. */
export function foldedTo(by: string, value: string): ListQuery {
  return { [`filter[${by}][gte]`]: value, [`filter[${by}][lte]`]: value }
}

/** What is no address is that of no record, and a filter would refuse it; `null` means empty to filters. */
export function canBe(by: string, value: string): boolean {
  return value !== 'null' && (by !== 'email' || isEmailAddress(value))
}

/** Article numbers and ids of other programs are compared exactly, names and addresses without case. */
export function isExact(by: string): boolean {
  return by === 'id' || by === 'sku' || by.startsWith('metadata.')
}

/** The member that a key names: `sku`, `metadata.hubspot_id`. */
export function memberOf(record: FileRecord, by: string): unknown {
  const [, key] = /^metadata\.(.+)$/.exec(by) ?? []
  return key === undefined ? record[by] : (record.metadata as FileRecord | null | undefined)?.[key]
}

function textsOf(record: FileRecord, by: string): string[] {
  const emails = record.contact_emails as { email: string }[] | undefined
  return by === 'email' && emails ? emails.map(({ email }) => email) : [String(memberOf(record, by))]
}

/** What to do if a list refuses a filter by a key of metadata: only declared fields can be looked up. */
export function undeclaredText(path: string, message: string): string | undefined {
  const [, key] = /^Unknown parameter "filter\[metadata\.(\w+)\]/.exec(message) ?? []
  return (
    key &&
    `${key} is not a declared field of ${pluralOf({ path })}: declare it in the settings of the console, or with POST /api-v1-fields`
  )
}
