import { currencyForm } from '../lib/currency.ts'
import { fold } from '../lib/text.ts'
import type { Hint } from './column-hints.ts'
import { readCurrency } from './currencies.ts'
import { peoplePaths, peopleSteps } from './people.ts'
import { isReference, referencePaths } from './references.ts'
import { fullName, fullNameLastFirst, isFullName, isPerson, type Shape, type ShapeField } from './shape.ts'
import {
  lastNameFirst,
  readDate,
  readDeclared,
  readExactNumber,
  readFlag,
  readList,
  readMoment,
  readNumber,
  readObject,
  readOption,
} from './values.ts'
import { domainOf } from './web-address.ts'

/** Where the cells of a column go. */
export interface Target {
  /** The path in the record: `['first_name']`, `['emails', 0, 'email']`, `['emails', 'new', 'email']`, `['metadata', 'source']`. */
  readonly steps: readonly (string | number)[]
  /** The type of a new item. */
  readonly type?: string
  /** The currency of an amount, from the heading of its column. */
  readonly currency?: string
  /** Whether a value has a form, which a placeholder such as `n/a` does not have: a number, a date, an address. */
  readonly isStrict?: boolean
  /** Whether a value tells records apart or refers to one, which a placeholder never does. */
  readonly isKey?: boolean
  /** undefined: the cell stands for nothing. */
  read(cell: string, hint: Hint): unknown
}

/** The step of an item of its own. */
export const newItem = 'new'

/** Kinds of fields whose values are numbers. */
const numeric = new Set(['number', 'position'])

/** Types of declared fields. */
const strict = new Set(['number', 'date', 'datetime', 'timestamp', 'email', 'phone', 'url'])

const asText = (cell: string): unknown => cell

/**
 * Reads a path: a field, `full_name`, `full_name:last_first`, `emails.email`, `emails[1].type`, `emails[1].label` (a type in the words of another program),
 * `emails:work` (an item of its own), `price:EUR` (an amount in a currency), `organization.name`, `stage.name`, `metadata.key`, or a complete list or object as JSON.
 */
export function targetOf(shape: Shape, path: string): Target | undefined {
  const read = path === fullNameLastFirst ? lastNameFirst : asText
  if (isFullName(path)) return isPerson(shape) ? { steps: [fullName], read } : undefined
  const people = peopleSteps(shape, path)
  if (people) return { steps: people, isKey: people[1] === newItem, read: asText }
  const item = /^(\w+)(?::([\w -]+)|(?:[[.](\d+)\]?)?(?:\.(.+))?)$/.exec(path)
  const [, name = '', type, index = '0', rest] = item ?? []
  const collection = Object.hasOwn(shape.collections, name) ? shape.collections[name] : undefined
  if (collection && type) {
    if (!hasField(collection, 'type')) return undefined
    return { steps: [name, newItem, collection.fields[0]!.name], type, read: asText }
  }
  if (type) return amountTarget(shape, name, type)
  if (collection) return itemTarget(shape, name, Number(index), rest)
  if (isReference(shape, path)) return referenceTarget(shape, path)
  return fieldTarget(shape, name, rest)
}

/** The name of a group, such as a pipeline, only tells records of one name apart. */
function referenceTarget({ named }: Shape, path: string): Target {
  const steps = path.split('.')
  return { steps, isKey: Object.hasOwn(named, steps[0]!), read: path.endsWith('.domain') ? domainOf : asText }
}

function amountTarget(shape: Shape, name: string, currency: string): Target | undefined {
  const isAmount = shape.fields.some((field) => field.name === name && field.currency !== undefined)
  if (!isAmount || !currencyForm.test(currency)) return undefined
  return { ...fieldTarget(shape, name, undefined)!, currency: currency.toUpperCase() }
}

function itemTarget({ collections }: Shape, name: string, index: number, rest: string | undefined): Target | undefined {
  if (rest === undefined) return { steps: [name], read: readList }
  const collection = collections[name]!
  const field = collection.fields.find((each) => each.name === rest)
  if (field) return { steps: [name, index, rest], ...readingOf(field) }
  if (rest !== 'label' || !hasField(collection, 'type')) return undefined
  return { steps: [name, index, 'type'], read: (cell) => itemType(name, cell) }
}

function hasField({ fields }: Shape['collections'][string], name: string): boolean {
  return fields.some((each) => each.name === name)
}

function fieldTarget(
  { fields, declared, matchedBy }: Shape,
  name: string,
  rest: string | undefined,
): Target | undefined {
  const field = fields.find((each) => each.name === name)
  if (!field || field.readonly) return undefined
  if (rest !== undefined) {
    if (field.kind !== 'metadata' || rest === '__proto__') return undefined
    const own = declared.find(({ key }) => key === rest)
    const read = own?.read ?? ((cell: string, hint: Hint) => readDeclared(own?.type ?? 'text', cell, hint))
    return { steps: [name, rest], isStrict: strict.has(own?.type ?? 'text'), isKey: own?.unique === true, read }
  }
  const isKey = field.kind === 'reference' || Object.values(matchedBy).includes(name)
  if (name === 'domain') return { steps: [name], isKey, read: domainOf }
  if (fields.some(({ currency }) => currency === name)) return { steps: [name], read: readCurrency }
  return { steps: [name], isKey, ...readingOf(field) }
}

/** How the cells of a field are read. */
function readingOf({ kind, exact, options }: ShapeField): Pick<Target, 'isStrict' | 'read'> {
  if (kind === 'flag') return { read: readFlag }
  if (kind === 'metadata') return { read: readObject }
  if (numeric.has(kind)) return { isStrict: true, read: exact ? readExactNumber : readNumber }
  if (kind === 'date') return { isStrict: true, read: readDate }
  if (kind === 'timestamp') return { isStrict: true, read: readMoment }
  return { read: options ? (cell) => readOption(options, cell) : asText }
}

/** The paths that a column may have, for messages and for selects. */
export function pathsOf(shape: Shape): string[] {
  const fields = shape.fields.filter(({ readonly, kind }) => !readonly && kind !== 'metadata').map(({ name }) => name)
  const items = Object.entries(shape.collections).flatMap(([name, collection]) => [
    ...collection.fields.flatMap((field) => [`${name}.${field.name}`, `${name}[1].${field.name}`]),
    ...(hasField(collection, 'type') ? [`${name}:work`] : []),
  ])
  return [
    ...fields,
    ...(isPerson(shape) ? [fullName, fullNameLastFirst] : []),
    ...referencePaths(shape),
    ...peoplePaths(shape),
    ...items,
    ...shape.declared.map(({ key }) => `metadata.${key}`),
  ]
}

const types: Readonly<Record<string, string>> = {
  ...{
    work: 'work',
    business: 'work',
    office: 'work',
    arbeit: 'work',
    geschaftlich: 'work',
    buro: 'work',
    dienstlich: 'work',
  },
  ...{ home: 'home', personal: 'home', private: 'home', privat: 'home', zuhause: 'home' },
  ...{ mobile: 'mobile', cell: 'mobile', cellular: 'mobile', iphone: 'mobile', handy: 'mobile', mobil: 'mobile' },
  ...{ other: 'other', sonstige: 'other', andere: 'other', fax: 'fax', telefax: 'fax', pager: 'pager' },
}

/** The type of an email or phone that another program calls `* Work`, `Home` or `Mobile`. Other labels are unchanged. */
function itemType(collection: string, label: string): string {
  const type = types[fold(label.replace(/^\*\s*/, '')).trim()] ?? label.replace(/^\*\s*/, '')
  return type === 'home' && collection === 'emails' ? 'personal' : type
}
