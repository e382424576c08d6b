import { sqlName } from '../../src/engine/records/columns.ts'
import type { Field } from '../../src/engine/records/define.ts'

/** The condition on the column of a field; undefined: there is none. */
export function checkOf({ name, kind, sqlType, options = [], grows, shape }: Field): string | undefined {
  if (grows) return undefined
  if (kind === 'choice') return `${name} IN (${options.map((word) => `'${word}'`).join(', ')})`
  if (kind === 'flag') return `${sqlName(name)} IN (0, 1)`
  if (kind === 'metadata') return `json_type(${name}) = 'object'`
  if (kind === 'position') return `${name} >= 0`
  if (kind !== 'number') return undefined
  const { minimum, maximum } = shape as { minimum?: number; maximum?: number }
  if (sqlType === 'TEXT') {
    return `json_type(${name}) IN ('integer', 'real') AND CAST(${name} AS REAL) BETWEEN ${minimum} AND ${maximum}`
  }
  if (minimum !== undefined && maximum !== undefined) return `${name} BETWEEN ${minimum} AND ${maximum}`
  if (minimum !== undefined) return `${name} >= ${minimum}`
  return maximum === undefined ? undefined : `${name} <= ${maximum}`
}
