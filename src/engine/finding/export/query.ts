import { type Detail, validationError } from '../../../errors.ts'
import { type PhoneForms, sameDigits } from '../../../lib/text.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { includesOf } from '../../records/define.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Approached } from '../list/approach.ts'
import type { Asker } from '../list/asker.ts'
import { readOrder, type SortKey } from '../list/order.ts'
import { readIncludes } from '../query/query.ts'
import { readFilters } from '../query/read-filters.ts'
import { type Column, columnsOf } from './columns.ts'
import type { Format } from './formats.ts'

/** What a client asks for. */
export interface Asked {
  format: Format
  queryString: string
  asker: Asker
  /** The notations of a telephone number; default: its own. */
  phones?: PhoneForms
}

/** A parsed query of an export. */
interface ExportQuery {
  where: Approached[]
  order: SortKey[]
  /** The columns of a CSV file; of another format, all. */
  columns: readonly Column[]
  /** What the records of NDJSON show. */
  includes: readonly string[]
  /** Whether the request leaves it to the file what its records show. */
  isWhole: boolean
  /** Whether cells that a spreadsheet could run as formulas are written as they are. */
  raw: boolean
  /** Whether a CSV file begins with a byte order mark, by which spreadsheet programs recognize UTF-8. */
  bom: boolean
}

const parametersOf: Readonly<Record<Format, readonly string[]>> = {
  csv: ['sort', 'columns', 'raw', 'bom'],
  ndjson: ['sort', 'include'],
  vcard: ['sort'],
}

/** Reads the query string of an export: that of a list without pages. Throws VALIDATION_ERROR with every invalid parameter. */
export function readExportQuery(
  resource: Resource,
  declared: readonly Declared[],
  { queryString, format, phones = sameDigits }: Omit<Asked, 'asker'>,
): ExportQuery {
  const details: Detail[] = []
  const filterable = { resource, declared, phones, names: parametersOf[format] }
  const { once, where } = readFilters(filterable, queryString, details)
  const include = once.get('include')
  const query = {
    where,
    order: readOrder(resource, once.get('sort'), details, declared),
    columns: readColumns(columnsOf(resource, declared), once.get('columns'), details),
    includes: include === undefined ? includesOf(resource) : readIncludes(resource, include, details),
    isWhole: include === undefined,
    raw: readSwitch(once, 'raw', details),
    bom: readSwitch(once, 'bom', details),
  }
  if (details.length > 0) throw validationError(details)
  return query
}

function readColumns(columns: readonly Column[], text: string | undefined, details: Detail[]): readonly Column[] {
  if (text === undefined) return columns
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  return names.flatMap((name) => {
    const column = columns.find((each) => each.name === name)
    if (column) return { ...column, isUsed: undefined }
    const allowed = columns.map((each) => each.name)
    details.push(invalid('columns', oneOf(`There is no column ${quote(name)}`, allowed)))
    return []
  })
}

function readSwitch(once: ReadonlyMap<string, string>, name: string, details: Detail[]): boolean {
  const text = once.get(name)
  if (text !== undefined && text !== '1') details.push(invalid(name, `${name} must be 1 or left out`))
  return text === '1'
}
