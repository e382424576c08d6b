import { invalid, oneOf, quote } from '../../engine/records/definition/faults.ts'
import { isPlainObject, metadataDepthMax } from '../../engine/records/kinds/fields.ts'
import { type Detail, validationError } from '../../errors.ts'
import { isNestedWithin } from '../../lib/json-shape.ts'

/** An argument of a tool: a scalar, a list of texts, or a free object. Clients understand no more than that. */
export interface Property {
  type: 'string' | 'integer' | 'boolean' | 'object' | 'array'
  description?: string
  required?: boolean
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

export type Properties = Readonly<Record<string, Property>>
export type Arguments = Readonly<Record<string, unknown>>

/** The JSON Schema of arguments, valid in draft-07 and in 2020-12. */
export function schemaOf(properties: Properties): object {
  const shown = Object.entries(properties).map(([name, { required, ...rest }]) => {
    return [name, rest.type === 'array' ? { ...rest, items: { type: 'string' } } : rest]
  })
  const required = Object.keys(properties).filter((name) => properties[name]!.required)
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** Leaves out arguments that are null. Throws VALIDATION_ERROR with every invalid argument. */
export function readArguments(properties: Properties, given: unknown): Arguments {
  if (given !== undefined && !isPlainObject(given)) {
    throw validationError([invalid('arguments', 'arguments must be an object', 'INVALID_TYPE')])
  }
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== null)
  const details: Detail[] = entries.flatMap(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) return [invalid(name, oneOf(`There is no argument ${quote(name)}`, Object.keys(properties)))]
    const fault = faultOf(name, property, value)
    return fault ? [fault] : []
  })
  const names = new Set(entries.map(([name]) => name))
  for (const [name, { required }] of Object.entries(properties)) {
    if (required && !names.has(name)) details.push(invalid(name, `${name} is required`, 'REQUIRED'))
  }
  if (details.length > 0) throw validationError(details)
  return Object.fromEntries(entries)
}

const texts: Record<Property['type'], string> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list of strings',
}

function faultOf(name: string, property: Property, value: unknown): Detail | undefined {
  const { type, enum: options, minimum = -Infinity, maximum = Infinity, maxLength = Infinity } = property
  if (!hasType(type, value)) return invalid(name, `${name} must be ${texts[type]}`, 'INVALID_TYPE')
  if (options && !options.includes(value as string)) {
    return invalid(name, oneOf(`${name} cannot be ${quote(String(value))}`, options))
  }
  if (typeof value === 'number' && (value < minimum || value > maximum)) {
    const range = maximum === Infinity ? `at least ${minimum}` : `from ${minimum} to ${maximum}`
    return invalid(name, `${name} must be ${range}`, 'OUT_OF_RANGE')
  }
  if (typeof value === 'string' && value.length > maxLength) {
    return invalid(name, `${name} must be at most ${maxLength} characters`, 'TOO_LONG')
  }
  if (!isNestedWithin(value, metadataDepthMax + 1)) {
    return invalid(name, `What is in ${name} must be nested at most ${metadataDepthMax} levels deep`, 'OUT_OF_RANGE')
  }
  return undefined
}

function hasType(type: Property['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'object') return isPlainObject(value)
  if (type === 'array') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  return typeof value === type
}
