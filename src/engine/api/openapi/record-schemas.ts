import type { JsonSchema } from '../../records/definition/about.ts'
import type { Collection, Field, Link, Relation, Resource } from '../../records/definition/resource.ts'
import { capitalized, lower, pascal, withArticle } from './names.ts'
import { described, idShape, mapValues, nullable, object, type Properties, type Schemas, shapeOf } from './shapes.ts'

type ObjectSchema = JsonSchema & { properties: Properties; required: readonly string[] }

/** A record in a response. Relations and collections are present if they are included. */
export function recordSchema(doc: Schemas, resource: Resource): JsonSchema {
  const name = pascal(resource.name)
  // Not `File`, which would shadow the built-in type in generated clients.
  return doc.schema(name === 'File' ? 'FileRecord' : name, () => recordShape(doc, resource))
}

export function recordShape(doc: Schemas, resource: Resource): ObjectSchema {
  const { about, columns, relations, collections, links, idLists, children } = resource
  const items = Object.entries(collections).map(([key, each]) => [each.as, itemsSchema(doc, key, each)])
  return {
    type: 'object',
    description: about.summary,
    properties: {
      id: idShape,
      ...mapValues(columns, (field) => shown(doc, resource, field)),
      ...mapValues(relations, (relation, key) => relationSchema(doc, resource, key, relation)),
      ...Object.fromEntries(items),
      ...mapValues(links, (link, key) => linksSchema(doc, resource, key, link)),
      ...mapValues({ ...idLists, ...children }, ({ target }, key) => summariesSchema(doc, target, key)),
    },
    required: ['id', ...Object.keys(columns)],
  }
}

/** The same with further required members. */
export function withMembers(shape: ObjectSchema, members: Properties): ObjectSchema {
  return {
    ...shape,
    properties: { ...shape.properties, ...members },
    required: [...shape.required, ...Object.keys(members)],
  }
}

/** A page of records. */
export function listSchema(doc: Schemas, resource: Resource): JsonSchema {
  return doc.schema(`${pascal(resource.name)}List`, () =>
    object({ data: { type: 'array', items: recordSchema(doc, resource) }, pagination: paginationSchema(doc) }),
  )
}

/** The pagination of what has no total. */
export function cursorPaginationSchema(doc: Schemas): JsonSchema {
  return doc.schema('CursorPagination', () =>
    object({
      limit: { type: 'integer' },
      has_more: { type: 'boolean' },
      cursor: { type: ['string', 'null'] },
      next_cursor: { type: ['string', 'null'] },
    }),
  )
}

/** spec: Conventions for all list endpoints; decision C2 */
function paginationSchema(doc: Schemas): JsonSchema {
  const count = (description: string) => ({ type: 'integer', minimum: 0, description })
  return doc.schema('Pagination', () => ({
    type: 'object',
    description: 'The position of the page. The first page can be followed by `page` or by `next_cursor`.',
    properties: {
      total: count('The number of matching records on all pages.'),
      limit: count('The page size.'),
      has_more: { type: 'boolean' },
      page: count('With `page` or `per_page`, and on a first page.'),
      per_page: count('With `page` or `per_page`, and on a first page.'),
      total_pages: count('With `page` or `per_page`, and on a first page.'),
      cursor: { type: 'string', description: 'With `cursor`: the cursor of the request.' },
      next_cursor: {
        type: ['string', 'null'],
        description: 'With `cursor`, and on a first page: the `cursor` of the next page, or null on the last page.',
      },
    },
    required: ['total', 'limit', 'has_more'],
  }))
}

function shown(doc: Schemas, { name, fields, about }: Resource, field: Field): JsonSchema {
  const schema = described(about.fields ?? {}, field, valueSchema(doc, name, field))
  const byService = field.readonly || !(field.name in fields)
  return byService ? { ...schema, readOnly: true } : schema
}

function itemsSchema(doc: Schemas, name: string, { table, fields, label }: Collection): JsonSchema {
  const items = doc.schema(pascal(table), () => ({
    ...object({ id: idShape, ...mapValues(fields, (field) => valueSchema(doc, table, field)) }),
    description: capitalized(`${withArticle(label)} of a record.`),
  }))
  return { type: 'array', items, description: presence(name) }
}

function linksSchema(
  doc: Schemas,
  { label }: Resource,
  name: string,
  { table, target, text, first }: Link,
): JsonSchema {
  const items = doc.schema(pascal(table), () => ({
    ...object({
      ...Object.fromEntries(target.summary.map((field) => [field, summaryField(doc, target, field)])),
      [text]: { type: ['string', 'null'] },
    }),
    description: `${capitalized(withArticle(target.label))} of ${withArticle(label)}.`,
  }))
  const order = `First the one of \`${first}\`, then as they were added, without deleted ones.`
  return { type: 'array', items, description: `${order} Shown with \`include=${name}\`.` }
}

function summariesSchema(doc: Schemas, target: Resource, name: string): JsonSchema {
  const items = doc.schema(pascal(`${target.name}_summary`), () =>
    object(Object.fromEntries(target.summary.map((field) => [field, summaryField(doc, target, field)]))),
  )
  return { type: 'array', items, description: `Without deleted ones. Shown with \`include=${name}\`.` }
}

function relationSchema(doc: Schemas, owner: Resource, name: string, { target, by, fields }: Relation): JsonSchema {
  const schemaName = fields === target.summary ? `${target.name}_summary` : `${owner.name}_${name}`
  const summary = doc.schema(pascal(schemaName), () =>
    object(Object.fromEntries(fields.map((field) => [field, summaryField(doc, target, field)]))),
  )
  return {
    ...nullable(summary),
    description: `The ${lower(target.label)} of \`${by}\`, or null if it is empty or deleted. ${presence(name)}`,
  }
}

function summaryField(doc: Schemas, target: Resource, name: string): JsonSchema {
  const field = target.columns[name]
  if (!field) return idShape
  return valueSchema(doc, target.name, field)
}

/** A field's value in a response, null if it may be. */
function valueSchema(doc: Schemas, owner: string, field: Field): JsonSchema {
  const shape = shapeOf(doc, owner, field)
  return field.nullable ? nullable(shape) : shape
}

function presence(name: string): string {
  return `Lists show it with \`include=${name}\`, single records always.`
}
