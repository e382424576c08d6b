import { type Detail, validationError } from '../../../errors.ts'
import { nounsOf } from '../../../lib/plural.ts'
import { withoutCase } from '../../../lib/text.ts'
import type { Reader, SqlValue } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import { indexOf } from '../../records/columns.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { prefix, requireComplete } from '../../records/declared/find.ts'
import { identitiesOf } from '../../records/declared/types.ts'
import { indexedIn, lookupHolders } from '../../records/declared/values.ts'
import type { Row } from '../../records/definition/change.ts'
import { invalid, oneOf } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { keysOfValue, marksOfValue } from '../../records/rows/items.ts'
import type { Input } from '../../records/rows/validate.ts'
import { undeleted } from '../../records/select.ts'

/** How a body is matched with the records that exist (decision K2). */
export interface Matching {
  /** `email`, `domain`, `metadata.number` */
  readonly name: string
  /** What a body is compared by. Bodies without a common key match different records. */
  keysOf(reader: Reader, input: Input): readonly SqlValue[]
  /** The ids of the undeleted records that have a value of the body, the oldest first, at most `matchesMax`; undefined: it has none. */
  idsOf(reader: Reader, input: Input): string[] | undefined
  /** Throws VALIDATION_ERROR if a body has a value that can match nothing: each import of it would create another record. */
  requireType?(reader: Reader, input: Input): void
}

/** The maximum number of matches that are told apart. */
const matchesMax = 20

/** Whether bodies can be matched with records of a resource: not of activities, which never change. */
export function isMatchable({ operations }: Resource): boolean {
  return operations.includes('create') && operations.includes('patch')
}

/** What `match_on` can name. */
export function matchNames(resource: Resource, declared: readonly Declared[]): string[] {
  if (!isMatchable(resource)) return []
  return [...resource.matchedBy, ...declared.filter(({ isUnique }) => isUnique).map(({ key }) => prefix + key)]
}

/** What `match_on` can name, for the documentation. */
export function matchText({ matchedBy }: Resource): string {
  return [...matchedBy.map((name) => `\`${name}\``), '`metadata.<key>` of a unique declared field'].join(' or ')
}

/** The matching of this name; undefined: there is none. Throws SERVICE_UNAVAILABLE while a declared field is being indexed. */
export function matchingOn(resource: Resource, declared: readonly Declared[], name: string): Matching | undefined {
  const field = declared.find(({ key, isUnique }) => isUnique && prefix + key === name)
  if (field) return byDeclared(field, name)
  if (!resource.matchedBy.includes(name)) return undefined
  return Object.hasOwn(resource.itemFilters, name) ? byItems(resource, name) : byField(resource, name)
}

function byDeclared(declared: Declared, name: string): Matching {
  requireComplete(declared)
  return {
    name,
    keysOf: (reader, { values }) => declaredKeys(declared, reader, values),
    idsOf(reader, { values }) {
      const indexed = indexedIn(reader, JSON.parse(String(values.metadata)), declared)
      return indexed.key === null ? undefined : lookupHolders(reader, declared, indexed, matchesMax)
    },
    requireType(reader, { values }) {
      const metadata = JSON.parse(String(values.metadata))
      if (isBlank(metadata[declared.key]) || indexedIn(reader, metadata, declared).key !== null) return
      throw validationError([incomparable(declared, name, metadata[declared.key])])
    },
  }
}

/** Why a declared field cannot compare a value. */
function incomparable({ type, options }: Declared, name: string, value: unknown): Detail {
  if (type === 'choice') return invalid(name, oneOf(`${name} must be one of its options`, options))
  const isText = typeof value === 'string' && (type === 'text' || type === 'url')
  if (isText) return invalid(name, `${name} is too long to be compared`, 'TOO_LONG')
  return invalid(name, `${name} must be a value of the type ${type}`, 'INVALID_TYPE')
}

function isBlank(value: unknown): boolean {
  return (value ?? null) === null || (typeof value === 'string' && value.trim() === '')
}

/** What a declared field's value is compared by, if there is one. */
function declaredKeys(declared: Declared, reader: Reader, { metadata }: Row): readonly SqlValue[] {
  return identitiesOf(reader, declared.type, indexedIn(reader, JSON.parse(String(metadata)), declared))
}

/** The maximum number of items that are compared to tell matches apart. */
const comparedMax = 2_000

function byItems({ itemFilters, collections }: Resource, name: string): Matching {
  const { collection, field: itemField } = itemFilters[name]!
  const { table: items, owner, fields } = collections[collection]!
  const field = fields[itemField]!
  // The trash has every deleted record with items. Whether one is in it takes a lookup in a small table; its own row may be long.
  const sql = `SELECT DISTINCT ${owner} FROM (SELECT ${owner} FROM ${items}
      WHERE workspace_id = :workspace AND ${field.keyColumn} IN (SELECT value FROM json_each(?))
        AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = ${owner})
      LIMIT ${comparedMax})
    ORDER BY ${owner} LIMIT ${matchesMax}`
  return {
    name,
    keysOf: (reader, { items }) => items[collection]!.flatMap((item) => marksOfValue(field, reader, item[itemField])),
    idsOf(reader, { items }) {
      const keys = items[collection]!.flatMap((item) => keysOfValue(field, reader, item[itemField]))
      return keys.length === 0 ? undefined : reader.values<string>(sql, JSON.stringify(keys))
    },
  }
}

/** Text is compared without case, but with accents; a unique value as its uniqueness compares it. */
function byField(resource: Resource, name: string): Matching {
  const field = resource.columns[name]!
  const isExact = resource.caseMatters && name === resource.unique
  const compared = isExact ? name : `without_case(${name})`
  const sql = `SELECT id FROM ${indexed(resource.table, indexOf(resource, field))}
    WHERE ${undeleted} AND ${field.keyColumn} = ? AND ${compared} = ? ORDER BY id LIMIT ${matchesMax}`
  const keysOf = (_: Reader, { values }: Input) =>
    (values[name] ?? null) === null ? [] : [isExact ? values[name]! : withoutCase(String(values[name]))]
  return {
    name,
    keysOf,
    idsOf(reader, input) {
      const [key] = keysOf(reader, input)
      if (key === undefined) return undefined
      return reader.values<string>(sql, field.key!.of(String(input.values[name])), key)
    },
  }
}

/** The message that several records match. */
export function severalText(resource: Resource, by: string): string {
  return `Several ${nounsOf(resource)} have this ${wordsOf(resource, by)}`
}

/** What a body is matched by, in words: `contract number`, `metadata.number`. */
export function wordsOf({ columns }: Resource, name: string): string {
  return columns[name]?.label.toLowerCase() ?? name
}
