import { google, outlook, thunderbird, vcard } from './address-books.ts'
import { hubspot, pipedrive, salesforce } from './crm-programs.ts'
import { readCurrency } from './currencies.ts'
import { mayBeDeleted } from './deleted-references.ts'
import { headings, simplified } from './headings.ts'
import type { Decimal } from './numbers.ts'
import { isReference } from './references.ts'
import { fullName, isFullName, missingFields, type Shape } from './shape.ts'
import type { FileSource } from './source-columns.ts'
import { targetOf } from './target.ts'
import { isOfCards } from './vcard-cells.ts'

/** What was recognized in a header. */
export interface Match {
  /** `Google Contacts`; undefined: a plain table. */
  readonly source: string | undefined
  /** The path of each column; undefined: it is not imported. */
  readonly paths: readonly (string | undefined)[]
  /** The columns that are left out without loss, by index: ids and times of records, names of records that an id names. */
  readonly known: ReadonlySet<number>
  /** The column that marks deleted rows with 1, by index. */
  readonly deleted: number | undefined
  /** The decimal sign of the program that wrote the file; undefined: it is not known. */
  readonly decimal: Decimal | undefined
  /** Paths of records that need not exist: Salesforce's `AccountId`, and references of our own exports (decision K4). */
  readonly loose: readonly string[]
  /** Paths of which a record has one value, and whose cells may hold several. */
  readonly several: readonly string[]
}

/** The column with the reason in a file of failed rows. It is ignored when the file is imported again. */
export const reasonColumn = 'import_error'
const own = new Set(['id', 'created_at', 'updated_at', 'last_activity_at', reasonColumn])

/** Matches the columns of a header with paths: by the program that wrote it, its own names, declared fields, and plain headings. */
export function matchColumns(shape: Shape, header: readonly string[], format: 'csv' | 'vcard' = 'csv'): Match {
  const names = header.map(simplified)
  const isFailedCards = header.at(-1) === reasonColumn && isOfCards(header.slice(0, -1))
  const source = format === 'vcard' || isFailedCards ? vcard : sourceOf(names)
  const columns = source?.columns[shape.name] ?? {}
  const known = new Set<number>()
  const taken = new Set<string>()
  const paths = header.map((heading, index) => {
    const preset = Object.hasOwn(columns, names[index]!) ? columns[names[index]!] : undefined
    if (preset === '' || isKnown(shape, heading)) {
      known.add(index)
      return undefined
    }
    // A second name of the organization is kept apart, not joined to the first.
    const isSecond = preset === 'organization.name' && taken.has(preset)
    const wanted = isSecond ? `metadata.${names[index]!.replaceAll(' ', '_')}` : preset
    const isWanted = wanted !== undefined && targetOf(shape, wanted) !== undefined
    const path = isWanted ? wanted : plainPath(shape, heading, names[index]!, taken)
    const mayBeAmount = path === undefined || targetOf(shape, `${path}:EUR`) !== undefined
    const amount = mayBeAmount ? amountPath(shape, heading, columns, taken) : undefined
    if (amount === undefined && path !== undefined) taken.add(isFullName(path) ? fullName : path)
    return amount ?? path
  })
  const deleted = source?.deleted === undefined ? -1 : names.indexOf(source.deleted)
  const isOwn = names.includes('created at') && names.includes('updated at')
  return {
    ...{ source: source?.label, paths, known, deleted: deleted === -1 ? undefined : deleted },
    decimal: isOwn ? '.' : source?.decimal,
    several: source?.several ?? [],
    loose: isOwn ? mayBeDeleted(shape, paths) : (source?.loose ?? []).filter((path) => paths.includes(path)),
  }
}

/** Whether a row can be the header of a table: it has the required columns. */
export function isHeader(shape: Shape, cells: readonly string[]): boolean {
  return missingFields(shape, matchColumns(shape, cells).paths).length === 0
}

function sourceOf(names: readonly string[]): FileSource | undefined {
  const given = new Set(names.filter((name) => name !== ''))
  return given.size === 0 || (given.has('created at') && given.has('updated at'))
    ? undefined
    : sources.find((source) => source.isOf(given))
}

/** Whether a column of our own exports is set by the server, or repeats what an id says. */
export function isKnown(shape: Shape, heading: string): boolean {
  const { fields, relations } = shape
  if (own.has(heading)) return true
  const [relation, field] = heading.split('.')
  if (field === undefined) return fields.some((each) => each.name === heading && each.readonly)
  return Object.values(relations).includes(relation!) && !isReference(shape, heading)
}

function plainPath(shape: Shape, heading: string, name: string, taken: ReadonlySet<string>): string | undefined {
  const isTaken = (path: string) => taken.has(isFullName(path) ? fullName : path)
  const isFree = (path: string) => !isTaken(path) && targetOf(shape, path) !== undefined
  const exact = heading.trim()
  if (isFree(exact)) return exact
  const field = shape.fields.find((each) => simplified(each.name) === name || simplified(each.label) === name)
  if (field && field.kind !== 'reference' && isFree(field.name)) return field.name
  if (field && simplified(field.name) === name && isFree(field.name)) return field.name
  const declared = shape.declared.find(({ key, label }) => simplified(key) === name || simplified(label ?? '') === name)
  if (declared && name !== '' && isFree(`metadata.${declared.key}`)) return `metadata.${declared.key}`
  return headingPath(shape, name, isFree) ?? itemPath(shape, heading, name, isFree)
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** A heading with a currency: `Price (EUR)`, `Price - EUR`, `Price in €`. */
const withCurrency = /^(.*\S)\s*(?:[([-]\s*|\sin\s+)([A-Z]{3}|\p{Sc})[)\]]?\s*$/u

/** The path of an amount whose heading has its currency: `Price (EUR)` is `price:EUR`. The first one of an amount counts. */
function amountPath(
  shape: Shape,
  heading: string,
  columns: Readonly<Record<string, string>>,
  taken: Set<string>,
): string | undefined {
  const [, base = '', found = ''] = withCurrency.exec(heading) ?? []
  const code = readCurrency(found)
  if (!currencies.has(code)) return undefined
  const name = simplified(base)
  const of = Object.hasOwn(columns, name) ? columns[name]! : plainPath(shape, base, name, taken)
  const path = of && !taken.has(of) ? `${of}:${code}` : undefined
  if (path === undefined || targetOf(shape, path)?.currency === undefined) return undefined
  taken.add(of!)
  return path
}

function headingPath({ name: of }: Shape, name: string, isFree: (path: string) => boolean): string | undefined {
  const paths = Object.entries(headings[of] ?? {}).filter(([, names]) => names.includes(name))
  return paths.map(([path]) => freePath(path, isFree)).find((path) => path !== undefined)
}

/** The path of an email or phone whose heading has a number (`E-Mail-Adresse 2`) or a remark (`E-Mail (privat, alt)`). */
function itemPath(shape: Shape, heading: string, name: string, isFree: (path: string) => boolean): string | undefined {
  const names = [name.replace(/ \d{1,2}$/, ''), simplified(heading.split('(')[0]!)].filter((each) => each !== name)
  const paths = names.map((each) => headingPath(shape, each, isFree))
  return paths.find((path) => path !== undefined && Object.hasOwn(shape.collections, /^\w+/.exec(path)![0]))
}

const itemsMax = 20

/** The path, or that of the next item of its collection. */
function freePath(path: string, isFree: (path: string) => boolean): string | undefined {
  if (isFree(path) || (path.includes(':') && !isFullName(path))) return path
  const [collection, field] = path.split('.')
  if (field === undefined || collection === 'organization') return undefined
  const numbered = Array.from({ length: itemsMax }, (_, index) => `${collection}[${index + 1}].${field}`)
  return numbered.find(isFree)
}

/** The columns with data that would not be imported, by index. */
export function droppedColumns({ paths, known }: Match, filled: ReadonlySet<number>): number[] {
  return paths.flatMap((path, index) => (path === undefined && !known.has(index) && filled.has(index) ? [index] : []))
}

/** The programs whose files are recognized by their header, in the order in which they are tried. */
const sources: readonly FileSource[] = [pipedrive, google, salesforce, hubspot, outlook, thunderbird]
