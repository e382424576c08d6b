import type { JsonSchema, Texts } from '../../records/definition/about.ts'
import type { Field } from '../../records/definition/resource.ts'
import { notBlank } from '../../records/kinds/list-kinds.ts'
import { pascal, withArticle } from './names.ts'

/** Named schemas, each built once. */
export interface Schemas {
  schema(name: string, make: () => JsonSchema): JsonSchema
}

export type Properties = Readonly<Record<string, JsonSchema>>

export const idShape: JsonSchema = { type: 'string', format: 'uuid', readOnly: true }

/** A field's value in a response. A choice has a named schema. */
export function shapeOf(doc: Schemas, owner: string, { name, kind, shape }: Field): JsonSchema {
  const items = shape.items as JsonSchema | undefined
  if (shape.enum) return doc.schema(pascal(`${owner}_${name}`), () => shape)
  if (items?.enum) return { ...shape, items: doc.schema(pascal(`${owner}_${name}`).replace(/s$/, ''), () => items) }
  return shape.type === 'object' ? doc.schema(pascal(kind), () => shape) : shape
}

/** A field's value in a body. */
export function inputOf(doc: Schemas, owner: string, field: Field): JsonSchema {
  const { kind, required, input = field.shape } = field
  if (kind === 'timestamp') return doc.schema('Timestamp', () => input)
  // Blank text counts as missing.
  if (kind === 'text' && required !== undefined) return { ...input, minLength: 1, pattern: notBlank }
  if (field.input?.enum) return input // the schema of this name has all values
  return shapeOf(doc, owner, { ...field, shape: input })
}

export function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

/** An object with all of these members. */
export function object(properties: Properties): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The default of a field as JSON: the value of a new record without one (decision B6). */
export function defaultOf({ default: stored, shape }: Field): unknown {
  if (stored === null || stored === undefined) return undefined
  if (shape.type === 'boolean') return stored === 1
  if (shape.type === 'number') return Number(stored)
  return shape.type === 'object' || shape.type === 'array' ? JSON.parse(String(stored)) : stored
}

/** Adds the description of the field; for a reference at least its target. */
export function described(texts: Texts, field: Field, schema: JsonSchema): JsonSchema {
  const text = texts[field.name] ?? (field.target && `The id of ${withArticle(field.target.label)}.`)
  return text === undefined ? schema : { ...schema, description: text }
}

export function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  map: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]))
}
