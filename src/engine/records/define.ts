import * as v from 'valibot'
import { labelOf } from '../../lib/text.ts'
import type { Filter, FilteredColumn } from './definition/filter.ts'
import type { Through } from './definition/options.ts'
import { perResource } from './definition/per-resource.ts'
import type { Collection, Field, Fields, Kind, Resource, ResourceOptions } from './definition/resource.ts'
import { addEntrant } from './entrants.ts'
import { addIdLists } from './id-lists.ts'
import { asIs, moment } from './kinds/fields.ts'
import { creationFilter, uuidFilter } from './kinds/filters.ts'
import { addLinks } from './links.ts'
import { addPart } from './parts.ts'

export type { Row } from './definition/change.ts'
export type { Action } from './definition/options.ts'
export type { Collection, Field, Resource } from './definition/resource.ts'

/**
 * Defines a resource: its routes, statements, documentation and tests are derived from the options. `name` is also the name of its
 * table unless `table` says otherwise. The compiler checks the names of fields; `assertDefinitions` checks the rest at start.
 *
 *     export const office = resource('office', {
 *       path: 'api-v1-offices',
 *       scope: 'organizations',
 *       fields: { city: required(text(), 'City is required'), desks: number({ min: 0 }) },
 *       filters: ['city', 'desks'],
 *       sorts: ['city', 'created_at'],
 *       pageSize: { default: 50, max: 100 },
 *       about: { summary: 'A place where people work.', example: { city: 'Kiel', desks: 12 }, patch: { desks: 14 } },
 *     })
 */
export function resource<
  F extends string,
  C extends Readonly<Record<string, Collection>> = Record<never, Collection>,
  U extends string = never,
>(name: string, options: ResourceOptions<F, C, U>): Resource {
  const {
    scope,
    stamped = true,
    relations = {},
    unshown: aside = {},
    fields: kinds,
    ...rest
  }: ResourceOptions = options
  const keyed = new Set([...rest.filters, ...rest.sorts, ...(rest.unique ? [rest.unique] : [])])
  const fields = withUnique(defineFields(kinds, keyed), rest)
  const operations = rest.operations ?? ['list', 'create', 'get', 'patch', 'delete']
  const created = { ...moment(), filter: creationFilter }
  const updated = operations.includes('patch') ? moment() : created
  const unlogged = Object.values(fields).flatMap((field) => (field.unlogged ? [field.name] : []))
  const unshown = defineFields(aside, keyed, true)
  const stamps = stamped ? defineFields({ created_at: created, updated_at: updated }, keyed, false) : {}
  const defined: Resource = {
    label: labelOf(name),
    itemFilters: {},
    through: {},
    computed: {},
    summary: ['id'],
    collections: {},
    links: {},
    idLists: {},
    children: {},
    operations,
    actions: [],
    sortDirection: 'asc',
    nestsFilters: false,
    defaultOperators: {},
    amounts: {},
    durations: {},
    tallied: [],
    isCard: false,
    matchedBy: [],
    caseMatters: false,
    duplicates: [],
    table: name,
    counted: true,
    title: Object.values(fields)
      .filter(({ required }) => required !== undefined)
      .map(({ name }) => name)
      .slice(0, 1),
    events: {},
    visibleBy: [],
    progressing: false,
    ofCompany: false,
    ...rest,
    name,
    offers: {
      fields: Object.hasOwn(fields, 'metadata'),
      views: true,
      events: true,
      imports: true,
      files: true,
      agents: 'write',
      ...rest.offers,
    },
    scopes: typeof scope === 'string' ? { read: `read:${scope}`, write: `write:${scope}` } : scope,
    fields,
    columns: { ...fields, ...stamps },
    unlogged,
    keepsData: rest.progressing === true || unlogged.length > 0,
    unshown,
    stored: { ...fields, ...stamps, ...unshown },
    relations: Object.fromEntries(
      Object.entries(relations).map(([key, relation]) => [key, { fields: relation.target.summary, ...relation }]),
    ),
  }
  addLinks(defined)
  addIdLists(defined)
  if (defined.partOf !== undefined) addPart(fields[defined.partOf]!.target!, defined)
  if (defined.shownAs !== undefined)
    fields[defined.partOf!]!.target!.children[defined.shownAs] = { target: defined, by: defined.partOf! }
  if (defined.entry) addEntrant(fields[defined.entry.by]!.target!, defined)
  return defined
}

/** Defines a collection. `filters` are the fields that item filters compare. */
export function collection<F extends string>({
  filters,
  ...options
}: Omit<Collection<NoInfer<F>>, 'fields' | 'label'> & {
  fields: Record<F, Kind>
  filters: readonly NoInfer<F>[]
}): Collection<F> {
  return { ...options, label: labelOf(options.item), fields: defineFields(options.fields, new Set<string>(filters)) }
}

/** The id of a record, by which every list can be filtered. */
export const idField: Field = {
  kind: 'reference',
  sqlType: 'TEXT',
  schema: () => v.never(),
  shape: { type: 'string', format: 'uuid' },
  json: asIs,
  filter: uuidFilter,
  name: 'id',
  label: 'Id',
  keyed: false,
  keyColumn: 'id',
  nullable: false,
}

/** The field of another resource that lists filter, group or sort by, and SQL expressions for what they compare of a record, and for its value. */
export function throughOf(
  { table, fields }: Resource,
  { by, field: name }: Through,
): { field: Field; reference: Field; sql: string; shown: string } {
  const reference = fields[by]!
  const field = reference.target!.fields[name]!
  const read = (column: string) => `(SELECT ${column} FROM ${reference.target!.table} AS through
    WHERE through.workspace_id = :workspace AND through.id = ${table}.${by})`
  return { field, reference, sql: read(field.keyColumn), shown: read(field.name) }
}

/** The names of the relations and collections of a resource, which `include` accepts. */
export const includesOf = perResource<readonly string[]>(({ relations, collections }) =>
  Object.keys({ ...relations, ...collections }),
)

/** What responses show only if `include` names it. */
export const asked = perResource<readonly string[]>(({ links, idLists, children }) =>
  Object.keys({ ...links, ...idLists, ...children }),
)

/** What `include` accepts: links, too, which are shown only if it names them. */
export const includable = perResource<readonly string[]>((resource) => [...includesOf(resource), ...asked(resource)])

/** The filter of a field, and the columns that it compares. */
export function filterOf(field: Field): { filter: Filter; on: FilteredColumn } {
  return { filter: field.filter!, on: { column: field.name, key: field.keyColumn } }
}

/** Whether null in a patch is valid (decision B6). */
export function isClearable({ nullable, cleared }: Field): boolean {
  return nullable || cleared !== undefined
}

function withUnique(fields: Fields, options: Unique): Fields {
  const { unique, caseMatters } = options
  if (unique === undefined || !fields[unique] || caseMatters) return fields
  return { ...fields, [unique]: { ...fields[unique], uniqueColumn: uniqueColumnOf(options) } }
}

type Unique = Pick<ResourceOptions, 'unique' | 'caseMatters'>

/** The column with the text that is unique among undeleted records: as it is, or without case. */
export function uniqueColumnOf({ unique, caseMatters }: Unique): string {
  return caseMatters ? unique! : `${unique}_unique`
}

function defineFields<F extends string>(
  kinds: Record<F, Kind>,
  keyed: ReadonlySet<string>,
  nullable?: boolean,
): Fields<F> {
  const fields = Object.entries<Kind>(kinds).map(([name, kind]): [string, Field] => {
    const hasKey = kind.key !== undefined && keyed.has(name)
    return [
      name,
      {
        ...kind,
        name,
        label: labelOf(name),
        keyed: hasKey,
        keyColumn: hasKey ? `${name}_key` : name,
        nullable: nullable ?? (kind.required === undefined && kind.default === undefined && !kind.chosen),
      },
    ]
  })
  return Object.fromEntries(fields) as Fields<F>
}
