import { scopes } from '../access/scopes.ts'
import { imported } from '../crm/bulk-job.ts'
import { resources } from '../crm/index.ts'
import type { Collection, Field, Resource } from '../engine/definition/define.ts'
import { type ConsoleRoute, data } from './route.ts'

/** A field as the console's forms, tables and filters need it. */
export interface DescribedField {
  name: string
  label: string
  kind: string
  required: boolean
  readonly: boolean
  /** The words of a choice. */
  options?: readonly string[]
  /** The resource that a reference leads to. */
  target?: string
  default?: string | number | null
}

export interface DescribedResource {
  name: string
  label: string
  path: string
  fields: DescribedField[]
  /** What a reference's name is included as, by its field. */
  relations: Record<string, string>
  collections: Record<string, { as: string; fields: DescribedField[] }>
  filters: readonly string[]
  itemFilters: string[]
  sorts: readonly string[]
  operations: readonly string[]
  /** Whether a CSV can become some of it. */
  importable: boolean
}

export interface Description {
  resources: DescribedResource[]
  scopes: readonly string[]
}

/** What the definitions know, for the browser: nothing is declared there a second time. */
export const descriptionRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/description', for: 'member', run: () => data(describe()) },
]

const importable = Object.values(imported)

export function describe(): Description {
  return { resources: resources.map(describeResource), scopes }
}

function describeResource(resource: Resource): DescribedResource {
  const { name, label, path, fields, relations, collections, filters, itemFilters, sorts, operations } = resource
  return {
    name,
    label,
    path,
    fields: Object.values(fields).map(describeField),
    relations: Object.fromEntries(Object.entries(relations).map(([as, { by }]) => [by, as])),
    collections: Object.fromEntries(Object.entries(collections).map(([key, each]) => [key, describeCollection(each)])),
    filters,
    itemFilters: Object.keys(itemFilters),
    sorts,
    operations,
    importable: importable.includes(resource),
  }
}

function describeCollection({ as, fields }: Collection): { as: string; fields: DescribedField[] } {
  return { as, fields: Object.values(fields).map(describeField) }
}

function describeField({ name, label, kind, required, readonly, options, target, ...rest }: Field): DescribedField {
  return {
    name,
    label: label.replace(/ id$/, ''),
    kind,
    required: required !== undefined,
    readonly: readonly === true,
    ...(options && { options }),
    ...(target && { target: target.name }),
    ...(rest.default !== undefined && { default: rest.default }),
  }
}
