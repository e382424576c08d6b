import * as v from 'valibot'
import { parseUuid } from '../../lib/uuid.ts'
import { momentFilter, uuidFilter } from '../list/filters.ts'
import { lookupInexact } from '../write/exact-numbers.ts'
import { quote, rule } from './faults.ts'
import type { Kind, Resource } from './resource.ts'

const metadataBytesMax = 65_536
const metadataDepthMax = 32

/** U+0000 as `JSON.stringify` writes it: after an even number of backslashes. */
const nullCharacter = /(?<!\\)(?:\\\\)*\\u0000/

/** For a column that JSON shows as it is stored. */
export const asIs = (column: string): string => column

/** The id of a record of another resource, in the same workspace (decision D2). */
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

/** A free-form JSON object, replaced wholesale (spec: Resources). */
export function metadata(): Kind {
  return {
    kind: 'metadata',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.unknown(),
        rule('INVALID_TYPE', isPlainObject, `${label} must be a JSON object`),
        rule(
          'OUT_OF_RANGE',
          (value) => isShallow(value, metadataDepthMax),
          `${label} must be nested at most ${metadataDepthMax} levels deep, its numbers finite`,
        ),
        rule(
          'OUT_OF_RANGE',
          (value) => lookupInexact(value as object) === undefined,
          ({ input }) => inexactMessage(label, input as object),
        ),
        v.transform((value) => JSON.stringify(value)),
        rule('INVALID_FORMAT', (json) => !nullCharacter.test(json), `${label} must not contain U+0000`),
        rule(
          'TOO_LONG',
          (json) => Buffer.byteLength(json) <= metadataBytesMax,
          `${label} must be at most ${metadataBytesMax} bytes of JSON`,
        ),
      ),
    shape: { type: 'object', additionalProperties: true },
    json: (column) => `json(${column})`,
    default: '{}',
    cleared: '{}',
  }
}

/** When the record was made or changed: set by the engine, never by a body. */
export function moment(): Kind {
  const shape = { type: 'string', format: 'date-time' }
  return { kind: 'moment', sqlType: 'TEXT', schema: () => v.never(), shape, json: asIs, filter: momentFilter }
}

/** Makes a field one that the service sets. */
export function byService(kind: Kind): Kind {
  return { ...kind, readonly: true }
}

/** Makes a field one that is set at creation and never changes. */
export function fixed(kind: Kind): Kind {
  return { ...kind, fixed: true }
}

/** Makes a field one that the service fills where a body gives none. */
export function chosen(kind: Kind): Kind {
  return { ...kind, chosen: true }
}

/** Makes a field one that a record cannot be without. */
export function required(kind: Kind, message: string): Kind {
  return { ...kind, required: message }
}

function inexactMessage(label: string, metadata: object): string {
  return `${label} holds the number ${quote(lookupInexact(metadata)!)}, which cannot be stored exactly: send it as text`
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether JSON is nested at most `depth` deep and holds no number that JSON cannot give back (1e400 reads as infinity). */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1))
}
