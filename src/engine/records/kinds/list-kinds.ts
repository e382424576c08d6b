import * as v from 'valibot'
import { isWithin } from '../../../lib/text.ts'
import { rule } from '../definition/faults.ts'
import type { Kind } from '../definition/resource.ts'
import { isStorable } from './text-kinds.ts'

interface TextsOptions {
  /** The maximum number of texts. */
  max: number
  /** The maximum length of one. */
  lengthMax: number
  /** Valid values, if not every text is one. */
  examples?: readonly (readonly string[])[]
}

/** A pattern of JSON Schema for text that is not blank. */
export const notBlank = '^[^\\x00]*[^\\s\\x00][^\\x00]*$'

/** A JSON array of texts, trimmed, not empty, without duplicates: `texts({ max: 100, lengthMax: 100 })`. */
export function texts({ max, lengthMax, examples }: TextsOptions): Kind {
  return {
    kind: 'texts',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.array(v.unknown(), `${label} must be an array`),
        rule('TOO_LONG', (given) => given.length <= max, `${label} must be at most ${max}`),
        v.array(v.string(`${label} must be a list of texts`)),
        rule(
          'TOO_LONG',
          (given) => given.every((each) => each.length <= lengthMax * 4),
          `${label} must have at most ${lengthMax} characters each`,
        ),
        v.transform((given) => [...new Set(given.map((each) => each.trim()))]),
        rule(
          'INVALID_FORMAT',
          (given) => given.every(isStorable),
          `${label} must be well-formed Unicode without U+0000`,
        ),
        rule('INVALID_VALUE', (given) => !given.includes(''), `${label} must not contain empty text`),
        rule(
          'TOO_LONG',
          (given) => given.every((each) => isWithin(each, lengthMax)),
          `${label} must have at most ${lengthMax} characters each`,
        ),
        v.transform((given) => JSON.stringify(given)),
      ),
    shape: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: lengthMax },
      maxItems: max,
      uniqueItems: true,
    },
    input: {
      type: 'array',
      items: { type: 'string', maxLength: lengthMax, pattern: notBlank },
      maxItems: max,
    },
    json: (column) => `json(${column})`,
    default: '[]',
    ...(examples && { examples }),
  }
}
