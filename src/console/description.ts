import type { Environment } from '../access/company.ts'
import { grants, scopes } from '../access/scopes.ts'
import { roleScopes, type Session } from '../access/session.ts'
import type { Collection, Field, Resource } from '../engine/records/define.ts'
import { imported } from '../features/imports/imported.ts'
import { resources } from '../features/index.ts'
import type { NamedRelation } from '../files/shape.ts'
import { timestamp } from '../lib/clock.ts'
import { pluralOf } from '../lib/plural.ts'
import { labelOf, shortTextMax } from '../lib/text.ts'
import type { Store } from '../store/store.ts'
import { type DeclaredFields, describeDeclared } from './declared-fields.ts'
import { withMail } from './mail.ts'
import { namedRelations } from './named-relations.ts'
import { type ConsoleRoute, data } from './route.ts'

/** A field as the console's forms, tables and filters need it. */
export interface DescribedField {
  name: string
  label: string
  kind: string
  required: boolean
  /** Set by the server; forms do not show it. */
  readonly: boolean
  /** Derived by the server: only lists and CSV files have it. */
  derived?: true
  /** Set at creation, never changed. */
  fixed?: true
  /** Filled in by the server if a new record has none. */
  chosen?: true
  /** Text of several lines. */
  long?: true
  /** The options of a choice. */
  options?: readonly string[]
  /** The resource that a reference leads to. */
  target?: string
  /** A number that keeps all its digits: files are read by it. */
  exact?: true
  /** For an amount of money: the field that holds its currency. */
  currency?: string
  /** The lowest amount that the server accepts. */
  min?: number
  default?: string | number | null
  /** A declared field, whose name is `metadata.<key>`. */
  declared?: true
  /** A declared field that differs in all records. */
  unique?: true
}

/** Items of a record: the emails of a contact. */
export interface DescribedCollection {
  /** The array's name in responses. */
  as: string
  /** What one item is called: `Email`. */
  label: string
  /** The name of the field that stands for an item. */
  main: string
  fields: DescribedField[]
}

export interface DescribedResource {
  name: string
  label: string
  /** The plural as a heading: `Organizations`. */
  plural: string
  path: string
  /** Where the console shows its records: `/organizations` */
  page: string
  /** Whether the generic list and record page show its records. Otherwise `page` is a page of its own. */
  listed: boolean
  /** Whether each of its records is a part of another one, which shows it: the menu leaves it out. */
  isPart?: true
  /** The fields of the definition, then the timestamps. */
  fields: DescribedField[]
  /** What lists filter by, but no record shows (decision K9): also a field of a reference's record, what is computed, and linked records. */
  unshown: DescribedField[]
  /** The name that a reference's record is included under, by the reference's field. */
  relations: Record<string, string>
  /** How files name the records of relations, by the name of the relation. */
  named: Record<string, NamedRelation>
  /** By their names in bodies: `emails`. */
  collections: Record<string, DescribedCollection>
  /** The resource of linked records, by the name under which `include` shows them: the people on a deal. */
  links: Readonly<Record<string, string>>
  filters: readonly string[]
  itemFilters: string[]
  /** What an import can match records by besides unique declared fields, with the field or collection that has it. */
  matchedBy: Record<string, string>
  sorts: readonly string[]
  /** The fields in which a search finds its records; none: it is not searched. */
  searched: readonly string[]
  operations: readonly string[]
  /** Whether a CSV file can be imported into it. */
  importable: boolean
  /** Whether the API finds duplicates among its records and merges them. */
  mergeable?: true
  /** Whether its records can be exported as vCards. */
  isCard?: true
}

export interface Description {
  /** The server's time. */
  now: string
  resources: DescribedResource[]
  declared: DeclaredFields
  scopes: readonly string[]
  /** Whether the server makes addresses at which it takes mail. */
  takes_mail: boolean
  /** The workspaces that have mail as far as the user sees. */
  with_mail: readonly Environment[]
}

/** Describes all resources to the browser, from their definitions. */
export function descriptionRoutes(takesMail: boolean): ConsoleRoute[] {
  return [
    {
      method: 'GET',
      path: '/console/description',
      for: 'member',
      run: ({ store, session }) => data(describe(store, session, takesMail)),
    },
  ]
}

/** The paths of resources that have their own pages instead of the generic ones. */
const ownPages: Readonly<Record<string, string>> = {
  pipeline: '/settings/stages',
  stage: '/settings/stages',
  user: '/settings/users',
  api_key: '/keys',
  webhook: '/webhooks',
  view: '/organizations',
  field: '/settings/fields',
}

const importable = Object.values(imported)

/** A number whose definition is followed by this field is an amount of money in that currency. */
const currency = 'currency'

export function describe(
  store: Pick<Store, 'access' | 'clock' | 'workspace'>,
  session: Session,
  takesMail: boolean,
): Description {
  return {
    now: timestamp(store.clock.now()),
    resources: resources.map((each) => describeFor(session, each)),
    declared: describeDeclared(store, session.companyId),
    scopes,
    takes_mail: takesMail,
    with_mail: withMail(store, session),
  }
}

/** A resource with what the user may do with it. */
function describeFor({ role }: Session, resource: Resource): DescribedResource {
  const { operations, ...described } = describeResource(resource)
  const mayWrite = grants(roleScopes[role], resource.scopes.write)
  return { ...described, operations: operations.filter((each) => mayWrite || each === 'list' || each === 'get') }
}

/** Whether the generic list and record page show the records of a resource. */
export function isListed({ name }: Resource): boolean {
  return ownPages[name] === undefined
}

export function pageOf(resource: Resource): string {
  return ownPages[resource.name] ?? `/${pluralOf(resource)}`
}

export function describeResource(resource: Resource): DescribedResource {
  const { name, label, path, columns, unshown, relations, collections, links } = resource
  const { filters, itemFilters, sorts, operations, matchedBy, partOf } = resource
  return {
    name,
    label,
    plural: labelOf(pluralOf(resource).replaceAll('-', '_')),
    path,
    page: pageOf(resource),
    listed: isListed(resource),
    ...(partOf !== undefined && columns[partOf]!.required !== undefined && { isPart: true as const }),
    fields: describeFields(columns),
    unshown: [
      ...describeFields(unshown)
        .filter(({ name }) => filters.includes(name))
        .map((field) => ({ ...field, ...(unshown[field.name]!.unlogged && { derived: true as const }) })),
      ...describeAside(resource),
    ],
    relations: Object.fromEntries(Object.entries(relations).map(([as, { by }]) => [by, as])),
    named: namedRelations(resource),
    collections: Object.fromEntries(Object.entries(collections).map(([key, each]) => [key, describeCollection(each)])),
    links: Object.fromEntries(Object.entries(links).map(([as, { target }]) => [as, target.name])),
    filters,
    itemFilters: Object.keys(itemFilters),
    matchedBy: Object.fromEntries(matchedBy.map((each) => [each, itemFilters[each]?.collection ?? each])),
    sorts,
    searched: resource.search?.fields ?? [],
    operations,
    importable: importable.includes(resource),
    ...(resource.duplicates.length > 0 && { mergeable: true as const }),
    ...(resource.isCard && { isCard: true as const }),
  }
}

/** The first required field stands for an item. If it is named after the item, it names it: `Phone number`. */
function describeCollection({ as, label, fields }: Collection): DescribedCollection {
  const described = describeFields(fields)
  const main = described.find(({ required }) => required) ?? described[0]!
  return { as, label: main.label.startsWith(label) ? main.label : label, main: main.name, fields: described }
}

function describeFields(fields: Readonly<Record<string, Field>>): DescribedField[] {
  return Object.values(fields).map((field, at, all) => describeField(field, all[at + 1]))
}

function describeAside({ fields, through, computed, links }: Resource): DescribedField[] {
  const describe = (name: string, kind: string, target?: Resource) => {
    const label = labelOf(name.replace(/^is_|_id$/, ''))
    return { name, label, kind, required: true, readonly: true, ...(target && { target: target.name }) }
  }
  return [
    ...Object.entries(through).map(([name, { by, field }]) => {
      return describe(name, 'reference', fields[by]!.target!.fields[field]!.target)
    }),
    ...Object.keys(computed).map((name) => describe(name, 'flag')),
    ...Object.values(links).map(({ filter, target }) => describe(filter, 'reference', target)),
  ]
}

function describeField(field: Field, next: Field | undefined): DescribedField {
  const { name, label, required, readonly, fixed, chosen, options, target, shape, isExact } = field
  const kind = field.key?.isPhone ? 'phone' : field.kind
  const isAmount = kind === 'number' && next?.name === currency
  return {
    name,
    label: label.replace(/ (id|at)(s?)$/, '$2'),
    kind,
    required: required !== undefined,
    readonly: readonly === true || kind === 'moment',
    ...(fixed && { fixed }),
    ...(chosen && { chosen }),
    ...(Number(shape.maxLength) > shortTextMax && { long: true }),
    ...(options && { options }),
    ...(target && { target: target.name }),
    ...(isExact && { exact: true as const }),
    ...(isAmount && { currency, ...(typeof shape.minimum === 'number' && { min: shape.minimum }) }),
    ...(field.default !== undefined && { default: kind === 'number' ? Number(field.default) : field.default }),
  }
}
