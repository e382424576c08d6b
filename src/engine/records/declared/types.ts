import { timestamp } from '../../../lib/clock.ts'
import { emailKey, isEmailAddress } from '../../../lib/email.ts'
import { parseDate, parseSpan } from '../../../lib/moment.ts'
import { fold, isWithin, phoneKey } from '../../../lib/text.ts'
import { parseUuid } from '../../../lib/uuid.ts'
import { parseWebUrl } from '../../../lib/web-url.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Condition, Filter, FilteredColumn } from '../definition/filter.ts'
import { dateFilter, flagFilter, momentFilter, numberFilter, rankFilter, userFilter } from '../kinds/filters.ts'
import { emailFilter, isPhoneNumber, phoneFilter, trimmedFilter } from '../kinds/text-filters.ts'
import { phoneFormsOf, phoneMarksOf } from '../phones/phone-forms.ts'
import { choicesFilter, ranksIn } from './chosen.ts'

/** The types of declared fields (decision J3). */
export const declaredTypes = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'choice',
  'url',
  'email',
  'phone',
  'choices',
  'user',
] as const
export type DeclaredType = (typeof declaredTypes)[number]

/** A longer text is not a value of any type, nor is one with a longer key: it would make the index large. */
const indexedTextMax = 2_048

type Key = string | number

interface Type {
  /** What the index compares and sorts by; undefined: the value is empty or of another type. */
  keyOf(value: unknown, options: readonly string[], reader: Reader): Key | undefined
  filterOf(options: readonly string[]): Filter
  /** Whether filters and sorts compare the text itself, too, which the index then stores. */
  exact?: boolean
  /** What the index stores as the text, if that is not the value; such values are not sorted. */
  textOf?(value: unknown, options: readonly string[]): string | null
}

const types: Record<DeclaredType, Type> = {
  text: { keyOf: (value) => textKey(value, fold), filterOf: () => trimmedFilter, exact: true },
  url: {
    keyOf: (value) => textKey(value, fold, (text) => parseWebUrl(text) !== undefined),
    filterOf: () => trimmedFilter,
    exact: true,
  },
  email: {
    keyOf: (value) => (typeof value === 'string' && isEmailAddress(value) ? emailKey(value) : undefined),
    filterOf: () => emailFilter,
  },
  phone: {
    keyOf: (value) => textKey(value, phoneKey, isPhoneNumber),
    filterOf: () => phoneFilter,
  },
  number: { keyOf: (value) => (typeof value === 'number' ? value : undefined), filterOf: () => numberFilter },
  boolean: { keyOf: (value) => (typeof value === 'boolean' ? Number(value) : undefined), filterOf: () => flagFilter },
  date: { keyOf: (value) => (typeof value === 'string' ? parseDate(value) : undefined), filterOf: () => dateFilter },
  datetime: {
    keyOf(value) {
      const span = typeof value === 'string' ? parseSpan(value) : undefined
      return span && timestamp(span.start)
    },
    filterOf: () => momentFilter,
  },
  choice: {
    keyOf(value, options) {
      const rank = options.indexOf(value as string)
      return rank === -1 ? undefined : rank
    },
    filterOf: rankFilter,
  },
  choices: {
    keyOf: (value, options) => ranksIn(value, options)?.length,
    textOf: (value, options) => JSON.stringify(ranksIn(value, options)),
    filterOf: choicesFilter,
  },
  user: { keyOf: (value, _, reader) => userIn(value, reader), filterOf: () => userFilter },
}

/** What the index stores of a value: its key, and its text if that is compared, too. Both are null for a value of another type. */
export interface Indexed {
  key: Key | null
  text: string | null
}

/** A declared field's type. */
interface Typed {
  readonly type: DeclaredType
  readonly options: readonly string[]
}

const none: Indexed = { key: null, text: null }

/** Text is trimmed (decision B6), though metadata keep it as it was sent. */
export function indexedOf(reader: Reader, { type, options }: Typed, given: unknown): Indexed {
  const value = typeof given === 'string' ? given.trim() : given
  const key = types[type].keyOf(value, options, reader)
  if (key === undefined) return none
  const { exact, textOf } = types[type]
  return { key, text: exact ? (value as string) : (textOf?.(value, options) ?? null) }
}

/** Only one record can have each of these of a unique field: values that share one are equal, as `eq` compares them (decision J3). */
export function identitiesOf(reader: Reader, type: DeclaredType, { key, text }: Indexed): readonly Key[] {
  if (key === null) return []
  return type === 'phone' ? phoneMarksOf(reader)(String(key)) : [text ?? key]
}

/** The condition on the columns of `field_value` for values that are equal to an indexed one. */
export function equalTo(reader: Reader, type: DeclaredType, { key, text }: Indexed): Condition {
  if (type === 'phone') {
    const keys = JSON.stringify(phoneFormsOf(reader)(String(key)))
    return { sql: '(key IN (SELECT value FROM json_each(?)))', params: [keys] }
  }
  return text === null ? { sql: 'key = ?', params: [key] } : { sql: '(key = ? AND text = ?)', params: [key, text] }
}

/** The filter of a type, and the columns of `field_value` that it compares. */
export function declaredFilter(type: DeclaredType, options: readonly string[]): { filter: Filter; on: FilteredColumn } {
  const column = types[type].exact || types[type].textOf ? 'text' : 'key'
  return { filter: types[type].filterOf(options), on: { column, key: 'key' } }
}

/** Whether a record can have several values of a type, which then are not sorted and not unique. */
export function hasSeveral(type: DeclaredType): boolean {
  return type === 'choices'
}

/** The columns of `field_value` by which lists sort. */
export function sortedBy(type: DeclaredType): readonly ('key' | 'text')[] {
  return types[type].exact ? ['key', 'text'] : ['key']
}

/** The id of a user of the company, also of a deactivated one. */
function userIn(value: unknown, reader: Reader): string | undefined {
  const id = typeof value === 'string' ? parseUuid(value) : undefined
  const sql = 'SELECT id FROM workspace_user WHERE workspace_id = :workspace AND id = ?'
  return id && reader.value<string>(sql, id)
}

function textKey(
  value: unknown,
  keyOf: (text: string) => string,
  accepts: (text: string) => boolean = () => true,
): string | undefined {
  if (typeof value !== 'string' || !isWithin(value, indexedTextMax) || !accepts(value)) return undefined
  const key = keyOf(value)
  return key.trim() === '' || !isWithin(key, indexedTextMax) ? undefined : key
}
