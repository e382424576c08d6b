import { type FileRecord, fullName, type Shape } from './shape.ts'
import { newItem, type Target, targetOf } from './target.ts'
import { splitName } from './values.ts'

/** `;` or ` ::: ` between several values of a cell, but not in front of the extension of a phone number. */
const betweenValues = /\s*:::\s*|\s*;(?!\s*ext=)\s*/

const betweenAddresses = /\s*(?::::|[;,])\s*/

/** Whether a text is a list of email addresses, which a comma may separate. */
function isAddresses(text: string): boolean {
  return text.split(',').every((part) => part.includes('@'))
}

/** Returns a function that makes the record of a row. Empty cells are left out. */
export function recordMaker(shape: Shape, paths: readonly (string | undefined)[], isForeign: boolean) {
  const targets = paths.map((path) => (path === undefined || path === '' ? undefined : targetOf(shape, path)))
  return (cells: readonly string[]): FileRecord => {
    const record: FileRecord = {}
    for (const [index, target] of targets.entries()) {
      const cell = cells[index]?.trim() ?? ''
      if (target && cell !== '') put(record, target, cell)
    }
    for (const [name, { fields }] of Object.entries(shape.collections)) {
      if (Array.isArray(record[name])) record[name] = itemsOf(record[name], fields[0]!.name)
    }
    return named(record, isForeign)
  }
}

function put(record: FileRecord, { steps, type, read }: Target, cell: string): void {
  const value = read(cell)
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

/** One item for each value of a cell, without repetitions and without items that have only a type. */
function itemsOf(items: readonly unknown[], field: string): unknown[] {
  const seen = new Set<string>()
  const isGiven = (item: unknown): item is FileRecord => typeof item === 'object' && item !== null
  return items.flatMap((item) => {
    if (!isGiven(item) || typeof item[field] !== 'string')
      return isGiven(item) && !(field in item) ? [] : [item].filter(isGiven)
    const values = item[field].split(isAddresses(item[field]) ? betweenAddresses : betweenValues).filter((value) => {
      const isNew = value !== '' && !seen.has(value.toLowerCase())
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

/** Splits a full name, unless there is a first name. A person of another program that has only a last name gets it as the first name. */
function named({ [fullName]: full, ...record }: FileRecord, isForeign: boolean): FileRecord {
  if (typeof full === 'string' && record.first_name === undefined) {
    const { first_name, last_name } = splitName(full)
    if (record.last_name === undefined) return { first_name, ...(last_name && { last_name }), ...record }
    return {
      first_name: full.endsWith(` ${record.last_name}`) ? full.slice(0, -`${record.last_name}`.length - 1) : full,
      ...record,
    }
  }
  if (!isForeign || record.first_name !== undefined || record.last_name === undefined) return record
  const { last_name, ...rest } = record
  return { first_name: last_name, ...rest }
}

/** Whether a row is marked as deleted. */
export function isDeleted(cells: readonly string[], column: number | undefined): boolean {
  return column !== undefined && /^(?:1|true)$/i.test(cells[column]?.trim() ?? '')
}
