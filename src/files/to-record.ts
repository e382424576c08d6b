import { isRawNumber } from '../lib/exact-json.ts'
import { Ambiguous, ColumnHints, type Hint } from './column-hints.ts'
import { currenciesOf } from './currencies.ts'
import { addressesIn, notPhone, phonesIn } from './items.ts'
import { type FileRecord, fullName, type Shape } from './shape.ts'
import { sureNames } from './sure-names.ts'
import { newItem, type Target, targetOf } from './target.ts'
import { isNoValue, isPlaceholder, isRounded, isSpreadsheetError, tidy } from './tidy.ts'
import { splitName } from './values.ts'

/** What becomes of a row. */
interface Made {
  readonly record: FileRecord
  /** Cells that may mean two things or contradict a heading, and keys without all their digits: the row cannot be imported. */
  readonly faults: readonly CellFault[]
  /** Texts that are no values and were left out: `n/a`, and the reason. */
  readonly left: readonly LeftOut[]
  /** The names that the row has for sure, if the first name is only supposed. */
  readonly sure: FileRecord | undefined
}

export interface CellFault {
  readonly field: string
  readonly error: string
  /** What would decide; undefined: nothing. */
  readonly lacks?: keyof Hint | undefined
}

export interface LeftOut {
  readonly text: string
  /** undefined: it stands for nothing. */
  readonly reason: string | undefined
}

interface Making {
  readonly paths: readonly (string | undefined)[]
  /** Whether another program wrote the file. */
  readonly isForeign: boolean
  /** Paths of which a record has one value, and whose cells may hold several, separated by `;`. */
  readonly several?: readonly string[]
  /** What the columns say; default: nothing. */
  readonly hints?: ColumnHints
}

/** Returns a function that makes the record of a row. Empty cells are left out. */
export function recordMaker(shape: Shape, { paths, isForeign, several = [], hints = new ColumnHints() }: Making) {
  const targets = paths.map((path) => (path === undefined || path === '' ? undefined : targetOf(shape, path)))
  const stated = targets.find((target) => target?.currency !== undefined)?.currency
  const hasLastName = paths.includes('last_name')
  return (cells: readonly string[]): Made => {
    const record: FileRecord = {}
    const faults: CellFault[] = []
    const left: LeftOut[] = []
    let hasAmount = false
    for (const [index, target] of targets.entries()) {
      const cell = tidy(cells[index] ?? '')
      if (!target || cell === '') continue
      const value = isNothing(target, cell) ? undefined : target.read(cell, hints.of(index))
      if (value === undefined) {
        left.push({ text: cell, reason: undefined })
        continue
      }
      if (value instanceof Ambiguous) {
        faults.push({ field: paths[index]!, error: value.message, lacks: value.lacks })
      } else if (target.isKey && isRounded(cell)) {
        faults.push({ field: paths[index]!, error: roundedText(cell) })
      } else if (several.includes(paths[index]!) && /\S\s*;\s*\S/.test(cell)) {
        faults.push({ field: paths[index]!, error: `${cell} may name several, and a record has one: write that one` })
      }
      const given = value instanceof Ambiguous ? cell : value
      const other = contradicted(record, target, given)
      if (other !== undefined)
        faults.push({ field: paths[index]!, error: `${cell} contradicts another column, which says ${other}` })
      put(record, target, given)
      if (target.currency !== undefined) hasAmount = true
    }
    const { currency: given } = record
    if (stated !== undefined && (hasAmount || given !== undefined)) {
      const isNone = given === undefined || isNoValue(`${given}`)
      const isOther = !isNone && !currenciesOf(`${given}`).includes(stated)
      if (!isOther) record.currency = stated
      else if (hasAmount)
        faults.push({ field: 'currency', error: `${given} contradicts the heading, which says ${stated}` })
    }
    for (const [name, { fields }] of Object.entries(shape.collections)) {
      if (!Array.isArray(record[name])) continue
      const items = itemsOf(record[name], fields[0]!, left)
      if (items.length > 0) record[name] = items
      else delete record[name]
    }
    return { record: named(record, isForeign, hasLastName), faults, left, sure: sureNames(record, isForeign) }
  }
}

function isNothing({ isStrict, isKey }: Target, cell: string): boolean {
  return isSpreadsheetError(cell) || (isStrict === true && isNoValue(cell)) || (isKey === true && isPlaceholder(cell))
}

/** Different records have the same rounded number. */
function roundedText(cell: string): string {
  return `${cell} was rounded by a spreadsheet: format its column as text, and export the file again`
}

/** What another column has given for the same number or flag, if it is something else. */
function contradicted(record: FileRecord, { steps }: Target, value: unknown): string | undefined {
  if (steps[1] === newItem) return undefined
  const before = steps.reduce<unknown>((into, step) => (into as FileRecord | undefined)?.[step], record)
  const isSingle = (each: unknown) => ['number', 'boolean'].includes(typeof each) || isRawNumber(each)
  const [one, other] = [before, value].map((each) => JSON.stringify(each))
  return before !== undefined && (isSingle(before) || isSingle(value)) && one !== other ? one : undefined
}

function put(record: FileRecord, { steps, type }: Target, value: unknown): void {
  if (steps[1] !== newItem) {
    place(record, steps, value)
    return
  }
  const [name, , field] = steps as string[]
  const items = Array.isArray(record[name!]) ? (record[name!] as unknown[]) : []
  record[name!] = [...items, { [field!]: value, type }]
}

/** A second text for the same place follows the first after a space; an object is merged into one that is there. */
// biome-ignore lint/suspicious/noExplicitAny: an object or a list, by the next step
function place(into: any, [step, ...rest]: Target['steps'], value: unknown): void {
  const before = into[step!]
  const isContainer = typeof before === 'object' && before !== null
  if (rest.length > 0) {
    if (!isContainer) into[step!] = typeof rest[0] === 'number' ? [] : {}
    place(into[step!], rest, value)
    return
  }
  if (isContainer && typeof value === 'object' && value !== null && !Array.isArray(before)) {
    into[step!] = { ...value, ...before }
  } else into[step!] = typeof before === 'string' && typeof value === 'string' ? `${before} ${value}` : value
}

/** The addresses or numbers in a cell, by the field that has them. */
const listed: Readonly<Record<string, (cell: string) => string[]>> = { email: addressesIn, phone_number: phonesIn }

/**
 * One item for each address or number of a cell, without repetitions, without what is none, and without items that have only a type. Items
 * of anything else are as their cells have them.
 */
function itemsOf(items: readonly unknown[], { name: field }: { name: string }, left: LeftOut[]): unknown[] {
  const valuesIn = Object.hasOwn(listed, field) ? listed[field]! : undefined
  if (!valuesIn) return items.filter((item) => item !== undefined)
  const seen = new Set<string>()
  const isGiven = (item: unknown): item is FileRecord => typeof item === 'object' && item !== null
  return items.filter(isGiven).flatMap((item) => {
    if (typeof item[field] !== 'string') return field in item ? [item] : []
    const values = valuesIn(item[field]).filter((value) => {
      const isEmpty = isNoValue(value)
      const reason = isEmpty || field !== 'phone_number' ? undefined : notPhone(value)
      if (isEmpty || reason) {
        left.push({ text: value, reason })
        return false
      }
      const isNew = !seen.has(value.toLowerCase())
      seen.add(value.toLowerCase())
      return isNew
    })
    return values.map((value, at) => ({
      ...item,
      [field]: value,
      ...(at > 0 && item.is_primary === true && { is_primary: false }),
    }))
  })
}

/**
 * Splits a full name, unless there is a first name. Beside a first name without a column of last names, it is the last name, or ends with
 * it. A person of another program that has only a last name gets it as the first name.
 */
function named({ [fullName]: full, ...record }: FileRecord, isForeign: boolean, hasLastName: boolean): FileRecord {
  const { first_name: first, last_name: last } = record
  if (typeof full === 'string' && first === undefined) {
    const { first_name, last_name } = splitName(full)
    if (last === undefined || last === last_name) return { first_name, ...(last_name && { last_name }), ...record }
    return { first_name: full.endsWith(` ${last}`) ? full.slice(0, -`${last}`.length - 1) : full, ...record }
  }
  if (typeof full === 'string' && typeof first === 'string' && last === undefined && !hasLastName) {
    const last_name = lastNameIn(full, first)
    return { ...record, ...(last_name !== '' && { last_name }) }
  }
  if (!isForeign || first !== undefined || last === undefined) return record
  const { last_name, ...rest } = record
  return { first_name: last_name, ...rest }
}

/** The last name in `Muster`, `Max Muster` and `Muster, Max`. */
function lastNameIn(full: string, first: string): string {
  if (full === first) return ''
  if (full.startsWith(`${first} `)) return full.slice(first.length + 1).trim()
  const [before = '', after] = full.split(',').map(tidy)
  return after === first ? before : full
}

/** Whether a row is marked as deleted. */
export function isDeleted(cells: readonly string[], column: number | undefined): boolean {
  return column !== undefined && /^(?:1|true)$/i.test(cells[column]?.trim() ?? '')
}
