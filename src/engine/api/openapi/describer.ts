import type { JsonSchema, Operation } from '../../records/definition/about.ts'
import type { Action } from '../../records/definition/options.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Describer, Description, ItemOperation, ItemsOf } from '../../records/describe.ts'
import {
  actionSchema,
  createSchema,
  importSchema,
  itemCreateSchema,
  itemPatchSchema,
  patchSchema,
} from './body-schemas.ts'
import { aboutExport, mediaTypesOf } from './describe-export.ts'
import { changedAt, exampleBody, exampleId, exampleRecord, firstItem, listedRecord, madeAt } from './examples.ts'
import { includeParameter, listParameters } from './list-parameters.ts'
import { lower, pascal, plural, withArticle } from './names.ts'
import { listSchema, recordSchema, recordShape, withMembers } from './record-schemas.ts'
import { mapValues, object, shapeOf } from './shapes.ts'

/** Builds descriptions. Adds the schemas and tags that they refer to. */
export function createDescriber({ schemas, tags }: Named): Describer {
  const doc: Describer = {
    schema(name, make) {
      if (!Object.hasOwn(schemas, name)) {
        schemas[name] = {}
        schemas[name] = make()
      }
      return { $ref: `#/components/schemas/${name}` }
    },
    tag(resource) {
      tags[plural(resource.label)] = resource.about.summary
      return plural(resource.label)
    },
    topic(name, about) {
      tags[name] = about
      return name
    },
    record: (resource) => recordSchema(doc, resource),
    body: (resource) => createSchema(doc, resource),
    importBody: (resource) => importSchema(doc, resource),
    exampleBody,
    field: (resource, name) => shapeOf(doc, resource.name, resource.stored[name]!),
    object,
    envelope: (name, data) => doc.schema(`${name}Response`, () => object({ data })),
    shown: (resource, about) => shown(doc, resource, about),
    exampleId,
    exampleRecord,
    madeAt,
    changedAt,
    operation: (resource, operation) => operations[operation](doc, resource),
    action: (resource, action) => describeAction(doc, resource, action),
    item: (of, operation) => describeItem(doc, of, operation),
  }
  return doc
}

interface Named {
  schemas: Record<string, JsonSchema>
  tags: Record<string, string>
}

const operations: Record<Operation, (doc: Describer, resource: Resource) => Description> = {
  list: (doc, resource) => {
    const details = aboutExport(resource)
    return {
      id: `list${pascal(plural(resource.name))}`,
      tag: doc.tag(resource),
      summary: `List ${lower(plural(resource.label))}`,
      ...(details !== undefined && { details }),
      query: listParameters(doc, resource),
      response: {
        about: `A page of ${lower(plural(resource.label))}.`,
        schema: listSchema(doc, resource),
        files: mediaTypesOf(resource),
      },
      example: { response: exampleList(resource) },
    }
  },
  create: (doc, resource) => ({
    ...named(doc, resource, 'create'),
    body: createSchema(doc, resource),
    response: { ...created(doc, resource), status: 201, compared: resource.duplicates.length > 0 },
    ...(resource.same && { existing: existing(doc, resource) }),
    errors: { ...taken(resource), ...full(resource), ...conflict(resource, 'create') },
    example: {
      body: exampleBody(resource),
      response: { data: { ...exampleRecord(resource), ...onceOf(resource, 'example') } },
    },
  }),
  get: (doc, resource) => ({
    ...named(doc, resource, 'get'),
    query: includeParameter(resource),
    response: shown(doc, resource, `The ${lower(resource.label)} with everything that belongs to it.`),
    example: { params: idOf(resource), response: { data: exampleRecord(resource) } },
  }),
  patch: (doc, resource) => ({
    ...named(doc, resource, 'update'),
    details: 'Changes the given fields and leaves the others. `null` clears a field that can be empty.',
    body: patchSchema(doc, resource),
    response: shown(doc, resource, `The updated ${lower(resource.label)}.`),
    errors: { ...taken(resource), ...conflict(resource, 'patch') },
    example: {
      params: idOf(resource),
      body: resource.about.patch,
      response: { data: exampleRecord(resource, resource.about.patch, true) },
    },
  }),
  delete: (doc, resource) => ({
    ...named(doc, resource, 'delete'),
    details: 'It no longer appears in any response.',
    response: deletion(doc, resource.label),
    errors: conflict(resource, 'delete'),
    example: { params: idOf(resource), response: { data: { deleted: true } } },
  }),
}

function describeAction(doc: Describer, resource: Resource, { id, summary, takes, path, shows }: Action): Description {
  const change = takes === undefined ? {} : { [takes]: exampleBody(resource)[takes] }
  return {
    id,
    tag: doc.tag(resource),
    summary,
    ...(takes !== undefined && { body: actionSchema(doc, resource, path, takes) }),
    response: shown(doc, resource, `The updated ${lower(resource.label)}.`),
    example: {
      params: idOf(resource),
      ...(takes !== undefined && { body: change }),
      response: { data: exampleRecord(resource, { ...change, ...shows }, takes === undefined) },
    },
  }
}

/** decision E4 */
function describeItem(doc: Describer, { resource, collection }: ItemsOf, operation: ItemOperation): Description {
  const { label, table, as, item, about } = collection
  const verbs = { create: 'Add', patch: 'Update', delete: 'Delete' }
  const record = shown(doc, resource, `The ${lower(resource.label)} with everything that belongs to it.`)
  const first = firstItem(collection)
  const items = {
    create: [first, { id: exampleId(`${table} added`), ...about.second }],
    patch: [{ ...first, ...about.patch }],
    delete: [],
  }
  const data = exampleRecord(resource, {}, true)
  return {
    id: `${verbs[operation].toLowerCase()}${pascal(table)}`,
    tag: doc.tag(resource),
    summary: `${verbs[operation]} ${withArticle(label)} of ${withArticle(resource.label)}`,
    conditional: true,
    ...(operation === 'create' && { body: itemCreateSchema(doc, collection) }),
    ...(operation === 'patch' && { body: itemPatchSchema(doc, collection) }),
    response: operation === 'delete' ? deletion(doc, label) : { ...record, status: operation === 'create' ? 201 : 200 },
    example: {
      params: { ...idOf(resource), [`${item}_id`]: exampleId(table) },
      ...(operation === 'create' && { body: about.second }),
      ...(operation === 'patch' && { body: about.patch }),
      response: operation === 'delete' ? { data: { deleted: true } } : { data: { ...data, [as]: items[operation] } },
    },
  }
}

function idOf({ name }: Resource) {
  return { id: exampleId(name) }
}

function named(doc: Describer, resource: Resource, verb: string) {
  const { name, label } = resource
  return {
    id: `${verb}${pascal(name)}`,
    tag: doc.tag(resource),
    summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} ${withArticle(label)}`,
  }
}

function shown(doc: Describer, resource: Resource, about: string) {
  return { about, schema: doc.envelope(pascal(resource.name), doc.record(resource)), tagged: true }
}

function created(doc: Describer, resource: Resource) {
  const about = `The new ${lower(resource.label)} with everything that belongs to it.`
  if (resource.about.once === undefined) return shown(doc, resource, about)
  const name = `${pascal(resource.name)}Created`
  const data = doc.schema(name, () => withMembers(recordShape(doc, resource), onceOf(resource, 'schema')))
  return { about, schema: doc.envelope(name, data), tagged: true }
}

function existing(doc: Describer, resource: Resource) {
  const names = resource.same!.map((name) => `\`${name}\``).join(' and ')
  return shown(doc, resource, `The ${lower(resource.label)} that exists with the same ${names}. Nothing has changed.`)
}

function onceOf<K extends 'schema' | 'example'>({ about }: Resource, key: K) {
  return mapValues(about.once ?? {}, (each) => each[key])
}

function deletion(doc: Describer, label: string) {
  const data = doc.schema('Deleted', () => object({ deleted: { type: 'boolean', const: true } }))
  return { about: `The ${lower(label)} has been deleted.`, schema: doc.envelope('Deleted', data) }
}

function taken({ label, unique }: Resource): Description['errors'] {
  return unique === undefined
    ? {}
    : { ALREADY_EXISTS: `Another ${lower(label)} has the same ${unique}, case-insensitively.` }
}

function conflict({ about }: Resource, operation: Operation): Description['errors'] {
  const when = about.conflicts?.[operation]
  return when === undefined ? {} : { CONFLICT: when }
}

function full({ limit, max, label }: Resource): Description['errors'] {
  if (max !== undefined) return { CONFLICT: `The workspace has ${max} ${lower(plural(label))}.` }
  if (limit === undefined) return {}
  return { PLAN_LIMIT_EXCEEDED: `The plan allows no more ${lower(plural(label))} in the workspace (\`${limit}\`).` }
}

function exampleList(resource: Resource) {
  const { default: size } = resource.pageSize
  const others = (resource.about.listed ?? []).map((change, index) =>
    listedRecord(resource, { id: exampleId(`${resource.name} ${index + 1}`), ...change }),
  )
  const data = [listedRecord(resource), ...others]
  const page = { page: 1, per_page: size, total_pages: 1, next_cursor: null }
  return { data, pagination: { total: data.length, limit: size, has_more: false, ...page } }
}
