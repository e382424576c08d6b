import type { Reader } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import type { DeclaredType } from './types.ts'

/** A declared field of a resource: `metadata.<key>` is indexed (decision J3). */
export interface Declared {
  /** The number of its values in `field_value`. A field that is indexed again gets another one. */
  readonly number: number
  /** The id of its record. */
  readonly id: string
  readonly key: string
  readonly type: DeclaredType
  readonly options: readonly string[]
  readonly isUnique: boolean
  /** Whether every undeleted record has a row in `field_value`. */
  readonly isComplete: boolean
}

/** The maximum number of fields for each resource of a workspace. */
export const declaredMax = 50

/** Whether fields can be declared for a resource: its records have metadata, and lists of them are indexed. */
export function isDeclarable({ fields, counted, offers }: Resource): boolean {
  return counted && offers.fields && fields.metadata?.kind === 'metadata'
}

interface Row {
  number: number
  field_id: string
  key: string
  type: DeclaredType
  options: string
  is_unique: number
  reached: string | null
}

const none: readonly Declared[] = []

/** The declared fields of a resource. They are remembered, so that writes without any cost nothing. */
export function declaredOf(resource: Resource, reader: Reader): readonly Declared[] {
  return isDeclarable(resource) ? reader.remember(`fields of ${resource.name}`, () => read(resource, reader)) : none
}

function read({ name }: Resource, reader: Reader): Declared[] {
  const sql = `SELECT number, field_id, key, type, options, is_unique, reached FROM field_index
    WHERE workspace_id = :workspace AND resource = ? AND field_id IS NOT NULL ORDER BY number`
  return reader.rows<Row>(sql, name).map(({ number, field_id, key, type, options, is_unique, reached }) => ({
    ...{ number, id: field_id, key, type, options: JSON.parse(options) },
    ...{ isUnique: is_unique === 1, isComplete: reached === null },
  }))
}
