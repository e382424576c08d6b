import type { DetailCode } from '../../../errors.ts'
import type { PhoneForms } from '../../../lib/text.ts'
import type { SqlValue } from '../../../store/reader.ts'
import type { JsonSchema } from './about.ts'

export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'in'] as const
/** Of declared fields with several options. */
export const choiceOperators = ['all', 'none'] as const
export type Operator = (typeof operators)[number] | (typeof choiceOperators)[number]

/**
 * Stand for the time of the read, for the user who reads, and for the user whose rows are seen (decision P7) or null, among the values of a
 * condition. No value of a request contains U+0000.
 */
export const timeOfRead = '\0now'
export const askingUser = '\0me'
export const viewingUser = '\0viewer'

/** A SQL condition and the values of its `?`, in order. */
export interface Condition {
  sql: string
  params: SqlValue[]
  /** Whether the matching rows are adjacent in the field's index, in the order of their ids. */
  equality?: boolean
  /** The folded texts that a `like` searches, in order. */
  parts?: readonly string[]
}

/** The columns of a filtered field. `key` is compared and sorted by; often it is `column` itself. */
export interface FilteredColumn {
  column: string
  key: string
}

/** The filter of a kind of field (decisions C6 to C9). */
export interface Filter {
  readonly operators: readonly Operator[]
  /** The form of a value, for messages. */
  readonly expected: string
  /** The code of the error about an invalid value (decision B8). */
  readonly fault: DetailCode
  /** For the API document: a name for such values, the schema of one, and the pattern of one in a list. */
  readonly kind: string
  readonly shape: JsonSchema
  readonly pattern: string
  /** The condition for a value; undefined if the value is invalid. */
  condition(on: FilteredColumn, operator: Operator, value: string, phones?: PhoneForms): Condition | undefined
}
