import { ConfigError } from '../../config.ts'
import type { Resource } from '../../engine/definition/define.ts'
import { fold } from '../../lib/text.ts'

/** What a column is imported into: a field, an item's field (`emails[0].email`), a key of metadata, or a complete list or object as JSON. */
interface Target {
  /** The path in the record: `['first_name']`, `['emails', 0, 'email']` or `['metadata', 'source']`. */
  readonly steps: readonly (string | number)[]
  read(cell: string): unknown
}

export interface Columns {
  readonly header: readonly string[]
  /** The names of the columns that are not imported. */
  readonly ignored: readonly string[]
  /** The record of a line of cells. Empty cells are omitted. */
  recordOf(cells: readonly string[]): Record<string, unknown>
}

/** The column with the reason in a file of failed rows. It is ignored when the file is imported again. */
export const reasonColumn = 'import_error'

const flags: Record<string, boolean> = { true: true, yes: true, '1': true, false: false, no: false, '0': false }

/** Matches the columns of a header with fields: by `maps` (`E-mail=emails.email`), otherwise by name. Throws ConfigError. */
export function mapColumns(resource: Resource, header: readonly string[], maps: readonly string[]): Columns {
  const mapped = new Map(maps.map((map) => readMap(map, header)))
  const targets = header.map((name, index) =>
    mapped.has(index) ? explicitTarget(resource, mapped.get(index)!) : namedTarget(resource, name),
  )
  const required = Object.values(resource.fields).find((field) => field.required !== undefined)
  if (required && !targets.some((target) => target?.steps[0] === required.name)) {
    throw new ConfigError(
      `No column matches ${required.name}; the columns are ${header.join(', ')}: choose one with --map "Column=${required.name}"`,
    )
  }
  return {
    header,
    ignored: header.filter((name, index) => !targets[index] && !mapped.has(index) && name !== reasonColumn),
    recordOf(cells) {
      const record = {}
      for (const [index, target] of targets.entries()) {
        const cell = cells[index]?.trim() ?? ''
        if (target && cell !== '') place(record, target.steps, target.read(cell))
      }
      return closeGaps(record)
    },
  }
}

/** `Column=path`; a column with an empty path is not imported. */
function readMap(map: string, header: readonly string[]): [index: number, path: string] {
  const end = map.lastIndexOf('=')
  const index = header.findIndex((name) => normal(name) === normal(map.slice(0, end)))
  if (end < 1) throw new ConfigError(`--map takes "Column=path", not "${map}"`)
  if (index === -1)
    throw new ConfigError(`--map: there is no column "${map.slice(0, end)}"; the columns are ${header.join(', ')}`)
  return [index, map.slice(end + 1).trim()]
}

function explicitTarget(resource: Resource, path: string): Target | undefined {
  if (path === '') return undefined
  const target = targetOf(resource, path)
  if (target) return target
  throw new ConfigError(`--map: there is no field "${path}"; the fields are ${pathsOf(resource).join(', ')}`)
}

/** `First name`, `first-name` and `FIRST_NAME` match first_name; `Email` matches the first of the emails. */
function namedTarget(resource: Resource, name: string): Target | undefined {
  const path = normal(name)
  const firstItem = Object.entries(resource.collections).find(([, { item }]) => item === path)
  if (!firstItem) return targetOf(resource, path)
  const [collection, { fields }] = firstItem
  return targetOf(resource, `${collection}.${Object.keys(fields)[0]}`)
}

function normal(name: string): string {
  return fold(name.trim()).replace(/[\s-]+/g, '_')
}

function targetOf(resource: Resource, path: string): Target | undefined {
  const [, name = '', index = '0', rest] = /^(\w+)(?:[[.](\d+)\]?)?(?:\.(.+))?$/.exec(path) ?? []
  const collection = Object.hasOwn(resource.collections, name) ? resource.collections[name] : undefined
  if (collection) {
    if (rest === undefined) return { steps: [name], read: readJson }
    const kind = Object.hasOwn(collection.fields, rest) ? collection.fields[rest]!.kind : undefined
    return kind === undefined ? undefined : { steps: [name, Number(index), rest], read: readerOf(kind) }
  }
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name]! : undefined
  if (!field || field.readonly) return undefined
  if (rest === undefined) return { steps: [name], read: readerOf(field.kind) }
  return field.kind === 'metadata' ? { steps: [name, rest], read: (cell) => cell } : undefined
}

function pathsOf(resource: Resource): string[] {
  const items = Object.entries(resource.collections).flatMap(([name, { fields }]) =>
    Object.keys(fields).flatMap((field) => [`${name}.${field}`, `${name}[1].${field}`]),
  )
  return [...columnsOf(resource), ...items, 'metadata.<key>']
}

/** The columns of a file of failed records: every field and collection of the resource. */
export function columnsOf({ fields, collections }: Resource): string[] {
  const names = Object.values(fields).flatMap(({ name, readonly }) => (readonly ? [] : [name]))
  return [...names, ...Object.keys(collections)]
}

function readerOf(kind: string): Target['read'] {
  if (kind === 'flag') return (cell) => flags[cell.toLowerCase()] ?? cell
  return kind === 'metadata' ? readJson : (cell) => cell
}

/** Parses a cell as JSON. Other text is returned unchanged, for the validation to reject. */
function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an object or a list, by the next step
function place(into: any, [step, ...rest]: Target['steps'], value: unknown): void {
  if (rest.length === 0) {
    into[step!] = value
    return
  }
  if (typeof into[step!] !== 'object' || into[step!] === null) into[step!] = typeof rest[0] === 'number' ? [] : {}
  place(into[step!], rest, value)
}

/** Removes empty items: a person may have a second email without a first. */
function closeGaps(record: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(record)) {
    if (Array.isArray(value)) record[name] = value.filter((item) => item !== undefined)
  }
  return record
}
