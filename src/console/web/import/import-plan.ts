import { ColumnHints, type Hint } from '../../../files/column-hints.ts'
import { type Duplicate, DuplicateFinder } from '../../../files/duplicates.ts'
import { type ListRecords, undeclaredText } from '../../../files/find-references.ts'
import { droppedColumns, isHeader, type Match, matchColumns } from '../../../files/match.ts'
import { settleReferences } from '../../../files/references.ts'
import type { FileRecord } from '../../../files/shape.ts'
import { fullName, fullNameLastFirst, type Shape } from '../../../files/shape.ts'
import { pathsOf } from '../../../files/target.ts'
import { isDeleted, recordMaker } from '../../../files/to-record.ts'
import { undecided } from '../../../files/undecided.ts'
import { fold } from '../../../lib/text.ts'
import { keyOf } from '../data/declared.ts'
import { list } from '../data/http.ts'
import { declaredOf, fieldOf, resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { itemTypeText } from '../text/item-types.ts'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'
import { valueIn } from './import-values.ts'
import { type FileRead, type Sheet, sheetOf } from './sheet.ts'

/** A field that a column can fill. */
export interface Slot {
  /** A path as the command line takes it. */
  name: string
  label: string
}

/** The path of each column, by its index; undefined: the column is not imported. */
export type Mapping = (string | undefined)[]

/** A file whose columns have been matched. */
export interface Plan {
  sheet: Sheet
  shape: Shape
  match: Match
  /** How numbers and dates are written, if the user has said it. */
  notation: Hint
  /** The number of rows that are marked as deleted, which `sheet` does not have. */
  skipped: number
}

/** Finds the table in a file and matches its columns, with the declared fields of the resource. Throws Error. */
export function planImport(of: string, read: FileRead): Plan {
  const declared = declaredOf(of).map((field) => ({
    ...{ key: keyOf(field.name), label: field.label, type: field.kind, unique: field.unique },
    read: (cell: string, hint: Hint) => valueIn(field, cell, hint),
  }))
  const shape = { ...resourceOf(of), declared }
  const { sheet, skipped } = sheetOf(
    read,
    (cells) => isHeader(shape, cells),
    (header) => {
      const { deleted } = matchColumns(shape, header, read.format)
      return (cells) => isDeleted(cells, deleted)
    },
  )
  return { sheet, shape, match: matchColumns(shape, sheet.columns, read.format), notation: {}, skipped }
}

/** The fields for a select. `mapping` may have further paths. */
export function slotsOf(shape: Shape, mapping: Mapping): Slot[] {
  const names = new Set([...pathsOf(shape), ...mapping.filter((path) => path !== undefined)])
  return [...names].map((name) => ({ name, label: labelOf(shape, name) }))
}

/** `emails[1].type` is `Email 2: Type`. */
function labelOf(shape: Shape, path: string): string {
  if (path === fullName) return t('Full name')
  if (path === fullNameLastFirst) return t('Full name, last name first')
  const [, collection = '', index = '0', type, rest] =
    /^(\w+?)(?:\[(\d+)\])?(?::([\w -]+))?(?:\.(.+))?$/.exec(path) ?? []
  if (path === 'metadata') return t('Metadata (JSON)')
  if (collection === 'metadata')
    return shape.declared.find(({ key }) => key === rest)?.label || t('Metadata: {rest}', { rest: rest! })
  const place = index === '0' ? '' : ` ${Number(index) + 1}`
  if (Object.hasOwn(shape.links ?? {}, collection)) return `${t('People')}${place}: ${word(rest ?? type!)}`
  const [reference] = Object.entries(shape.relations).find(([, relation]) => relation === collection) ?? []
  if (reference) return `${shape.fields.find(({ name }) => name === reference)!.label}: ${word(rest!)}`
  const fields = shape.collections[collection]?.fields
  if (!fields) {
    const field = shape.fields.find(({ name }) => name === path)
    const amount = type && shape.fields.find(({ name }) => name === collection)
    if (amount) return `${amount.label} (${type})`
    if (rest) return `${word(collection)}: ${word(rest)}`
    return field?.kind === 'reference' ? `${field.label} id` : (field?.label ?? path)
  }
  const item = `${fields[0]!.label}${place}`
  if (type) return `${item} (${itemTypeText(type)})`
  const field = fields.find(({ name }) => name === rest)
  return field === fields[0] ? item : `${item}: ${field?.label ?? t('Label')}`
}

/** The names of the columns with data that are not imported. */
export function droppedNames({ sheet, match }: Plan, mapping: Mapping): string[] {
  const filled = new Set<number>()
  for (const cells of sheet.rows) cells.forEach((cell, at) => void (cell.trim() !== '' && filled.add(at)))
  return droppedColumns({ ...match, paths: mapping }, filled).map((at) => sheet.shown[at]!)
}

/** The column that says which deals are won or lost, if it is only kept while another one sets their stages. */
export function keptOutcome({ sheet }: Plan, mapping: Mapping): string | undefined {
  const at = mapping.indexOf('metadata.status')
  const isMixed = mapping.includes('stage.name') && sheet.rows.some((cells) => /^(?:won|lost)$/i.test(cells[at] ?? ''))
  return isMixed ? sheet.shown[at] : undefined
}

/** What rows can be matched with records by: what a column fills, the best first. */
export function matchOptions(of: string, mapping: Mapping): Slot[] {
  const { matchedBy, collections, operations } = resourceOf(of)
  if (!operations.includes('patch')) return []
  const isFilled = (path: string) => mapping.some((each) => each === path || each?.match(/^\w+/)?.[0] === path)
  const own = Object.entries(matchedBy).map(([name, path]) => ({
    name,
    path,
    label: (collections[path]?.fields[0] ?? fieldOf(of, path)).label,
  }))
  const unique = declaredOf(of).filter((field) => field.unique)
  const declared = unique.map(({ name, label }) => ({ name, path: name, label }))
  return [...own, ...declared].filter(({ path }) => isFilled(path)).map(({ name, label }) => ({ name, label }))
}

export interface Prepared {
  records: FileRecord[]
  /** The names that each record has for sure, if its first name is only supposed. */
  sure: (FileRecord | undefined)[]
  /** The errors that the server cannot find, by row. */
  faults: Map<number, string[]>
  /** The rows that repeat an earlier one, by their lines in the file. */
  duplicates: Duplicate[]
  /** Texts that are no values and are left out. */
  left: string[]
  /** The rows whose related record does not exist and need not. */
  unmatched: number
}

/** Makes the records of all rows, and looks up the records that they refer to. `matchOn`: what rows are matched by. */
export async function prepareRecords(
  { sheet, shape, match, notation }: Plan,
  mapping: Mapping,
  matchOn: string | undefined,
): Promise<Prepared> {
  const hints = hintsOf(sheet, { stated: notation, decimal: match.decimal })
  const make = recordMaker(shape, {
    paths: mapping,
    isForeign: match.source !== undefined,
    several: match.several,
    hints,
  })
  const options = mapping.map((path) => optionsOf(shape, path))
  const made = sheet.rows.map((cells) => make(cells.map((cell, at) => options[at]?.get(fold(cell.trim())) ?? cell)))
  const records = made.map(({ record }) => record)
  const finder = new DuplicateFinder(matchOn)
  const duplicates = sheet.rows.flatMap((cells, at) => finder.add(sheet.lines[at]!, cells, records[at]!) ?? [])
  const loose = match.loose.filter((path) => mapping.includes(path))
  const { faults, unmatched, left } = await settleReferences(shape, records, listRecords, loose)
  const all = new Map([...faults].map(([at, fault]): [number, string[]] => [at, [fault]]))
  for (const [at, { faults }] of made.entries()) {
    if (faults.length > 0)
      all.set(at, [
        ...(all.get(at) ?? []),
        ...faults.map(
          ({ field, error, lacks }) => `${labelOf(shape, field)}: ${settledText(serverText(error), lacks)}`,
        ),
      ])
  }
  const cells = made.flatMap(({ left }) => left.map(({ text }) => text))
  const sure = made.map((each) => each.sure)
  return { records, sure, duplicates, unmatched, faults: all, left: [...cells, ...left.map(([, id]) => id)] }
}

function settledText(fault: string, lacks: keyof Hint | undefined): string {
  if (lacks === undefined) return fault
  return lacks === 'decimal'
    ? t('{fault}, or choose in the step Columns how numbers are written', { fault })
    : t('{fault}, or choose in the step Columns how dates are written', { fault })
}

function hintsOf({ rows }: Sheet, known: ConstructorParameters<typeof ColumnHints>[0]): ColumnHints {
  const hints = new ColumnHints(known)
  for (const cells of rows) hints.add(cells)
  return hints
}

/** What nothing in the file decides about its numbers and dates. */
export function undecidedIn({ sheet, shape, match }: Plan, mapping: Mapping): ReadonlySet<keyof Hint> {
  return undecided(shape, mapping, sheet.rows, hintsOf(sheet, { decimal: match.decimal }))
}

export const listRecords: ListRecords = async (path, query, isLoose) => {
  try {
    const { data, pagination } = await list<FileRecord>(`/${path}`, query)
    return { data, total: pagination.total }
  } catch (error) {
    const undeclared = undeclaredText(path, (error as Error).message)
    if (undeclared && isLoose) return { data: [], total: 0 }
    throw undeclared ? new Error(serverText(undeclared)) : error
  }
}

/** The options of a field by their texts in the user's language; undefined: it has none. */
function optionsOf({ fields }: Shape, path: string | undefined): Map<string, string> | undefined {
  const field = fields.find(({ name, options }) => name === path && options)
  return field && new Map(field.options!.map((option) => [fold(word(option)), option]))
}

/** The errors of cells that are no value of their declared field. */
export function cellFaults(of: string, { metadata = {} }: FileRecord): string[] {
  return Object.entries(metadata as object).flatMap(([key, value]) =>
    value instanceof Invalid ? [`${fieldOf(of, `metadata.${key}`).label}: ${value.message}`] : [],
  )
}
