import { isClearable } from '../../records/define.ts'
import type { JsonSchema, Texts } from '../../records/definition/about.ts'
import type { Collection, Field, Link, Relation, Resource } from '../../records/definition/resource.ts'
import { settable } from '../../records/rows/settable.ts'
import { itemsMax } from '../../records/rows/validate.ts'
import { lower, pascal } from './names.ts'
import { defaultOf, described, inputOf, mapValues, nullable, type Properties, type Schemas } from './shapes.ts'

type Fields = Readonly<Record<string, Field>>

/** The body that creates a record. */
export function createSchema(doc: Schemas, resource: Resource): JsonSchema {
  const { name, fields } = resource
  return doc.schema(`${pascal(name)}Create`, () => ({
    type: 'object',
    properties: createdProperties(doc, resource),
    ...requiredOf(fields, Object.keys(resource.about.unshown ?? {})),
  }))
}

/** A record of a bulk import, which may name others instead of giving their ids (decision K3). */
export function importSchema(doc: Schemas, resource: Resource): JsonSchema {
  const { name, fields, relations, links } = resource
  const named = Object.entries(relations).filter(([, { named }]) => named)
  const isRequired = ([, { by }]: [string, Relation]) => fields[by]!.required !== undefined
  const [needed, others] = [named.filter(isRequired), named.filter((each) => !isRequired(each))]
  const identified = Object.fromEntries(needed.map(([, { by }]) => [by, fields[by]!]))
  if (named.length === 0 && Object.keys(links).length === 0) return createSchema(doc, resource)
  return doc.schema(`${pascal(name)}Import`, () => ({
    type: 'object',
    properties: {
      ...createdProperties(doc, resource),
      ...mapValues(given(doc, name, identified, resource.about.fields, true), nullable),
      ...mapValues(Object.fromEntries(named), (each) => nameSchema(doc, each)),
      ...mapValues(links, linkSchema),
    },
    ...requiredOf(Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(identified, field)))),
    ...(others.length > 0 && { not: anyOf(others.map(([relation, { by }]) => hasBoth(relation, by))) }),
    ...allOf(needed.map(([relation, { by }]) => ({ oneOf: [has(relation, 'object'), has(by, 'string')] }))),
  }))
}

/** Linked records of a record that is imported. */
function linkSchema({ target, text, max }: Link): JsonSchema {
  const members = { id: { type: 'string', format: 'uuid' }, [text]: { type: ['string', 'null'], maxLength: 500 } }
  return {
    type: ['array', 'null'],
    maxItems: max,
    items: { type: 'object', properties: members, required: ['id'] },
    description: `Ids of ${target.label.toLowerCase()}s, which are added to those of the record, each with a \`${text}\`.`,
  }
}

/** Objects in which neither is null. */
function hasBoth(relation: string, by: string): JsonSchema {
  return { properties: { [relation]: { type: 'object' }, [by]: { type: 'string' } }, required: [relation, by] }
}

/** Objects in which a member has this type. */
function has(member: string, type: string): JsonSchema {
  return { properties: { [member]: { type } }, required: [member] }
}

function allOf(schemas: JsonSchema[]): JsonSchema {
  return schemas.length < 2 ? (schemas[0] ?? {}) : { allOf: schemas }
}

function anyOf(schemas: JsonSchema[]): JsonSchema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

const blank = '^\\s*$'

/** The title of the record must not be blank. Another member may be, if the title is given. */
function nameSchema(doc: Schemas, { target, by }: Relation): JsonSchema {
  const { name, label, fields, matchedBy, scopes, title } = target
  const given = matchedBy.map((field): [string, JsonSchema] =>
    field === title[0]
      ? [field, inputOf(doc, name, { ...fields[field]!, required: '' })]
      : [field, { ...inputOf(doc, name, fields[field]!), type: 'string' }],
  )
  return nullable({
    type: 'object',
    properties: Object.fromEntries(given),
    additionalProperties: false,
    minProperties: 1,
    not: {
      not: { properties: { [title[0]!]: { type: 'string' } }, required: [title[0]!] },
      properties: Object.fromEntries(matchedBy.map((field) => [field, { type: 'string', pattern: blank }])),
    },
    description: `Instead of \`${by}\`: the ${lower(label)} with this ${matchedBy.join(' or ')}. If there is none, it is created once, which requires \`${scopes.write}\`.`,
  })
}

function createdProperties(doc: Schemas, { name, fields, about, collections }: Resource): Properties {
  return {
    ...given(doc, name, settable(fields, true), about.fields, true),
    ...unshown(about),
    ...mapValues(collections, (each) =>
      nullable({ type: 'array', items: itemCreateSchema(doc, each), maxItems: itemsMax }),
    ),
  }
}

/** The body that changes a record. */
export function patchSchema(doc: Schemas, resource: Resource): JsonSchema {
  return doc.schema(`${pascal(resource.name)}Patch`, () => ({ ...changes(doc, resource), minProperties: 1 }))
}

/** The same fields, for a body in which an unknown one is an error. */
export function fieldsSchema(doc: Schemas, resource: Resource): JsonSchema {
  const name = `${pascal(resource.name)}Fields`
  return doc.schema(name, () => ({ ...changes(doc, resource), additionalProperties: false }))
}

function changes(doc: Schemas, { name, fields, about }: Resource): JsonSchema {
  const properties = given(doc, name, settable(fields, false), about.fields, false)
  return { type: 'object', properties: { ...properties, ...unshown(about) } }
}

/** The body of an action, which has one field. */
export function actionSchema(doc: Schemas, { name, fields }: Resource, path: string, takes: string): JsonSchema {
  return doc.schema(pascal(`${name}_${path}`), () => ({
    type: 'object',
    properties: { [takes]: described({}, fields[takes]!, inputOf(doc, name, fields[takes]!)) },
    required: [takes],
  }))
}

export function itemCreateSchema(doc: Schemas, { table, fields, about }: Collection): JsonSchema {
  return doc.schema(`${pascal(table)}Create`, () => ({
    type: 'object',
    properties: given(doc, table, fields, about.fields, true),
    ...requiredOf(fields),
  }))
}

export function itemPatchSchema(doc: Schemas, { table, fields, about }: Collection): JsonSchema {
  return doc.schema(`${pascal(table)}Patch`, () => ({
    type: 'object',
    properties: given(doc, table, fields, about.fields, false),
    minProperties: 1,
  }))
}

function given(doc: Schemas, owner: string, fields: Fields, texts: Texts = {}, create: boolean): Properties {
  return mapValues(fields, (field) => {
    const input = inputOf(doc, owner, field)
    return described(texts, field, create ? createdField(input, field) : isClearable(field) ? nullable(input) : input)
  })
}

/** The default is inside the alternative, because some generators treat a property with a default as required. */
function createdField(input: JsonSchema, field: Field): JsonSchema {
  if (field.required !== undefined) return input
  const fallback = defaultOf(field)
  return fallback === undefined ? nullable(input) : { anyOf: [{ ...input, default: fallback }, { type: 'null' }] }
}

function unshown({ unshown = {} }: Resource['about']): Properties {
  return mapValues(unshown, ({ schema }) => ({ ...schema, writeOnly: true }))
}

function requiredOf(fields: Fields, further: readonly string[] = []): { required?: string[] } {
  const needed = Object.values(fields).filter((field) => field.required !== undefined && !field.readonly)
  const required = [...needed.map(({ name }) => name), ...further]
  return required.length > 0 ? { required } : {}
}
