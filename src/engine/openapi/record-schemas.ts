import type { JsonSchema } from '../definition/about.ts'
import type { Collection, Field, Relation, Resource } from '../definition/resource.ts'
import { capitalized, pascal, withArticle } from './names.ts'
import { described, idShape, mapValues, nullable, object, type Properties, type Schemas, shapeOf } from './shapes.ts'

type ObjectSchema = JsonSchema & { properties: Properties; required: readonly string[] }

/** A record as answers show it. What belongs to it is there where it was asked for. */
export function recordSchema(doc: Schemas, resource: Resource): JsonSchema {
  return doc.schema(pascal(resource.name), () => recordShape(doc, resource))
}

export function recordShape(doc: Schemas, resource: Resource): ObjectSchema {
  const { about, columns, relations, collections } = resource
  const items = Object.entries(collections).map(([key, each]) => [each.as, itemsSchema(doc, key, each)])
  return {
    type: 'object',
    description: about.summary,
    properties: {
      id: idShape,
      ...mapValues(columns, (field) => shown(doc, resource, field)),
      ...mapValues(relations, (relation, key) => relationSchema(doc, resource, key, relation)),
      ...Object.fromEntries(items),
    },
    required: ['id', ...Object.keys(columns)],
  }
}

/** The same with further members, which are always there. */
export function withMembers(shape: ObjectSchema, members: Properties): ObjectSchema {
  return {
    ...shape,
    properties: { ...shape.properties, ...members },
    required: [...shape.required, ...Object.keys(members)],
  }
}

/** A page of them. */
export function listSchema(doc: Schemas, resource: Resource): JsonSchema {
  return doc.schema(`${pascal(resource.name)}List`, () =>
    object({ data: { type: 'array', items: recordSchema(doc, resource) }, pagination: paginationSchema(doc) }),
  )
}

/** spec: Conventions for all list endpoints; decision C2 */
function paginationSchema(doc: Schemas): JsonSchema {
  const count = (description: string) => ({ type: 'integer', minimum: 0, description })
  return doc.schema('Pagination', () => ({
    type: 'object',
    description: 'Which page this is. The first page tells both ways to go on: by `page`, or by `next_cursor`.',
    properties: {
      total: count('How many records match, on all pages.'),
      limit: count('The page size that was used.'),
      has_more: { type: 'boolean' },
      page: count('With `page` or `per_page`, and on a first page.'),
      per_page: count('With `page` or `per_page`, and on a first page.'),
      total_pages: count('With `page` or `per_page`, and on a first page.'),
      cursor: { type: 'string', description: 'With `cursor`: the one that was used.' },
      next_cursor: {
        type: ['string', 'null'],
        description: 'With `cursor`, and on a first page: the `cursor` of the next page, null on the last.',
      },
    },
    required: ['total', 'limit', 'has_more'],
  }))
}

function shown(doc: Schemas, { name, fields, about }: Resource, field: Field): JsonSchema {
  const shape = shapeOf(doc, name, field)
  const schema = described(about.fields ?? {}, field, field.nullable ? nullable(shape) : shape)
  const byService = field.readonly || !(field.name in fields)
  return byService ? { ...schema, readOnly: true } : schema
}

function itemsSchema(doc: Schemas, name: string, { table, fields, label }: Collection): JsonSchema {
  const items = doc.schema(pascal(table), () => ({
    ...object({ id: idShape, ...mapValues(fields, ({ shape }) => shape) }),
    description: capitalized(`${withArticle(label)} of its record.`),
  }))
  return { type: 'array', items, description: presence(name) }
}

function relationSchema(doc: Schemas, owner: Resource, name: string, { target, by, fields }: Relation): JsonSchema {
  const schemaName = fields === target.summary ? `${target.name}_summary` : `${owner.name}_${name}`
  const summary = doc.schema(pascal(schemaName), () =>
    object(Object.fromEntries(fields.map((field) => [field, summaryField(doc, target, field)]))),
  )
  return {
    ...nullable(summary),
    description: `What \`${by}\` leads to; null where it leads to nothing. ${presence(name)}`,
  }
}

function summaryField(doc: Schemas, target: Resource, name: string): JsonSchema {
  const field = target.columns[name]
  if (!field) return idShape
  const shape = shapeOf(doc, target.name, field)
  return field.nullable ? nullable(shape) : shape
}

function presence(name: string): string {
  return `In a list with \`include=${name}\`; always where one record is answered.`
}
