/** A program whose files are recognized by their header. */
export interface FileSource {
  readonly label: string
  /** Whether a header is one of its files. The names are simplified: `e mail 1 value`. */
  isOf(names: ReadonlySet<string>): boolean
  /** The paths of its columns for each resource, by simplified name. An empty path: the column is known and not imported. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The name of the column that marks deleted records with 1. */
  readonly deleted?: string
  /** The sign before the decimals of its numbers. */
  readonly decimal?: '.' | ','
  /** Paths that refer to records that may be missing. */
  readonly loose?: readonly string[]
  /** Paths of which a record has one value, and whose cells may hold several, separated by `;`. */
  readonly several?: readonly string[]
}

export function hasSome(names: ReadonlySet<string>, min: number, marks: readonly string[]): boolean {
  return marks.filter((mark) => names.has(mark)).length >= min
}

/** The parts of a postal address. */
export function address(prefix: string, country: string): Record<string, string> {
  const parts = { street: 'street', city: 'city', state: 'state', 'postal code': 'postal_code', [country]: 'country' }
  const name = (part: string) => (prefix.endsWith(' ') ? `${prefix}${part}` : `${prefix}${part.replace(' ', '')}`)
  return Object.fromEntries(Object.entries(parts).map(([part, key]) => [name(part), `metadata.${key}`]))
}

/** Columns of items, which have a number each: `e mail 1 value`. */
export function items(count: number, of: (number: number) => Record<string, string>): Record<string, string> {
  return Object.assign({}, ...Array.from({ length: count }, (_, index) => of(index + 1)))
}

export const itemsMax = 20
export const person = {
  ...{ 'first name': 'first_name', 'last name': 'last_name', 'middle name': 'first_name', 'full name': 'full_name' },
  ...{
    'job title': 'job_title',
    notes: 'metadata.notes',
    birthday: 'metadata.birthday',
    department: 'metadata.department',
  },
}
export const numbered = items(itemsMax, (n) => ({
  ...{ [`e mail ${n} value`]: `emails[${n - 1}].email`, [`e mail ${n} label`]: `emails[${n - 1}].label` },
  ...{ [`e mail ${n} type`]: `emails[${n - 1}].label`, [`e mail ${n} primary`]: `emails[${n - 1}].is_primary` },
  ...{ [`phone ${n} value`]: `phones[${n - 1}].phone_number`, [`phone ${n} label`]: `phones[${n - 1}].label` },
  ...{ [`phone ${n} type`]: `phones[${n - 1}].label`, [`phone ${n} primary`]: `phones[${n - 1}].is_primary` },
}))
