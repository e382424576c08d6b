import * as v from 'valibot'
import { parseUuid } from '../../../lib/uuid.ts'
import type { JsonSchema } from '../definition/about.ts'
import { quote, rule } from '../definition/faults.ts'
import type { Kind, Resource } from '../definition/resource.ts'
import { lookupInexact } from './exact-numbers.ts'
import { momentFilter, uuidFilter } from './filters.ts'
import { isTooLarge, metadataBytesMax } from './large-metadata.ts'

/** The maximum number of levels of objects and lists in metadata. */
export const metadataDepthMax = 32

/** U+0000 as `JSON.stringify` writes it, after an even number of backslashes. */
const nullCharacter = /(?<!\\)(?:\\\\)*\\u0000/

/** The `json` of a kind whose JSON is its column unchanged. */
export const asIs = (column: string): string => column

/** The id of a record of another resource in the same workspace (decision D2): `required(reference(contact), 'Contact is required')`. */
export function reference(target: Resource, { missing = `${target.label} not found` } = {}): Kind {
  return {
    kind: 'reference',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.string(`${label} must be a string`),
        v.trim(),
        rule('INVALID_FORMAT', (value) => parseUuid(value) !== undefined, `${label} must be a UUID`),
        v.toLowerCase(),
      ),
    shape: { type: 'string', format: 'uuid' },
    json: asIs,
    filter: uuidFilter,
    target,
    missing,
  }
}

/** A free-form JSON object. A patch replaces all of it (spec: Resources). */
export function metadata(): Kind {
  const tooLong = (label: string) => `${label} must be at most ${metadataBytesMax} bytes of JSON`
  return {
    kind: 'metadata',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.unknown(),
        rule('INVALID_TYPE', isPlainObject, `${label} must be a JSON object`),
        rule('TOO_LONG', (value) => !isTooLarge(value as object), tooLong(label)),
        rule(
          'OUT_OF_RANGE',
          (value) => isShallow(value, metadataDepthMax),
          `${label} must be nested at most ${metadataDepthMax} levels deep and contain only finite numbers`,
        ),
        rule(
          'OUT_OF_RANGE',
          (value) => lookupInexact(value as object) === undefined,
          ({ input }) => inexactMessage(label, input as object),
        ),
        v.transform((value) => JSON.stringify(value)),
        rule('TOO_LONG', (json) => Buffer.byteLength(json) <= metadataBytesMax, tooLong(label)),
        rule('INVALID_FORMAT', (json) => !nullCharacter.test(json), `${label} must not contain U+0000`),
      ),
    shape: { type: 'object', additionalProperties: true },
    json: (column) => `json(${column})`,
    default: '{}',
    cleared: '{}',
  }
}

/** The time at which a record was created or changed. The engine sets it. */
export function moment(): Kind {
  const shape = { type: 'string', format: 'date-time' }
  return { kind: 'moment', sqlType: 'TEXT', schema: () => v.never(), shape, json: asIs, filter: momentFilter }
}

/** A field that the service sets and bodies cannot set: `byService(timestamp())`. */
export function byService(kind: Kind): Kind {
  return { ...kind, readonly: true }
}

/** A field that rules compute from other fields: `derived(decimal({ max: 1_000 }))`. */
export function derived(kind: Kind): Kind {
  return { ...byService(kind), derived: true }
}

/** A field that the service sets while a record is used, without a change of the record: `unlogged(timestamp())`. */
export function unlogged(kind: Kind): Kind {
  return { ...byService(kind), unlogged: true }
}

/** A field that only responses show: `shownAs('text', { type: 'string' })`. */
export function shownAs(kind: string, shape: JsonSchema, rest: Partial<Kind> = {}): Kind {
  return byService(chosen({ kind, sqlType: 'TEXT', schema: () => v.never(), shape, json: asIs, ...rest }))
}

/** A field that is set at creation and never changes: `fixed(choice(['live', 'test']))`. */
export function fixed(kind: Kind): Kind {
  return { ...kind, fixed: true }
}

/** A field that is never empty: `beforeWrite` chooses a value if the body has none. */
export function chosen(kind: Kind): Kind {
  return { ...kind, chosen: true }
}

/** A required field. `message` is the error if it is missing or empty: `required(text(), 'Name is required')`. */
export function required(kind: Kind, message: string): Kind {
  return { ...kind, required: message }
}

function inexactMessage(label: string, metadata: object): string {
  return `${label} contains the number ${quote(lookupInexact(metadata)!)}, which cannot be stored exactly: send it as a string`
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is nested at most `depth` deep and JSON can represent its numbers (1e400 is parsed as infinity). */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  // Not `Object.values`, which takes as long as parsing the object.
  for (const name in value) if (!isShallow((value as Record<string, unknown>)[name], depth - 1)) return false
  return true
}
