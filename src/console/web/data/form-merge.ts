import { entriesOf, valuesOf, withValue } from './metadata.ts'

export type Values = Readonly<Record<string, unknown>>

/** A value that someone else changed while a form was open. */
export interface Conflict {
  /** The field's name; of one entry of the metadata: `metadata.source`. */
  name: string
  mine: unknown
  theirs: unknown
  /** The value that the form uses; undefined while both changed it and the user has not chosen. */
  choice: Side | undefined
  /** For an amount of money: the field of its currency. Both values are then objects with both fields. */
  currency: string | undefined
}

export type Side = 'mine' | 'theirs'

/** The fields that hold amounts of money, each with its currency's field. An amount has no meaning without its currency, so both are chosen together. */
export type Amounts = Readonly<Record<string, string>>

const metadataPrefix = 'metadata.'

/** The values that differ between `base`, which the form started with, and `theirs`, which is stored now, unless `mine` agrees with `theirs`. */
export function conflictsOf(base: Values, mine: Values, theirs: Values, amounts: Amounts): Conflict[] {
  const [was, own, now] = [flat(base, amounts), flat(mine, amounts), flat(theirs, amounts)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(own), ...Object.keys(now)])]
  return names
    .filter((name) => !isSame(was[name], now[name]) && !isSame(own[name], now[name]))
    .map((name) => ({
      name,
      mine: own[name],
      theirs: now[name],
      choice: isSame(was[name], own[name]) ? 'theirs' : undefined,
      currency: amounts[name],
    }))
}

/** The values with one side of a conflict applied. */
export function settle<T extends Values>(values: T, conflict: Conflict, side: Side): T {
  const { name, currency } = conflict
  const value = conflict[side]
  if (currency) return { ...values, ...(value as Values) }
  if (!name.startsWith(metadataPrefix) || name in values) return { ...values, [name]: value }
  return { ...values, metadata: withValue(values.metadata, name.slice(metadataPrefix.length), value) }
}

/** After an edit: a new value in the field of a conflict becomes `mine` and is chosen. */
export function retyped(conflicts: readonly Conflict[], before: Values, after: Values): readonly Conflict[] {
  const amounts = Object.fromEntries(conflicts.flatMap(({ name, currency }) => (currency ? [[name, currency]] : [])))
  const [was, now] = [flat(before, amounts), flat(after, amounts)]
  return conflicts.map((each) =>
    isSame(was[each.name], now[each.name]) ? each : { ...each, mine: now[each.name], choice: 'mine' },
  )
}

/** The values that differ from `base`. */
export function changesOf<T extends Values>(base: T, values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(base[name], value))) as Partial<T>
}

/** Compares values. References are compared by id, because the record's name may have changed. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(idOf(a)) === JSON.stringify(idOf(b))
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** Splits metadata into one value for each entry, and combines each amount with its currency. */
function flat({ metadata, ...values }: Values, amounts: Amounts): Values {
  const flattened: Record<string, unknown> = { ...values }
  for (const [name, currency] of Object.entries(amounts)) {
    flattened[name] = { [name]: values[name], [currency]: values[currency] }
    delete flattened[currency]
  }
  const entries = metadata === undefined ? {} : valuesOf(entriesOf(metadata))
  for (const [name, value] of Object.entries(entries)) flattened[metadataPrefix + name] = value
  return flattened
}
