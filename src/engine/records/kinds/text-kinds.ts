import * as v from 'valibot'
import { emailKey, emailMax, emailPattern, isEmailAddress } from '../../../lib/email.ts'
import { fold, isWithin, phoneKey, shortTextMax } from '../../../lib/text.ts'
import { rule } from '../definition/faults.ts'
import type { Kind } from '../definition/resource.ts'
import { asIs, shownAs } from './fields.ts'
import { rankFilter, valueFilter } from './filters.ts'
import { caselessFilter, emailFilter, exactText, phoneFilter, textFilter } from './text-filters.ts'

const foldedKey = { sqlType: 'TEXT', of: fold } as const

/** Trimmed text of at most `max` characters. Empty text is stored as null. `required(text(), 'Name is required')`. */
export function text({ max = shortTextMax, default: fallback }: { max?: number; default?: string } = {}): Kind {
  return {
    kind: 'text',
    sqlType: 'TEXT',
    schema: (label) => v.pipe(textSchema(label, max), v.transform(emptyToNull)),
    shape: { type: 'string', maxLength: max },
    input: { type: 'string', maxLength: max, pattern: '^[^\\x00]*$' },
    json: asIs,
    filter: textFilter,
    key: foldedKey,
    ...(fallback !== undefined && { default: fallback }),
  }
}

/** An email address, stored as it was sent (decision D12). */
export function email(): Kind {
  const accepts = (value: string) => value === '' || isEmailAddress(value)
  return {
    ...text(),
    kind: 'email',
    schema: (label) =>
      v.pipe(
        textSchema(label, shortTextMax),
        rule('INVALID_FORMAT', accepts, `${label} must be a valid email address`),
        v.transform(emptyToNull),
      ),
    shape: { type: 'string', format: 'email' },
    input: { type: 'string', format: 'email', maxLength: emailMax, pattern: emailPattern },
    filter: emailFilter,
    key: { sqlType: 'TEXT', of: emailKey },
  }
}

/** Text whose case means nothing, such as a domain (decision C6). */
export function caselessText(): Kind {
  return { ...text(), filter: caselessFilter }
}

/** A telephone number in any notation, stored as it was sent and compared by its digits (decision K7). */
export function phone(): Kind {
  return { ...text(), filter: phoneFilter, key: { sqlType: 'TEXT', of: phoneKey, isPhone: true } }
}

interface PatternOptions {
  /** At least two valid values that are stored unchanged. */
  examples: readonly string[]
  default?: string
  /** Converts a valid text to the stored one. */
  store?: (text: string) => string
  /** The maximum number of characters. */
  max?: number
  /** Whether spaces around it are an error, and not trimmed. */
  untrimmed?: boolean
  /** Whether empty text is stored as null, and not an error (decision B6): it is text of a form, and no value of a kind. */
  mayBeEmpty?: boolean
}

/** Text that matches a regular expression without flags. */
export function pattern(
  form: RegExp,
  expected: string,
  { examples, store = String, max = shortTextMax, untrimmed = false, mayBeEmpty = false, ...options }: PatternOptions,
): Kind {
  const isEmpty = (value: string) => mayBeEmpty && value === ''
  return {
    ...text({ max, ...options }),
    kind: 'pattern',
    schema: (label) =>
      v.pipe(
        textSchema(label, max, untrimmed),
        rule('INVALID_FORMAT', (value) => isEmpty(value) || form.test(value), `${label} must be ${expected}`),
        v.transform((value) => (isEmpty(value) ? null : store(value))),
      ),
    shape: { type: 'string', pattern: form.source, maxLength: max, examples },
    input: { type: 'string', pattern: mayBeEmpty ? `^$|${form.source}` : form.source, maxLength: max, examples },
    filter: exactText(store),
    examples,
  }
}

interface ChoiceOptions {
  default?: string
  /** Whether values are added at the end by other definitions, so that the table does not check them. */
  grows?: boolean
}

/** One of a few values, which sort in the order of `options` (decision C8): `choice(['low', 'high'], { default: 'low' })`. */
export function choice(options: readonly string[], { default: fallback, grows }: ChoiceOptions = {}): Kind {
  return {
    kind: 'choice',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.string(`${label} must be a string`),
        v.trim(),
        rule('INVALID_VALUE', (value) => options.includes(value), `${label} must be one of: ${options.join(', ')}`),
      ),
    shape: { type: 'string', enum: options },
    json: asIs,
    filter: rankFilter(options),
    options,
    key: { sqlType: 'INTEGER', of: (stored) => options.indexOf(stored) },
    ...(grows && { grows }),
    ...(fallback !== undefined && { default: fallback }),
  }
}

/** The maximum number of values with repetitions. */
const chosenMax = 1_000

/** A JSON array of values from `options`, in their order, without duplicates. */
export function choices(options: readonly string[]): Kind {
  return {
    kind: 'choices',
    sqlType: 'TEXT',
    schema: (label) => {
      const expected = `${label} must be a list of at least one of: ${options.join(', ')}`
      return v.pipe(
        v.array(v.unknown(), `${label} must be an array`),
        rule('TOO_LONG', (chosen) => chosen.length <= chosenMax, `${label} must have at most ${chosenMax} items`),
        rule(
          'INVALID_VALUE',
          (chosen) => chosen.length > 0 && chosen.every((each) => options.includes(each as string)),
          expected,
        ),
        v.transform((chosen) => JSON.stringify(options.filter((each) => chosen.includes(each)))),
      )
    },
    shape: { type: 'array', items: { type: 'string', enum: options }, minItems: 1, uniqueItems: true },
    input: { type: 'array', items: { type: 'string', enum: options }, minItems: 1, maxItems: chosenMax },
    json: (column) => `json(${column})`,
    options,
  }
}

interface NamesOptions {
  /** The maximum number of names. */
  max: number
  /** At least two valid lists. */
  examples: readonly (readonly string[])[]
}

/** A JSON array of different names that match `form`, in the order given: `names(/^\w{1,64}$/, { max: 50, … })`. */
export function names(form: RegExp, { max, examples }: NamesOptions): Kind {
  const items = { type: 'string', pattern: form.source }
  const isName = (value: unknown) => typeof value === 'string' && form.test(value)
  return {
    kind: 'names',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.array(v.unknown(), `${label} must be an array`),
        rule('INVALID_VALUE', (given) => given.length > 0, `${label} must have at least one name`),
        rule('TOO_LONG', (given) => given.length <= max, `${label} must have at most ${max} names`),
        rule('INVALID_FORMAT', (given) => given.every(isName), `${label} must be a list of names`),
        rule('INVALID_VALUE', (given) => new Set(given).size === given.length, `${label} must not repeat a name`),
        v.transform((given) => JSON.stringify(given)),
      ),
    shape: { type: 'array', items, minItems: 1, maxItems: max, uniqueItems: true },
    json: (column) => `json(${column})`,
    examples,
  }
}

/** How much longer, in UTF-16 units, a text may be with the space around it. Longer ones are not read. */
const spaciousness = 4

function textSchema(label: string, max: number, untrimmed = false) {
  const tooLong = `${label} must be at most ${max} characters`
  return v.pipe(
    v.string(`${label} must be a string`),
    rule('TOO_LONG', (value) => value.length <= max * spaciousness, tooLong),
    rule('INVALID_FORMAT', isStorable, `${label} must be well-formed Unicode without U+0000`),
    v.transform((value) => (untrimmed ? value : value.trim())),
    rule('TOO_LONG', (value) => isWithin(value, max), tooLong),
  )
}

/** Whether SQLite can store a text as it is. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function emptyToNull(value: string): string | null {
  return value === '' ? null : value
}

/** A choice that only responses show, and lists filter by: `shownChoice('door', ['smtp', 'http'])`. */
export function shownChoice(kind: string, options: readonly string[]): Kind {
  const shape = { type: 'string', enum: options }
  const parse = (value: string) => (options.includes(value) ? value : undefined)
  const filter = valueFilter(`one of: ${options.join(', ')}`, parse, kind, shape, options.join('|'), 'INVALID_VALUE')
  return shownAs(kind, shape, { filter })
}
